//! Mutates texts as an attacker would who knows their format: by lines, words and characters.

use crate::support::Random;

/// Values that a reader may not expect.
const VALUES: [&str; 44] = [
    "",
    "~",
    "null",
    "true",
    "no",
    "0",
    "-1",
    "1e999",
    "99999999999999999999",
    "0x10",
    "[]",
    "{}",
    "[[[[]]]]",
    "{a: {b: {c: []}}}",
    "a: b",
    "- a",
    "&a [*a]",
    "*a",
    "!!binary x",
    "!!str 1",
    "'",
    "\"",
    "\\",
    "|",
    ">-",
    "---",
    "...",
    "#",
    "<<: *a",
    "../x",
    "/abs",
    ".git/hooks",
    "\u{1b}[31m",
    "\u{0}",
    "\u{202e}",
    "é",
    "😀",
    "\t",
    "\r\n",
    "<<<<<<< ours\n",
    "=======\n",
    ">>>>>>> theirs\n",
    "||||||| base\n",
    "conversion: true",
];
const LONG: usize = 3_000;
/// The maximum length of a mutated text in bytes. Short texts let a test try many mutations.
const LARGEST: usize = 48_000;

/// Returns a text that differs from `text` in some places. The inserted lines and words may come from `other`.
pub(super) fn mutate(random: &mut Random, text: &str, other: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(5) {
        text = match random.below(4) {
            0 => lines(random, &text, other),
            1 | 2 => words(random, &text, other),
            _ => characters(random, &text),
        };
    }
    if text.len() > LARGEST {
        text.truncate(boundary(&text, LARGEST));
    }
    text
}

fn below(random: &mut Random, limit: usize) -> usize {
    if limit == 0 { 0 } else { random.below(limit) }
}

/// Deletes, repeats, moves, indents or unindents lines, or inserts lines of `other`.
fn lines(random: &mut Random, text: &str, other: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let from = below(random, lines.len());
    let to = (from + 1 + random.below(6)).min(lines.len());
    match random.below(6) {
        0 => drop(lines.drain(from..to)),
        1 => {
            let doubled = lines[from..to].to_vec();
            lines.splice(to..to, doubled);
        }
        2 => {
            let moved: Vec<String> = lines.drain(from..to).collect();
            let place = below(random, lines.len() + 1);
            lines.splice(place..place, moved);
        }
        3 => lines[from..to].iter_mut().for_each(|line| line.insert_str(0, "  ")),
        4 => {
            for line in &mut lines[from..to] {
                *line = line.strip_prefix("  ").or_else(|| line.strip_prefix("- ")).unwrap_or(line).to_owned();
            }
        }
        _ => {
            let others: Vec<&str> = other.split_inclusive('\n').collect();
            let begin = below(random, others.len());
            let end = (begin + 1 + random.below(8)).min(others.len());
            lines.splice(from..from, others[begin..end].iter().map(|line| (*line).to_owned()));
        }
    }
    lines.concat()
}

/// Returns the byte ranges of the words in a text. A word consists of letters, digits and the characters `-_./`.
fn places(text: &str) -> Vec<(usize, usize)> {
    let is_of_a_word = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    let (mut places, mut begin) = (Vec::new(), None);
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match begin {
            None if is_of_a_word(letter) => begin = Some(at),
            Some(from) if !is_of_a_word(letter) => {
                places.push((from, at));
                begin = None;
            }
            _ => {}
        }
    }
    places
}

/// Replaces a word by an odd value, by another word, or by a long one.
fn words(random: &mut Random, text: &str, other: &str) -> String {
    let places = places(text);
    let Some(&(from, to)) = places.get(below(random, places.len())) else { return text.to_owned() };
    let others = self::places(other);
    let value = match random.below(8) {
        0..4 => random.pick(&VALUES).to_owned(),
        4 => "a".repeat(LONG),
        5 => text[from..to].to_uppercase(),
        _ => others.get(below(random, others.len())).map(|&(from, to)| other[from..to].to_owned()).unwrap_or_default(),
    };
    format!("{}{value}{}", &text[..from], &text[to..])
}

/// Inserts, removes or repeats characters.
fn characters(random: &mut Random, text: &str) -> String {
    let at = boundary(text, below(random, text.len() + 1));
    let end = boundary(text, (at + 1 + random.below(3)).min(text.len()));
    match random.below(4) {
        0 => format!("{}{}", &text[..at], &text[end..]),
        1 => format!("{}{}{}", &text[..at], random.pick(&VALUES), &text[at..]),
        2 => format!("{}{}{}", &text[..end], text[at..end].repeat(1 + random.below(60)), &text[end..]),
        _ => format!(
            "{}{}{}",
            &text[..at],
            random.pick(&["{", "}", "[", "]", "(", ")", ":", "\"", "'", "\n", " ", ",", "=", "+"]),
            &text[end..]
        ),
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
