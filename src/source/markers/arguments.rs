//! Parses and prints the arguments of markers, `key=value,key=a;b,key="quoted",key={a, b}`.

use super::error::MarkerError;
use super::marker_names::closest;
use crate::yaml::characters;
use serde_json::Value;
use std::fmt::Write as _;

/// An argument of a marker, as written in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) key: String,
    /// The column of the key.
    pub(crate) column: usize,
    /// The values, each with its column.
    pub(crate) values: Vec<(String, usize)>,
}

impl Argument {
    /// Returns the argument's values without their columns.
    pub(crate) fn list(&self) -> Vec<String> {
        self.values.iter().map(|(value, _)| value.clone()).collect()
    }

    /// Returns the argument's only value; fails if the argument has no value or several values.
    pub(crate) fn only_value(&self) -> Result<&str, MarkerError> {
        match self.values.as_slice() {
            [(value, _)] => Ok(value),
            _ => Err(self.wrong(format!("`{}` takes one value", self.key), format!("write `{}=..`", self.key))),
        }
    }

    /// Returns an error about this argument.
    pub(crate) fn wrong(&self, message: impl Into<String>, hint: impl Into<String>) -> MarkerError {
        MarkerError { column: self.column, message: message.into(), hint: hint.into() }
    }

    /// Returns an error at the first value that equals `value`, or at the argument if no value equals `value`.
    pub(crate) fn wrong_value(&self, value: &str, message: String, hint: String) -> MarkerError {
        let column = self.values.iter().find(|(other, _)| other == value).map_or(self.column, |(_, column)| *column);
        MarkerError { column, message, hint }
    }

    /// Fails if a value contains a character that is forbidden in manifests.
    fn check_characters(&self) -> Result<(), MarkerError> {
        self.values.iter().try_for_each(|(value, column)| {
            let found = value.chars().find(|one| characters::is_refused(*one));
            found.map_or(Ok(()), |one| Err(MarkerError { column: *column, ..self.unusable(one) }))
        })
    }

    /// Returns the error about a character that is forbidden in manifests.
    fn unusable(&self, one: char) -> MarkerError {
        let shown = characters::code_point(one);
        let message = format!("`{}` has the character {shown}, which kustomize and kubectl refuse or change", self.key);
        self.wrong(message, "remove the character")
    }

    /// Reads a value as JSON. The inner result is an error if the value is not valid JSON.
    ///
    /// # Errors
    /// Fails if the JSON contains, also as an escape, a character that is forbidden in manifests.
    pub(crate) fn json(&self, value: &str) -> Result<serde_json::Result<Value>, MarkerError> {
        let read = serde_json::from_str(value);
        let found = read.as_ref().ok().and_then(characters::refused_character);
        found.map_or(Ok(read), |one| Err(self.unusable(one)))
    }

    /// Returns the error for a key that is not in `known`.
    pub(crate) fn unknown_key_error(&self, known: &[&str]) -> MarkerError {
        let hint = closest(&self.key, known).map_or_else(
            || {
                let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                format!("the arguments are {}", names.join(", "))
            },
            |meant| format!("did you mean `{meant}`?"),
        );
        self.wrong(format!("unknown argument `{}`", self.key), hint)
    }
}

/// Reads the arguments in `text`; `column` is the column of the first argument.
pub(super) fn read(text: &str, column: usize) -> Result<Vec<Argument>, MarkerError> {
    let mut reader = Reader { rest: text, column };
    let mut arguments: Vec<Argument> = Vec::new();
    reader.blanks();
    while !reader.rest.is_empty() {
        let column = reader.column;
        let length = reader.rest.find(['=', ',']).unwrap_or(reader.rest.len());
        let key = reader.take(length).trim().to_owned();
        let argument = Argument { key, column, values: Vec::new() };
        let key = &argument.key;
        if !reader.eat('=') {
            return Err(argument.wrong(format!("`{key}` has no value"), format!("write `{key}=..`")));
        }
        if arguments.iter().any(|given| given.key == *key) {
            return Err(argument.wrong(
                format!("`{key}` is given twice"),
                format!("write the argument once; write a list as `{key}=a;b`"),
            ));
        }
        let values = reader.values()?;
        let argument = Argument { values, ..argument };
        argument.check_characters()?;
        arguments.push(argument);
        reader.blanks();
        if !reader.rest.is_empty() && !reader.eat(',') {
            let message = format!("expected `,` before `{}`", reader.rest);
            return Err(reader.wrong(message, "put `,` between arguments, and quotes around a value that contains `,`"));
        }
        reader.blanks();
    }
    Ok(arguments)
}

struct Reader<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.rest.starts_with(expected);
        if found {
            self.take(expected.len_utf8());
        }
        found
    }

    fn blanks(&mut self) {
        let length = self.rest.len() - self.rest.trim_start().len();
        self.take(length);
    }

    fn wrong(&self, message: impl Into<String>, hint: &str) -> MarkerError {
        MarkerError { column: self.column, message: message.into(), hint: hint.to_owned() }
    }

    /// Reads the values of an argument: `a;b`, `{a, b}`, or a single value.
    fn values(&mut self) -> Result<Vec<(String, usize)>, MarkerError> {
        self.blanks();
        let braces = self.eat('{');
        let mut values = Vec::new();
        loop {
            self.blanks();
            let column = self.column;
            values.extend(self.value(braces)?.map(|value| (value, column)));
            self.blanks();
            let more = if braces { self.eat(',') || self.eat(';') } else { self.eat(';') };
            if !more {
                break;
            }
        }
        if braces && !self.eat('}') {
            return Err(self.wrong("expected `}`", "write the list as `{a, b}` or `a;b`"));
        }
        Ok(values)
    }

    /// Reads one value; returns `None` if the value is missing, as in an empty list. `""` is an empty string. `braces`
    /// is true for a value inside of `{..}`, where a `}` also ends the value.
    fn value(&mut self, braces: bool) -> Result<Option<String>, MarkerError> {
        match self.rest.chars().next() {
            Some('"') => self.read_quoted().map(Some),
            Some('`') => {
                let Some(length) = self.rest[1..].find('`') else {
                    return Err(self.wrong("a \"`\" is missing", "end the value with \"`\""));
                };
                let text = self.take(length + 2);
                Ok(Some(text[1..=length].to_owned()))
            }
            _ => {
                let end: &[char] = if braces { &[',', ';', '}'] } else { &[',', ';'] };
                let length = self.rest.find(end).unwrap_or(self.rest.len());
                let text = self.take(length).trim();
                Ok((!text.is_empty()).then(|| text.to_owned()))
            }
        }
    }

    /// Reads a string in Go's syntax (The Go Programming Language Specification, "String literals").
    fn read_quoted(&mut self) -> Result<String, MarkerError> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((index, character)) = characters.next() {
            let escaped = match character {
                '"' => {
                    self.take(index + 1);
                    return Ok(text);
                }
                '\\' => characters.next().map(|(_, escaped)| escaped),
                other => {
                    text.push(other);
                    continue;
                }
            };
            let mut digits = |count: usize| {
                let digits: String = characters.by_ref().take(count).map(|(_, digit)| digit).collect();
                u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
            };
            let meant = match escaped {
                Some('n') => Some('\n'),
                Some('t') => Some('\t'),
                Some('r') => Some('\r'),
                Some(same @ ('"' | '\\' | '\'')) => Some(same),
                Some('x') => digits(2),
                Some('u') => digits(4),
                Some('U') => digits(8),
                _ => None,
            };
            let Some(meant) = meant else {
                self.take(index);
                return Err(
                    self.wrong("an unknown escape", "write `\\\\` for a backslash, or enclose the value in \"`\"")
                );
            };
            text.push(meant);
        }
        Err(self.wrong("a closing `\"` is missing", "end the value with `\"`"))
    }
}

/// A builder for the text of a marker. Parsing this text returns the same values.
pub(crate) struct Printer {
    text: String,
    separator: char,
}

impl Printer {
    /// Creates a printer for the marker `+opctl:name`.
    pub(crate) fn new(name: &str) -> Self {
        Printer { text: format!("+opctl:{name}"), separator: ':' }
    }

    /// Adds an argument with one value; an empty value is left out.
    pub(crate) fn one(self, key: &str, value: &str) -> Self {
        if value.is_empty() { self } else { self.list(key, &[value]) }
    }

    /// Adds an argument with a list of values; an empty list is left out.
    pub(crate) fn list(mut self, key: &str, values: &[impl AsRef<str>]) -> Self {
        for (index, value) in values.iter().enumerate() {
            if index == 0 {
                let _ = write!(self.text, "{}{key}=", self.separator);
                self.separator = ',';
            } else {
                self.text.push(';');
            }
            self.value(value.as_ref());
        }
        self
    }

    fn value(&mut self, value: &str) {
        let plain = |one: char| one.is_ascii_alphanumeric() || "-._/*".contains(one);
        if !value.is_empty() && value.chars().all(plain) {
            self.text.push_str(value);
            return;
        }
        self.text.push('"');
        for character in value.chars() {
            match character {
                '"' | '\\' => self.text.extend(['\\', character]),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                other => self.text.push(other),
            }
        }
        self.text.push('"');
    }

    /// Returns the text of the marker.
    pub(crate) fn text(self) -> String {
        self.text
    }
}
