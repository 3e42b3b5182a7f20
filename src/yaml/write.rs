//! Writes YAML as controller-gen does: with go-yaml's key order, indentation, quoting and folding at 80 columns.
//!
//! serde-saphyr, with which opctl reads YAML, cannot write YAML in this form: it indents lists below their key, or
//! folds long lines with `>`, and it does not sort keys. This module follows the emitter of go-yaml (go.yaml.in/yaml/v2
//! `emitterc.go`), which writes kubebuilder's files. If a file of opctl and a file of kubebuilder have the same
//! content, their diff is therefore empty.

use super::order;
use super::scalar::{self, Style};
use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

/// The column after which a line is folded at the next space.
const WIDTH: usize = 80;

/// Writes documents one after the other, each after a `---` line.
pub fn documents<'a>(values: impl IntoIterator<Item = &'a Value>) -> String {
    let mut text = String::new();
    for value in values {
        text.push_str("---\n");
        text.push_str(&document(value));
    }
    text
}

/// Writes one document, without a leading `---`.
pub fn document(value: &Value) -> String {
    let mut writer = Writer::default();
    match value {
        Value::Object(map) if !map.is_empty() => writer.mapping(map, 0),
        Value::Array(items) if !items.is_empty() => writer.sequence(items, 0),
        other => {
            writer.leaf(other, 0);
            writer.end_line();
        }
    }
    writer.text
}

#[derive(Default)]
struct Writer {
    text: String,
    column: usize,
}

impl Writer {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    fn fill(&mut self, indent: usize) {
        while self.column < indent {
            self.put(" ");
        }
    }

    /// Writes a mapping with its keys at `indent`; the cursor must be at `indent` or at the start of a line.
    fn mapping(&mut self, map: &Map<String, Value>, indent: usize) {
        for key in order::sort_keys(map.keys()) {
            self.fill(indent);
            // Longer keys need the explicit form (`yaml_emitter_check_simple_key`).
            if key.len() > 128 {
                self.put("? ");
                self.string(key, indent + 2, true);
                self.end_line();
                self.fill(indent);
            } else {
                self.string(key, usize::MAX, true);
            }
            self.put(":");
            match &map[key] {
                Value::Object(map) if !map.is_empty() => {
                    self.end_line();
                    self.mapping(map, indent + 2);
                }
                Value::Array(items) if !items.is_empty() => {
                    self.end_line();
                    self.sequence(items, indent);
                }
                leaf => {
                    self.put(" ");
                    self.leaf(leaf, indent + 2);
                    self.end_line();
                }
            }
        }
    }

    fn sequence(&mut self, items: &[Value], indent: usize) {
        for item in items {
            self.fill(indent);
            self.put("- ");
            match item {
                Value::Object(map) if !map.is_empty() => self.mapping(map, indent + 2),
                Value::Array(items) if !items.is_empty() => self.sequence(items, indent + 2),
                leaf => {
                    self.leaf(leaf, indent + 2);
                    self.end_line();
                }
            }
        }
    }

    /// Writes a scalar or an empty collection; continuation lines are indented by `indent`.
    fn leaf(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.put("null"),
            Value::Bool(value) => self.put(if *value { "true" } else { "false" }),
            Value::Number(number) => self.put(&number_text(number)),
            Value::String(text) => self.string(text, indent, false),
            Value::Array(_) => self.put("[]"),
            Value::Object(_) => self.put("{}"),
        }
    }

    /// Writes a string; folded lines are indented by `indent`, and keys are never folded.
    fn string(&mut self, text: &str, indent: usize, key: bool) {
        let fold = (!key).then_some(indent);
        match scalar::style(text, key) {
            Style::Plain => {
                self.put_folded(text, fold, |writer, character| writer.put(character.encode_utf8(&mut [0; 4])));
            }
            Style::Single => {
                self.put("'");
                self.put_folded(text, fold, |writer, character| match character {
                    '\'' => writer.put("''"),
                    other => writer.put(other.encode_utf8(&mut [0; 4])),
                });
                self.put("'");
            }
            Style::Double => {
                self.put("\"");
                self.double(text, fold);
                self.put("\"");
            }
            Style::Literal => self.literal(text, indent),
        }
    }

    /// Writes plain or single-quoted text. If `fold` is given, a single space beyond the maximum width becomes a line
    /// break, and the next line is indented by `fold`. If `fold` is `None`, the text is not folded.
    fn put_folded(&mut self, text: &str, fold: Option<usize>, put: impl Fn(&mut Self, char)) {
        let mut characters = text.chars().enumerate().peekable();
        let mut after_blank = false;
        while let Some((index, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            match fold {
                Some(indent)
                    if character == ' '
                        && !after_blank
                        && self.column > WIDTH
                        && index > 0
                        && next.is_some_and(|next| next != ' ') =>
                {
                    self.end_line();
                    self.fill(indent);
                }
                _ => put(self, character),
            }
            after_blank = character == ' ';
        }
    }

    fn double(&mut self, text: &str, fold: Option<usize>) {
        let mut characters = text.chars().enumerate().peekable();
        let mut after_blank = false;
        while let Some((index, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            match (character, fold) {
                (' ', Some(indent)) if !after_blank && self.column > WIDTH && index > 0 && next.is_some() => {
                    self.end_line();
                    self.fill(indent);
                    if next == Some(' ') {
                        self.put("\\");
                    }
                }
                _ => self.put_escaped(character),
            }
            after_blank = character == ' ';
        }
    }

    fn put_escaped(&mut self, character: char) {
        let short = match character {
            '\0' => "\\0",
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\u{b}' => "\\v",
            '\u{c}' => "\\f",
            '\r' => "\\r",
            '\u{1b}' => "\\e",
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{85}' => "\\N",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            other if scalar::printable(other) => return self.put(other.encode_utf8(&mut [0; 4])),
            other => {
                let mut text = String::new();
                // Writing to a string cannot fail.
                let _ = match u32::from(other) {
                    code @ 0..=0xff => write!(text, "\\x{code:02X}"),
                    code @ 0x100..=0xffff => write!(text, "\\u{code:04X}"),
                    code => write!(text, "\\U{code:08X}"),
                };
                return self.put(&text);
            }
        };
        self.put(short);
    }

    fn literal(&mut self, text: &str, indent: usize) {
        let (body, hint) = match text.strip_suffix('\n') {
            Some(body) => (body, "|"),
            None => (text, "|-"),
        };
        self.put(hint);
        for line in body.split('\n') {
            self.end_line();
            if !line.is_empty() {
                self.fill(indent);
                self.put(line);
            }
        }
    }
}

/// Formats a number as Go's `strconv.FormatFloat(f, 'g', -1, 64)` does.
fn number_text(number: &Number) -> String {
    let Some(value) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..=20) if exponent < 6 || value.fract() != 0.0 => value.to_string(),
        Ok(exponent) => format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()),
        Err(_) => scientific,
    }
}
