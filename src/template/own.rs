//! Templates that a team adds. They may use only a part of Tera that cannot take long to render: values and
//! conditions, but no loops, calls, arguments, macros or inclusions.

use super::engine::engine;
use serde_json::Value;
use tera::Context;

/// The filters that a team's templates may use, none of them with arguments.
const FILTERS: [&str; 6] = ["capitalize", "lower", "title", "trim", "upper", "yaml"];
/// The keywords that an expression may contain in addition to the names of values and filters.
const WORDS: [&str; 5] = ["and", "false", "not", "or", "true"];
/// The opening and closing delimiters of values, statements and comments.
const TAGS: [(&str, &str); 3] = [("{[", "]}"), ("{%", "%}"), ("{#", "#}")];
/// The maximum nesting depth of conditions. Tera's parser recurses for each level and each word (see [`LONGEST`]).
const DEEPEST: usize = 16;
const LONGEST: usize = 64;

/// The reason why a template cannot be rendered.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line number of the tag in the template, starting at 1. Also 1 if Tera itself reports the error.
    pub line: usize,
    /// The text of the wrong tag, such as `{[ kind.nam ]}`. Only the opening delimiter if the closing one is missing,
    /// and empty if Tera itself reports the error.
    pub tag: String,
    /// The reason why the template cannot be rendered. A message shows the tag, a colon and this reason.
    pub reason: String,
}

/// Renders a template of a team. `values` maps each group of values to a map of texts and booleans.
///
/// # Errors
/// Fails at the first tag that uses a disallowed part of Tera, or that names a missing value.
pub fn render_own(text: &str, values: &Value) -> Result<String, Fault> {
    check(text, values)?;
    let whole = |error: tera::Error| Fault { line: 1, tag: String::new(), reason: error.to_string() };
    let context = Context::from_serialize(values).map_err(whole)?;
    engine().and_then(|tera| tera.render_str(text, &context, false)).map_err(whole)
}

fn check(text: &str, values: &Value) -> Result<(), Fault> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    while let Some((start, (opening, closing))) = next_tag(text, at) {
        let line = text[..start].matches('\n').count() + 1;
        let inside = &text[start + opening.len()..];
        let Some(length) = inside.find(closing) else {
            let reason = format!("the closing `{closing}` is missing");
            return Err(Fault { line, tag: opening.to_owned(), reason });
        };
        at = start + opening.len() + length + closing.len();
        let tag = &text[start..at];
        let fault = |reason: String| Fault { line, tag: tag.to_owned(), reason };
        let inside = inside[..length].trim_start_matches('-').trim_end_matches('-').trim();
        match opening {
            "{[" => expression(inside, values).map_err(fault)?,
            "{%" => {
                let (statement, rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
                match statement {
                    "if" | "elif" => expression(rest, values).map_err(fault)?,
                    "else" | "endif" if rest.is_empty() => {}
                    _ => {
                        return Err(fault(
                            "templates in `.opctl/templates` support only `if`, `elif`, `else` and `endif`".to_owned(),
                        ));
                    }
                }
                match (statement, open.len()) {
                    ("if", DEEPEST) => {
                        return Err(fault(format!("conditions are nested more deeply than {DEEPEST} levels")));
                    }
                    ("if", _) => open.push((line, tag)),
                    (_, 0) => return Err(fault("the `if` before the tag is missing".to_owned())),
                    ("endif", _) => drop(open.pop()),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    match open.pop() {
        Some((line, tag)) => Err(Fault { line, tag: tag.to_owned(), reason: "its `endif` is missing".to_owned() }),
        None => Ok(()),
    }
}

/// Returns the position of the first tag at or after the position `from`, and the tag's opening and closing delimiters.
/// Returns `None` if no tag follows.
fn next_tag(text: &str, from: usize) -> Option<(usize, (&'static str, &'static str))> {
    let found = TAGS.into_iter().filter_map(|tag| Some((from + text[from..].find(tag.0)?, tag)));
    found.min_by_key(|(start, _)| *start)
}

/// Checks each word in `text`, the expression of a template tag. The expression is a value or a condition. The error
/// names the wrong word and the reason.
fn expression(text: &str, values: &Value) -> Result<(), String> {
    let (mut rest, mut count, mut is_filter) = (text.trim_start(), 0, false);
    while let Some(first) = rest.chars().next() {
        let is_name = |character: char| character.is_ascii_alphanumeric() || "_.".contains(character);
        let length = match first {
            '|' => 1,
            '=' | '!' if rest[1..].starts_with('=') => 2,
            '"' => 2 + rest[1..].find('"').ok_or("the closing `\"` is missing")?,
            _ if is_name(first) => rest.find(|character| !is_name(character)).unwrap_or(rest.len()),
            other => return Err(format!("`{other}` is not allowed in the tag")),
        };
        let word = &rest[..length];
        match first {
            '"' if word.contains(['\\', '{', '}', '[', ']']) => {
                return Err(format!("`{word}` has a brace, a bracket or a backslash in it"));
            }
            _ if is_name(first) => name(word, is_filter, values)?,
            _ => {}
        }
        is_filter = first == '|';
        rest = rest[length..].trim_start();
        count += 1;
        if count > LONGEST {
            return Err(format!("it has more than {LONGEST} words"));
        }
    }
    if count == 0 { Err("it is empty".to_owned()) } else { Ok(()) }
}

/// Checks that `word` is the name of a filter if `is_filter` is true, and otherwise the name of a value.
fn name(word: &str, is_filter: bool, values: &Value) -> Result<(), String> {
    if is_filter {
        let known = FILTERS.contains(&word);
        return if known { Ok(()) } else { Err(format!("`{word}` is not a filter: `{}`", FILTERS.join("`, `"))) };
    }
    let found = values.pointer(&format!("/{}", word.replace('.', "/")));
    if WORDS.contains(&word) || found.is_some_and(|value| !value.is_object()) {
        return Ok(());
    }
    Err(format!("`{word}` is not a value of this template; the values are `{}`", names(values).join("`, `")))
}

/// Returns the names of all values, such as `kind.name`.
fn names(values: &Value) -> Vec<String> {
    let groups = values.as_object().into_iter().flatten();
    let named = groups.flat_map(|(group, inner)| {
        inner.as_object().into_iter().flatten().map(move |(name, _)| format!("{group}.{name}"))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rendered(text: &str) -> Result<String, (usize, String)> {
        let values = json!({"kind": {"name": "WebServer", "namespaced": true}, "project": {"repo": "", "name": "on"}});
        render_own(text, &values).map_err(|fault| (fault.line, fault.reason))
    }

    #[test]
    fn values_and_conditions_are_rendered() {
        for (text, expected) in [
            ("", ""),
            ("${{ github.token }} {{ .Values.x }}", "${{ github.token }} {{ .Values.x }}"),
            ("{[ kind.name ]}/{[kind.name|lower]}", "WebServer/webserver"),
            ("name: {[ project.name | yaml ]}", "name: \"on\""),
            ("{% if project.repo %}a{% else %}b{% endif %}", "b"),
            ("{%- if kind.name == \"WebServer\" and not project.repo -%} a {%- endif -%}", "a"),
            ("a{# a note #}b", "ab"),
        ] {
            assert_eq!(rendered(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_line() {
        let deep = "{% if kind.name %}".repeat(17);
        let long = format!("{{[ {} ]}}", "kind.name ".repeat(65));
        for (text, line, reason) in [
            (
                "\n{[ kind.nam ]}",
                2,
                "`kind.nam` is not a value of this template; the values are `kind.name`, `kind.namespaced`, `project.name`, `project.repo`",
            ),
            ("{[ kind ]}", 1, "`kind` is not a value of this template"),
            ("{[ kind.name | repeat ]}", 1, "`repeat` is not a filter: `capitalize`"),
            ("{[ kind.name | indent(width=100000000) ]}", 1, "`indent` is not a filter"),
            (
                "{% for one in range(end=1000000000) %}{% endfor %}",
                1,
                "templates in `.opctl/templates` support only `if`, `elif`, `else` and `endif`",
            ),
            ("{% include \"a\" %}", 1, "templates in `.opctl/templates` support only `if`"),
            ("{[ range(end=1000000000) ]}", 1, "`range` is not a value of this template"),
            ("{[ \"a\" ~ \"b\" ]}", 1, "`~` is not allowed in the tag"),
            ("{[ kind.name * 3 ]}", 1, "`*` is not allowed in the tag"),
            ("{[ kind[\"name\"] ]}", 1, "`kind` is not a value of this template"),
            ("{[ ]}", 1, "it is empty"),
            ("{[ \"a ]}", 1, "the closing `\"` is missing"),
            ("{[ \"{{\" ]}", 1, "`\"{{\"` has a brace"),
            ("a\nb {[ kind.name", 2, "the closing `]}` is missing"),
            ("{% if kind.name %}", 1, "its `endif` is missing"),
            ("{% endif %}", 1, "the `if` before the tag is missing"),
            ("{% elif kind.name %}", 1, "the `if` before the tag is missing"),
            (&deep, 1, "conditions are nested more deeply than 16 levels"),
            (&long, 1, "it has more than 64 words"),
            ("{[ é ]}", 1, "`é` is not allowed in the tag"),
        ] {
            let (found_line, found) = rendered(text).expect_err(text);
            assert!(found_line == line && found.starts_with(reason), "{text}: line {found_line}: {found}");
        }
    }
}
