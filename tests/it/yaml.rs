//! kubectl, whose parser accepts YAML 1.1, reads the strings in opctl's YAML without a change.

use crate::support::{Random, temporary, tool};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Words that YAML 1.1 reads as something else than a string, or cannot parse, alone or next to other characters.
const WORDS: [&str; 44] = [
    "y",
    "yes",
    "on",
    "true",
    "n",
    "no",
    "off",
    "false",
    "null",
    "~",
    "nil",
    "none",
    ".inf",
    "-.inf",
    "+.inf",
    ".nan",
    "inf",
    "nan",
    "infinity",
    "0",
    "-0",
    "0777",
    "0o17",
    "0x1f",
    "0b1",
    "1_000",
    "190:20:30",
    "1e3",
    "1.",
    ".5",
    "+1",
    "1e",
    "2024-01-02",
    "2024-01-02T03:04:05Z",
    "2024-1-2 3:4:5",
    "<<",
    "=",
    "---",
    "...",
    "%YAML 1.1",
    "!!str",
    "&a",
    "*a",
    "?",
];

/// Characters that have a meaning in YAML, that a terminal or an editor changes, or that are at the edge of a range of
/// Unicode characters.
const CHARACTERS: [char; 40] = [
    'a',
    '0',
    ' ',
    '\n',
    '\t',
    '\r',
    ':',
    '#',
    '-',
    '?',
    '\'',
    '"',
    '\\',
    '|',
    '>',
    '%',
    '@',
    '`',
    '[',
    ']',
    '{',
    '}',
    ',',
    '&',
    '*',
    '!',
    '=',
    '~',
    '.',
    '_',
    '\0',
    '\u{7}',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    '\u{a0}',
    '\u{2028}',
    '\u{feff}',
    '\u{fffd}',
    '\u{10ffff}',
];

/// Returns every string of one to three [`CHARACTERS`], the [`WORDS`] in several spellings, and random strings of
/// different lengths.
fn strings() -> BTreeSet<String> {
    let mut all = BTreeSet::from([String::new()]);
    for one in CHARACTERS {
        for two in CHARACTERS {
            all.extend([String::from(one), [one, two].iter().collect()]);
            all.extend(CHARACTERS.map(|three| [one, two, three].iter().collect()));
        }
    }
    for word in WORDS {
        let capital = word[..1].to_uppercase() + &word[1..];
        for dress in [word.to_owned(), word.to_uppercase(), capital] {
            for edge in ["", " ", "\n", "'", "\"", ":", ": x", " #x", ",", "0"] {
                all.extend([dress.clone() + edge, format!("{edge}{dress}"), format!("a{edge}{dress}{edge}b")]);
            }
        }
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    while all.len() < 115_000 {
        let length = if random.below(50) == 0 { 200 } else { 6 };
        let length = random.below(length);
        let text = match random.below(4) {
            // Almost numbers.
            0 => (0..length).map(|_| random.pick(&["0", "1", "9", "-", "+", ".", "e", "E", "_", ":", "x"])).collect(),
            // Any character at all.
            1 => (0..length).filter_map(|_| char::from_u32(u32::try_from(random.below(0x11_0000)).unwrap())).collect(),
            // Lines, with blanks before and after.
            2 => {
                (0..length).map(|_| random.pick(&["line", " ", "  ", "\n", "\n\n", "- a", "a: b", "\t", "#"])).collect()
            }
            _ => (0..length).map(|_| CHARACTERS[random.below(CHARACTERS.len())]).collect::<String>(),
        };
        all.insert(text);
    }
    let words = "long ".repeat(20_000);
    all.extend([
        "a".repeat(100_000),
        words.clone(),
        "line\n".repeat(20_000),
        format!("{words}: # \t"),
        "ä😀".repeat(20_000),
    ]);
    all
}

/// Returns an object with the strings as list items, as values, and as keys where they are short enough for a key.
fn object(name: usize, strings: &[String]) -> Value {
    let keys = strings.iter().filter(|text| text.chars().count() <= 300);
    let keys: Map<String, Value> = keys.enumerate().map(|(index, text)| (text.clone(), index.into())).collect();
    let values: Map<String, Value> =
        strings.iter().enumerate().map(|(index, text)| (format!("k{index}"), text.clone().into())).collect();
    json!({
        "apiVersion": "v1", "kind": "Strings", "metadata": {"name": format!("s{name}")},
        "items-of-strings": strings, "nested": {"list": [{"values": values}]}, "keys": keys,
    })
}

#[test]
fn strings_come_back_equal_from_kubectl() {
    let strings: Vec<String> = strings().into_iter().collect();
    assert!(strings.len() > 100_000);
    let objects: Vec<Value> = strings.chunks(2_000).enumerate().map(|(name, chunk)| object(name, chunk)).collect();
    let folder = temporary();
    let file = folder.path().join("strings.yaml");
    std::fs::write(&file, opctl::test_api::yaml::documents(&objects)).unwrap();
    // With `--local`, kubectl reads the file as `kubectl apply` does, and contacts no server.
    let output = tool("kubectl")
        .args(["annotate", "--local", "-o", "json", "checked=yes", "-f"])
        .arg(&file)
        .env("KUBECONFIG", folder.path().join("none"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    let read: Vec<Value> = read.map(Result::unwrap).collect();
    assert_eq!(read.len(), objects.len());
    for (wrote, read) in objects.iter().zip(&read) {
        for key in ["items-of-strings", "nested", "keys"] {
            compare(&wrote[key], &read[key]);
        }
    }
}

/// Fails if two values differ. The message shows only the part that differs.
#[track_caller]
fn compare(wrote: &Value, read: &Value) {
    match (wrote, read) {
        (Value::Object(one), Value::Object(two)) if one.keys().eq(two.keys()) => {
            one.values().zip(two.values()).for_each(|(one, two)| compare(one, two));
        }
        (Value::Object(one), Value::Object(two)) => {
            let lost: Vec<&String> = one.keys().filter(|key| !two.contains_key(*key)).take(3).collect();
            panic!("keys are lost: {lost:?}");
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            one.iter().zip(two).for_each(|(one, two)| compare(one, two));
        }
        (Value::String(one), Value::String(two)) => {
            assert_eq!(one, two, "\n{}", opctl::test_api::yaml::document(wrote));
        }
        _ => assert_eq!(wrote, read),
    }
}
