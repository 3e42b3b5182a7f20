//! Rewrites plain scalars that go-yaml, which kubectl, kustomize and helm use, reads differently from YAML 1.2 parsers.

use granit_parser::{Event, Parser, ScalarStyle};
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The pattern of a plain scalar that begins like a number, in the position of a key, a value or a list item.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)(?:^|[-:,\[{?])[ \t]*(?:&\S+[ \t]+)?([-+]?[.0-9][-+.0-9A-Z_a-z]*)").expect("a valid pattern")
});

/// The pattern of a floating point number in go-yaml (`yamlStyleFloat`).
static FLOAT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$").expect("a valid pattern"));

/// The limit up to which a floating point number represents every integer exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Rewrites the scalars that go-yaml reads differently from YAML 1.2 parsers (go.yaml.in/yaml/v2 `resolve`): `0400` is
/// an octal number, `1_000` is a thousand, and `1e999` is a string.
pub(super) fn as_go_yaml_reads(text: &str) -> Cow<'_, str> {
    if !NUMBER.captures_iter(text).any(|found| found.get(1).is_some_and(|word| other_form(word.as_str()).is_some())) {
        return text.into();
    }
    let (mut written, mut end) = (String::with_capacity(text.len()), 0);
    // What is no YAML stays as it is: who reads it says why.
    for (event, span) in Parser::new_from_str(text).map_while(Result::ok) {
        let Event::Scalar(plain, ScalarStyle::Plain, _, None) = event else { continue };
        if let (Some(range), Some(other)) = (span.byte_range(), other_form(&plain)) {
            written.push_str(&text[end..range.start]);
            written.push_str(&other);
            end = range.end;
        }
    }
    (written + &text[end..]).into()
}

/// Returns the value that go-yaml reads from the plain scalar `plain`, in a form that all parsers read equally. Returns
/// `None` if all parsers already read `plain` equally.
fn other_form(plain: &str) -> Option<String> {
    plain.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)).then_some(())?;
    let digits = plain.replace('_', "");
    if let Some(number) = integer(&digits) {
        let number = number.to_string();
        return (number != plain && format!("+{number}") != plain && plain != "-0").then_some(number);
    }
    let number: f64 = FLOAT.is_match(&digits).then(|| digits.parse().ok())??;
    if number.is_infinite() {
        return Some(format!("\"{plain}\""));
    }
    if number.fract() == 0.0 && number.abs() < EXACT {
        return Some(format!("{number:.0}"));
    }
    (digits != plain).then_some(digits)
}

/// Parses an integer as Go's `strconv.ParseInt` and `ParseUint` do with base 0.
fn integer(digits: &str) -> Option<i128> {
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    let (radix, body) = match unsigned.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (16, &unsigned[2..]),
        Some("0o") => (8, &unsigned[2..]),
        Some("0b") => (2, &unsigned[2..]),
        Some(zero) if zero.starts_with('0') => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    let number =
        body.starts_with(|first: char| first.is_digit(radix)).then(|| i128::from_str_radix(body, radix).ok())??;
    let number = if digits.starts_with('-') { -number } else { number };
    let most = if unsigned.len() == digits.len() { u64::MAX.into() } else { i64::MAX.into() };
    (i128::from(i64::MIN)..=most).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::as_go_yaml_reads;
    use serde_json::json;

    /// Plain scalars are read as the values that `kubectl annotate --local -o json` prints for them.
    #[test]
    fn numbers_are_those_of_kubectl() {
        for (plain, expected) in [
            ("0755", json!(493)),
            ("-0755", json!(-493)),
            ("00", json!(0)),
            ("0_7", json!(7)),
            ("09", json!(9)),
            ("0o17", json!(15)),
            ("0o8", json!("0o8")),
            ("0x1F", json!(31)),
            ("+0x1", json!(1)),
            ("0xFFFFFFFFFFFFFFFFFF", json!("0xFFFFFFFFFFFFFFFFFF")),
            ("0b11", json!(3)),
            ("-0b1", json!(-1)),
            ("1_000", json!(1000)),
            ("1__0", json!(10)),
            ("1_", json!(1)),
            ("_1", json!("_1")),
            ("1_000.5", json!(1000.5)),
            ("+12", json!(12)),
            ("-0", json!(0)),
            ("0.0", json!(0)),
            (".5", json!(0.5)),
            ("1.", json!(1)),
            (".5e1", json!(5)),
            ("1e3", json!(1000)),
            ("1E+3", json!(1000)),
            ("1e-999", json!(0)),
            ("1e999", json!("1e999")),
            ("5e3012", json!("5e3012")),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
            ("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
            ("1:30", json!("1:30")),
            ("2001-01-01", json!("2001-01-01")),
            ("1.2.3", json!("1.2.3")),
            ("\"0755\"", json!("0755")),
            ("!!str 0755", json!("0755")),
        ] {
            let expected = json!([{ "a": expected, "b": [expected], "c": expected }]);
            let text = format!("a: {plain}\nb: [&x {plain}]\nc:\n  {plain} # 0644\n");
            assert_eq!(read(&text).unwrap(), expected.as_array().unwrap().clone(), "{text}");
        }
    }

    #[test]
    fn texts_with_such_words_stay() {
        let text = "a: |\n  mode: 0755\n  0644\nb: between 0000 and\n  0777\nc: '0755'\nd: \"0755: 1e999\" # e: 0755\n";
        assert_eq!(as_go_yaml_reads(text), text);
        let read = read(text).unwrap();
        assert_eq!(read[0]["a"], "mode: 0755\n0644\n");
        assert_eq!(read[0]["b"], "between 0000 and 0777");
        assert_eq!(as_go_yaml_reads("a: [0755, {1_0: 010}]"), "a: [493, {10: 8}]");
        assert_eq!(as_go_yaml_reads("a: 0755\nb: [\n"), "a: 493\nb: [\n");
    }
}
