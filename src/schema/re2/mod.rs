//! Checks regular expressions by Go's syntax (`regexp/syntax/parse.go`), because the API server uses Go's parser.
//!
//! RE2 has no look-around and no backreferences, and its limits and escapes differ from those of Rust's `regex`, so
//! this module follows Go's own parser. It accepts names that only Go's Unicode tables can validate.

/// The maximum count of a repetition such as `a{1000}` in Go's syntax. Counts of nested repetitions are multiplied:
/// `(a{10}){20}` counts as 200.
const MOST: u32 = 1000;

/// The flags that are allowed in `(?flags)`.
const FLAGS: &str = "imsU-";

/// The Unicode properties that Rust's regular expressions support and Go's do not.
const NOT_IN_GO: [&str; 9] =
    ["Alphabetic", "Ascii", "Emoji", "ID_Continue", "ID_Start", "Lowercase", "Uppercase", "White_Space", "XID_Start"];

/// Returns the reason why RE2 refuses a pattern; `None` for a valid pattern.
pub(crate) fn fault(pattern: &str) -> Option<String> {
    let mut reader = Reader { rest: pattern.chars().collect(), at: 0, depth: 0 };
    match reader.alternatives() {
        Err(fault) => Some(fault),
        Ok(_) if reader.at < reader.rest.len() => Some("has a `)` without its `(`".to_owned()),
        Ok(_) => None,
    }
}

/// The minimum and the maximum of a repetition `{least,most}`; the maximum is `None` for `{least,}`.
type Counts = (u32, Option<u32>);

struct Reader {
    rest: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn text(&self, from: usize, until: usize) -> String {
        self.rest[from.min(self.rest.len())..until.min(self.rest.len())].iter().collect()
    }

    fn looks_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(index, one)| self.rest.get(self.at + index) == Some(&one))
    }

    /// Reads alternatives up to a `)` or the end of the pattern. Returns the largest repetition count in the
    /// alternatives, with nested counts multiplied; 1 if there is no repetition.
    fn alternatives(&mut self) -> Result<u32, String> {
        let mut most = 1;
        let mut empty = true;
        while let Some(one) = self.peek() {
            if one == ')' {
                break;
            }
            if one == '|' {
                self.at += 1;
                empty = true;
                continue;
            }
            // Flags cannot be repeated; an operator after them repeats the part before them.
            let copies = if self.operator().is_none() { self.atom()? } else { Some(1).filter(|_| !empty) };
            match copies {
                Some(copies) => most = most.max(self.read_repetition(copies)?),
                None if empty && self.operator().is_some() => {
                    let one = self.peek().unwrap_or_default();
                    return Err(format!("repeats nothing with `{one}`"));
                }
                None => continue,
            }
            empty = false;
        }
        Ok(most)
    }

    /// Returns the index after the repetition operator at the parser's current position, and the counts of an operator
    /// such as `{2,5}`. The counts are `None` for `*`, `+` and `?`. Returns `None` if no operator is at this position.
    fn operator(&self) -> Option<(usize, Option<Counts>)> {
        match self.peek()? {
            '*' | '+' | '?' => Some((self.at + 1, None)),
            '{' => {
                let close = self.rest[self.at..].iter().position(|one| *one == '}')? + self.at;
                let text = self.text(self.at + 1, close);
                let number = |text: &str| {
                    let digits = !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
                    let plain = text == "0" || !text.starts_with('0');
                    // A number that does not fit is above the limit in any case.
                    (digits && plain).then(|| text.parse().unwrap_or(u32::MAX))
                };
                let counts = match text.split_once(',') {
                    None => (number(&text)?, Some(number(&text)?)),
                    Some((least, "")) => (number(least)?, None),
                    Some((least, most)) => (number(least)?, Some(number(most)?)),
                };
                Some((close + 1, Some(counts)))
            }
            _ => None,
        }
    }

    /// Reads the repetition operator after an atom, if there is an operator. `copies` is the largest repetition count
    /// in the atom. Returns `copies`, multiplied by the maximum of an operator such as `{2,5}`, or by the minimum of an
    /// operator without a maximum.
    fn read_repetition(&mut self, copies: u32) -> Result<u32, String> {
        let Some((end, counts)) = self.operator() else { return Ok(copies) };
        let written = self.text(self.at, end);
        let copies = match counts {
            None => copies,
            Some((least, most)) => {
                if most.is_some_and(|most| most < least) {
                    return Err(format!("uses the repetition `{written}`, whose maximum is less than its minimum"));
                }
                let copies = copies.saturating_mul(most.unwrap_or(least).max(1));
                if least > MOST || copies > MOST {
                    return Err(format!(
                        "uses `{written}`, which exceeds {MOST} repetitions (nested repetitions are multiplied)"
                    ));
                }
                copies
            }
        };
        self.at = end;
        if self.peek() == Some('?') {
            self.at += 1;
        }
        match self.operator() {
            Some((end, _)) => {
                Err(format!("applies the repetition `{}` to the repetition `{written}`", self.text(self.at, end)))
            }
            None => Ok(copies),
        }
    }

    fn atom(&mut self) -> Result<Option<u32>, String> {
        match self.peek() {
            Some('(') => self.group(),
            Some('[') => self.class().map(|()| Some(1)),
            Some('\\') => self.escape(false).map(|()| Some(1)),
            _ => {
                self.at += 1;
                Ok(Some(1))
            }
        }
    }

    /// Reads a part in parentheses. For a group, returns the largest repetition count in the group, with nested counts
    /// multiplied. Returns `None` for flags without a group, such as `(?i)`.
    fn group(&mut self) -> Result<Option<u32>, String> {
        self.at += 1;
        if self.depth >= 200 {
            return Err("nests too many groups".to_owned());
        }
        if self.peek() == Some('?') {
            self.at += 1;
            for (start, what) in
                [("=", "look-ahead"), ("!", "look-ahead"), ("<=", "look-behind"), ("<!", "look-behind")]
            {
                if self.looks_at(start) {
                    return Err(format!("uses {what} (`(?{start}`), which RE2 does not have"));
                }
            }
            let named = ["P<", "<"].into_iter().find(|start| self.looks_at(start));
            if let Some(start) = named {
                let from = self.at + start.len();
                let end = self.rest[from.min(self.rest.len())..].iter().position(|one| *one == '>');
                let Some(end) = end else { return Err("names a group without closing `>`".to_owned()) };
                let name = self.text(from, from + end);
                if name.is_empty() || !name.chars().all(|one| one == '_' || one.is_ascii_alphanumeric()) {
                    return Err(format!("names a group `{name}`; letters, digits and `_` are allowed"));
                }
                self.at = from + end + 1;
            } else if self.flags()? {
                return Ok(None);
            }
        }
        self.depth += 1;
        let copies = self.alternatives()?;
        self.depth -= 1;
        if self.peek() != Some(')') {
            return Err("has a `(` without its `)`".to_owned());
        }
        self.at += 1;
        Ok(Some(copies))
    }

    /// Reads the flags after `(?`. Returns true if `)` ends the flags, as in `(?i)`, and false if `:` ends them and a
    /// group follows, as in `(?i:a)`.
    fn flags(&mut self) -> Result<bool, String> {
        let from = self.at;
        while let Some(one) = self.peek() {
            self.at += 1;
            match one {
                '-' if self.text(from, self.at - 1).contains('-') => break,
                ')' | ':' if self.text(from, self.at - 1).ends_with('-') => break,
                ')' => return Ok(true),
                ':' => return Ok(false),
                one if FLAGS.contains(one) => {}
                _ => break,
            }
        }
        let written = self.text(from, self.at);
        Err(format!("uses `(?{written}`, which RE2 does not have; its flags are i, m, s and U"))
    }

    fn class(&mut self) -> Result<(), String> {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some('^') {
            self.at += 1;
        }
        let mut first = true;
        loop {
            match self.peek() {
                None => return Err(format!("has a `[` without its `]` (`{}`)", self.text(start, start + 12))),
                Some(']') if !first => break,
                Some('[') if self.looks_at("[:") => self.named_class()?,
                _ => self.range()?,
            }
            first = false;
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a named class such as `[:alpha:]`. If no `:]` follows, reads the `[` as an ordinary character.
    fn named_class(&mut self) -> Result<(), String> {
        const NAMES: [&str; 14] = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
            "word", "xdigit",
        ];
        let rest = self.text(self.at + 2, self.rest.len());
        let Some(end) = rest.find(":]") else { return self.range() };
        let name = rest[..end].strip_prefix('^').unwrap_or(&rest[..end]);
        if !NAMES.contains(&name) {
            return Err(format!("uses the unknown class `[:{name}:]`"));
        }
        self.at += 2 + rest[..end].chars().count() + 2;
        Ok(())
    }

    fn range(&mut self) -> Result<(), String> {
        let from = self.at;
        let low = self.character()?;
        if self.peek() == Some('-') && self.rest.get(self.at + 1).is_some_and(|next| *next != ']') {
            self.at += 1;
            let high = self.character()?;
            if let (Some(low), Some(high)) = (low, high)
                && high < low
            {
                return Err(format!(
                    "uses the range `{}`, whose end is before its beginning",
                    self.text(from, self.at)
                ));
            }
        }
        Ok(())
    }

    /// Reads one character of a class such as `[a-z]`. Returns the character, or `None` for an escape such as `\d`.
    fn character(&mut self) -> Result<Option<char>, String> {
        let plain = self.peek();
        if plain == Some('\\') {
            self.escape(true)?;
            return Ok(None);
        }
        self.at += 1;
        Ok(plain)
    }

    fn escape(&mut self, in_class: bool) -> Result<(), String> {
        let Some(letter) = self.rest.get(self.at + 1).copied() else {
            return Err("ends in a `\\`".to_owned());
        };
        let next = self.rest.get(self.at + 2).copied();
        self.at += 2;
        match letter {
            '1'..='7' if next.is_some_and(|next| ('0'..='7').contains(&next)) => Ok(()),
            '1'..='9' => Err(format!("uses the backreference `\\{letter}`, which RE2 does not have")),
            'p' | 'P' => self.property(letter),
            'x' => self.hexadecimal(),
            '0' | 'a' | 'f' | 'n' | 'r' | 't' | 'v' | 'd' | 'D' | 's' | 'S' | 'w' | 'W' => Ok(()),
            'A' | 'b' | 'B' | 'z' if !in_class => Ok(()),
            'Q' if !in_class => {
                let rest = self.text(self.at, self.rest.len());
                let end = rest.find("\\E").map_or(rest.as_str(), |end| &rest[..end]);
                self.at = (self.at + end.chars().count() + 2).min(self.rest.len());
                Ok(())
            }
            letter if letter.is_ascii_punctuation() || letter.is_ascii_whitespace() => Ok(()),
            letter => Err(format!("uses the escape `\\{letter}`, which RE2 does not have here")),
        }
    }

    fn property(&mut self, letter: char) -> Result<(), String> {
        let missing = || format!("uses `\\{letter}` without the name of a Unicode class");
        let first = self.peek().ok_or_else(missing)?;
        self.at += 1;
        if first != '{' {
            return Ok(());
        }
        let rest = self.text(self.at, self.rest.len());
        let name = &rest[..rest.find('}').ok_or_else(missing)?];
        if name.is_empty() || name.contains(['=', ':']) || NOT_IN_GO.contains(&name) {
            return Err(format!("uses the Unicode class `{name}`, which RE2 does not have"));
        }
        self.at += name.chars().count() + 1;
        Ok(())
    }

    /// Reads a code such as `\x7F` or `\x{10FFFF}`.
    fn hexadecimal(&mut self) -> Result<(), String> {
        let rest = self.text(self.at, self.rest.len());
        let digits = match rest.strip_prefix('{') {
            Some(rest) => rest.split_once('}').map(|(digits, _)| digits),
            None => rest.get(..2),
        };
        let digits = digits.filter(|digits| u32::from_str_radix(digits, 16).is_ok_and(|code| code <= 0x0010_FFFF));
        let Some(digits) = digits else { return Err("uses `\\x` without a hexadecimal number".to_owned()) };
        self.at += digits.len() + if rest.starts_with('{') { 2 } else { 0 };
        Ok(())
    }
}

#[cfg(test)]
mod tests;
