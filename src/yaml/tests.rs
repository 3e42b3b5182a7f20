use super::{document, documents};
use serde_json::{Value, json};

#[test]
fn the_form_is_that_of_controller_gen() {
    let value = json!({
        "b": {"list": ["a", {"x": 1, "z": [2]}, [3, [4]], {}], "empty": {}, "none": []},
        "a": null, "c": true, "d": 1.5, "e": "two\nlines\n\nand a blank one", "f": "yes",
        "description": "Condition contains details for one aspect of the current state of this API Resource and more.",
        "pattern": "^(a|b): 'c' [0-9]+ and something that is long enough to be folded at the eightieth column",
    });
    let expected = r#"a: null
b:
  empty: {}
  list:
  - a
  - x: 1
    z:
    - 2
  - - 3
    - - 4
  - {}
  none: []
c: true
d: 1.5
description: Condition contains details for one aspect of the current state of this
  API Resource and more.
e: |-
  two
  lines

  and a blank one
f: "yes"
pattern: '^(a|b): ''c'' [0-9]+ and something that is long enough to be folded at the
  eightieth column'
"#;
    assert_eq!(document(&value), expected);
}

#[test]
fn documents_begin_with_three_dashes() {
    assert_eq!(documents([&json!({"a": 1}), &json!({"a": 2})]), "---\na: 1\n---\na: 2\n");
}

#[test]
fn floats_are_written_as_go_writes_them() {
    for (value, text) in [(0.5, "0.5"), (1e300, "1e+300"), (1e-7, "1e-07"), (123_456.75, "123456.75"), (1e6, "1e+06")] {
        assert_eq!(document(&json!(value)), format!("{text}\n"));
    }
}

/// A generator of pseudo-random strings that YAML readers often read wrongly. It uses the xorshift algorithm with a
/// given state, so that a failure can be reproduced.
struct Nasty(u64);

impl Nasty {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap_or(0)
    }

    fn string(&mut self) -> String {
        const PIECES: [&str; 60] = [
            "a",
            "b",
            "word",
            " ",
            "  ",
            "\n",
            "\n\n",
            ":",
            ": ",
            "#",
            " #",
            "-",
            "- ",
            "?",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "&",
            "*",
            "!",
            "|",
            ">",
            "'",
            "\"",
            "%",
            "@",
            "`",
            "\t",
            "\r",
            "\\",
            "/",
            "0",
            "1",
            "0x",
            "0o7",
            ".",
            "e5",
            "_",
            "+",
            "yes",
            "No",
            "on",
            "y",
            "null",
            "~",
            "true",
            "2024-01-02",
            "12:30",
            ".inf",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "ä",
            "漢",
            "😀",
            "---",
            "...",
        ];
        let most = if self.next(20) == 0 { 60 } else { 5 };
        let length = self.next(most);
        (0..length).map(|_| PIECES[self.next(PIECES.len())]).collect()
    }
}

#[test]
fn every_string_reads_back_equal() {
    let mut nasty = Nasty(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let (one, two, three) = (nasty.string(), nasty.string(), nasty.string());
        let value =
            json!({ "m": {one.clone(): two.clone()}, "l": [one, {"k": three.clone()}, [two]], "n": {"o": three}});
        let text = document(&value);
        let back: Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}\n{value:?}"));
        assert_eq!(back, value, "{text}");
    }
}
