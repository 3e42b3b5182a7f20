//! The path of a field: the objects that contain it, and its own name.

use super::bounds::{Bounds, arguments, lengths};
use crate::model::names::is_foreign_letter;
use crate::model::reserved::is_keyword;
use crate::model::shorten_input;
use heck::{ToLowerCamelCase, ToSnakeCase};

/// The maximum number of names in a path: deeper types are easier to write in Rust.
const MOST_NAMES: usize = 8;

/// An object that contains a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Parent {
    /// The text that the user wrote for the object in a path such as `ports[].number`: the name with its suffix `[]`,
    /// `{}` or `?`, without the dot that follows, such as `ports[]`.
    pub text: String,
    /// The name in JSON.
    pub name: String,
    /// The name in Rust.
    pub rust_name: String,
    /// True if the name of the generated type contains the singular of the object's name, such as `Port` for `ports`.
    pub(super) singular: bool,
    /// The form of the value under the name: one object, a list of objects or a map of objects.
    pub holds: Cardinality,
    /// True if users may leave the object out.
    pub optional: bool,
}

/// The form of the value under an object's name: one object, a list of objects or a map of objects.
#[derive(Clone, Debug, PartialEq)]
pub enum Cardinality {
    /// A single object.
    One,
    /// A list of objects, with the bounds of the list's length.
    List(Bounds),
    /// A map from names to objects.
    Map,
}

/// The rule that a path breaks, and the field that the user may have meant.
pub(super) type PathError = (String, String);

/// Parses a path such as `a.b`. Returns the objects that contain the field, outermost first, and the field's name. Each
/// name except the last may be followed by `[]`, `[](1..=9)` or `{}`, and then by `?`. `of_type` is the text of the
/// field's type, for error messages.
pub(super) fn read<'a>(path: &'a str, of_type: &str) -> Result<(Vec<Parent>, &'a str), PathError> {
    let (mut parents, mut rest) = (Vec::new(), path);
    let refuse = |rule: String| (rule, format!("{}:{of_type}", nearest(path)));
    while let Some(end) = rest.find(['.', '[', '{', '?']) {
        let (name, after) = rest.split_at(end);
        check(name, path).map_err(refuse)?;
        let (holds, after) = split_cardinality(after).map_err(refuse)?;
        let (optional, after) = after.strip_prefix('?').map_or((false, after), |after| (true, after));
        let text = &rest[..rest.len() - after.len()];
        rest = match after.strip_prefix('.') {
            Some(rest) => rest,
            None if after.is_empty() => {
                return Err(misplaced_suffix_error(text, &holds, &path[..path.len() - rest.len()], of_type));
            }
            None => {
                return Err(refuse(format!(
                    "after the name `{name}`, `{}` is not `[]`, `{{}}`, `?` or `.`",
                    shorten_input(&rest[end..])
                )));
            }
        };
        let (name, rust_name) = names(name);
        let singular = holds != Cardinality::One;
        parents.push(Parent { text: text.to_owned(), name, rust_name, singular, holds, optional });
    }
    check(rest, path).map_err(refuse)?;
    if parents.len() >= MOST_NAMES {
        let count = parents.len() + 1;
        return Err(refuse(format!(
            "the path has {count} names, but at most {MOST_NAMES} are allowed: write deeper types in Rust"
        )));
    }
    Ok((parents, rest))
}

fn split_cardinality(text: &str) -> Result<(Cardinality, &str), String> {
    if let Some(rest) = text.strip_prefix("[]") {
        let (given, rest) = arguments(rest)?;
        return Ok((Cardinality::List(lengths(given)?), rest));
    }
    if text.starts_with('[') {
        return Err("a list of objects is written `NAME[].FIELD`".to_owned());
    }
    if let Some(rest) = text.strip_prefix("{}") {
        return Ok((Cardinality::Map, rest));
    }
    if text.starts_with('{') {
        return Err("a map of objects is written `NAME{}.FIELD`".to_owned());
    }
    Ok((Cardinality::One, text))
}

/// Returns the error for a suffix `[]`, `{}` or `?` after the last name of a path. Such a suffix is only for objects,
/// which are the names before the last one; if the field itself is a list, a map or optional, the field's type says so.
fn misplaced_suffix_error(text: &str, holds: &Cardinality, before: &str, of_type: &str) -> PathError {
    let end = text.find(['[', '{', '?']).unwrap_or(text.len());
    let (name, behind) = text.split_at(end);
    let (of_type, default) = of_type.split_once('=').map_or((of_type, None), |(of_type, value)| (of_type, Some(value)));
    let bare = of_type.trim_end_matches('?');
    let may_be_left_out = behind.ends_with('?') || bare != of_type;
    let (of_type, what) = match holds {
        Cardinality::One => (bare.to_owned(), "an optional field has the `?` after its type"),
        Cardinality::List(_) => {
            let inner = bare.trim_start_matches('[').trim_end_matches(']');
            (format!("[{inner}]"), "a list of values is `NAME:[TYPE]`, and `[]` is for a list of objects")
        }
        Cardinality::Map => ("map".to_owned(), "a map of strings is `NAME:map`, and `{}` is for a map of objects"),
    };
    let optional = match default {
        Some(default) if *holds != Cardinality::Map => format!("={default}"),
        None if may_be_left_out => "?".to_owned(),
        _ => String::new(),
    };
    (format!("`{behind}` must not follow the last name: {what}"), format!("{before}{name}:{of_type}{optional}"))
}

fn check(name: &str, path: &str) -> Result<(), String> {
    if name.is_empty() && path.contains('.') {
        return Err(format!("the path `{}` has an empty part", shorten_input(path)));
    }
    let plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && name.len() <= 63;
    if !plain || name.contains("__") || name.ends_with('_') {
        let name = shorten_input(name);
        return Err(format!("the name `{name}` must be camelCase or snake_case, with at most 63 letters and digits"));
    }
    Ok(())
}

/// Returns the JSON name and the Rust name for the given name.
pub(super) fn names(given: &str) -> (String, String) {
    let rust_name = given.to_snake_case();
    let name = if given.contains('_') { rust_name.to_lower_camel_case() } else { given.to_owned() };
    (name, if is_keyword(&rust_name) { format!("{rust_name}_") } else { rust_name })
}

/// Returns a valid path similar to `path`, as a suggestion for an error. The path keeps the names and the suffixes
/// `[]`, `{}` and `?` if they are valid, but not the bounds of a list's length.
fn nearest(path: &str) -> String {
    let mut without_lengths = String::new();
    for (number, part) in path.split('(').enumerate() {
        let kept = if number == 0 { part } else { part.split_once(')').map_or("", |(_, behind)| behind) };
        without_lengths.push_str(kept);
    }
    let parts: Vec<&str> = without_lengths.split('.').filter(|part| !part.is_empty()).take(MOST_NAMES).collect();
    let last = parts.len().saturating_sub(1);
    let part = |(number, part): (usize, &&str)| {
        let (name, behind) = part.split_at(part.find(['[', '{', '?']).unwrap_or(part.len()));
        let several = [('[', "[]"), ('{', "{}")].into_iter().find(|(open, _)| behind.starts_with(*open));
        let several = several.map_or("", |(_, several)| several);
        let optional = if behind.ends_with('?') { "?" } else { "" };
        let name = nearest_name(name);
        if number == last { name } else { format!("{name}{several}{optional}") }
    };
    let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
    if parts.is_empty() { nearest_name("") } else { parts.join(".") }
}

fn nearest_name(given: &str) -> String {
    let near = given.to_lower_camel_case();
    let near = if given.chars().any(is_foreign_letter) { "" } else { near.as_str() };
    let near: String = near.chars().filter(char::is_ascii_alphanumeric).take(63).collect();
    let near = near.trim_start_matches(|first: char| !first.is_ascii_lowercase());
    if near.is_empty() { "size".to_owned() } else { near.to_owned() }
}
