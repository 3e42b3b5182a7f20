//! The parser of fields, and its errors.

use super::bounds::{arguments, bounds, integers, lengths};
use super::{Field, Scalar, Shape, path};
use crate::model::names::invalid;
use crate::model::{InvalidName, most_like};
use serde_json::{Map, Value, json};

fn types() -> String {
    let [first @ .., last] = Field::TYPES;
    format!("{} and {last}", first.join(", "))
}

impl Field {
    /// The names of the field types, for error messages.
    pub const TYPES: [&'static str; 10] =
        ["string", "integer", "int64", "number", "boolean", "quantity", "duration", "map", "`[TYPE]`", "`enum(a|b)`"];

    /// Parses a field, written as `path:type[?][=default]`.
    ///
    /// # Errors
    /// Fails if the text breaks the grammar, the name is invalid, the bounds allow no value, or the default does not
    /// fit the type.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let refuse = |rule: String, example: &str| invalid("field", text, rule, Some(example.to_owned()));
        let Some((given, rest)) = text.split_once(':') else {
            return Err(refuse(
                "it must be `NAME:TYPE`, such as `replicas:integer`".to_owned(),
                &format!("{text}:string"),
            ));
        };
        let (parents, own) = path::read(given, rest).map_err(|(rule, near)| refuse(rule, &near))?;
        let (name, rust_name) = path::names(own);

        let (shape, rest) = shape(rest).map_err(|rule| {
            let meant = with_known_type(rest).map(|rest| format!("{given}:{rest}"));
            let meant = meant.filter(|meant| Self::parse(meant).is_ok());
            refuse(rule, &meant.unwrap_or_else(|| format!("{given}:{}", nearest_type(rest))))
        })?;
        let (optional, rest) = rest.strip_prefix('?').map_or((false, rest), |rest| (true, rest));
        let default = match rest.strip_prefix('=') {
            None if rest.is_empty() => None,
            None => {
                let end = text.len() - rest.len();
                let rule = format!("after the type, `{rest}` is neither `?` nor `=DEFAULT`");
                return Err(refuse(rule, &text[..end]));
            }
            Some(_) if optional => {
                let rule = "a field with a default is never missing: leave out the `?`".to_owned();
                return Err(refuse(rule, &text.replacen("?=", "=", 1)));
            }
            Some(default) => Some(value(&shape, default).map_err(|rule| {
                let end = text.len() - default.len() - 1;
                refuse(rule, &text[..end])
            })?),
        };
        let singular = matches!(shape, Shape::List(..));
        Ok(Field { text: text.to_owned(), parents, name, rust_name, singular, shape, optional, default })
    }
}

/// Parses the type at the beginning of `text`. Returns the type and the remaining text.
fn shape(text: &str) -> Result<(Shape, &str), String> {
    if let Some(rest) = text.strip_prefix('[') {
        if rest.starts_with('[') {
            return Err("a list holds scalars, not other lists".to_owned());
        }
        let (inner, rest) = rest.split_once(']').ok_or("a `]` is missing")?;
        let (scalar, after) = scalar(inner)?;
        if !after.is_empty() {
            return Err(format!("within `[..]`, `{after}` does not belong to the type"));
        }
        let (bounds, rest) = arguments(rest)?;
        return Ok((Shape::List(scalar, lengths(bounds)?), rest));
    }
    if let Some(rest) = text.strip_prefix("map")
        && !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '(')
    {
        return Ok((Shape::Map, rest));
    }
    let (scalar, rest) = scalar(text)?;
    Ok((Shape::One(scalar), rest))
}

fn scalar(text: &str) -> Result<(Scalar, &str), String> {
    let end = text.find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if word.is_empty() {
        return Err(format!("the type is missing; the valid types are {}", types()));
    }
    let (given, rest) = arguments(rest)?;
    let plain = |scalar| given.map_or(Ok(scalar), |given| Err(format!("`{word}` takes no `({given})`")));
    let scalar = match word {
        "string" => Scalar::String(lengths(given)?),
        "integer" | "int32" => {
            Scalar::Integer { wide: false, bounds: integers(given, i32::MIN.into(), i32::MAX.into())? }
        }
        "int64" => Scalar::Integer { wide: true, bounds: integers(given, i64::MIN, i64::MAX)? },
        "number" => Scalar::Number(bounds(given, &|bound| {
            bound.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| format!("{number:?}"))
        })?),
        "boolean" => plain(Scalar::Boolean)?,
        "quantity" => plain(Scalar::Quantity)?,
        "duration" => plain(Scalar::Duration)?,
        "enum" => Scalar::Enum(enum_values(given.ok_or("`enum` needs its values, such as `enum(small|large)`")?)?),
        _ => return Err(format!("`{word}` is not a type; the valid types are {}", types())),
    };
    Ok((scalar, rest))
}

/// Returns `text` with the correct name of the type in place of a misspelt name, or in place of a name from another
/// language, such as `integer` in place of `i32`.
fn with_known_type(text: &str) -> Option<String> {
    let start = usize::from(text.starts_with('['));
    let length = text[start..].find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(text.len() - start);
    let word = &text[start..start + length];
    let known = || Field::TYPES.into_iter().filter(|name| name.chars().all(|one| one.is_ascii_alphanumeric()));
    let meant = match word.to_ascii_lowercase().as_str() {
        _ if word == "int32" || known().any(|name| name == word) => return None,
        "int" | "i16" | "i32" | "u8" | "u16" => "integer",
        "i64" | "u32" | "u64" | "usize" | "long" => "int64",
        "f32" | "f64" | "float" | "float64" | "double" => "number",
        "bool" => "boolean",
        "str" | "text" => "string",
        "object" | "dict" | "hashmap" | "btreemap" => "map",
        lower => most_like(lower, known())?,
    };
    Some(format!("{}{meant}{}", &text[..start], &text[start + length..]))
}

/// Returns a valid type that the user may have meant, as a suggestion for an error. The first choice is the given type
/// with its bounds, which are swapped if the minimum is larger than the maximum. If this type is not valid, the choice
/// is the given type without bounds, or `string` as a last resort.
fn nearest_type(text: &str) -> String {
    let (open, close, rest) = match text.trim_start_matches('[') {
        rest if rest.len() < text.len() => ("[", "]", rest),
        rest => ("", "", rest),
    };
    let end = rest.find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    let given = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(given, _)| given);
    let ordered = given.and_then(|given| given.split_once("..")).map(|(one, other)| {
        let other = other.trim_start_matches('=');
        let swapped = one.parse::<f64>().ok().zip(other.parse::<f64>().ok()).is_some_and(|(one, other)| one > other);
        let (min, max) = if swapped { (other, one) } else { (one, other) };
        format!("{open}{word}({min}..={max}){close}")
    });
    let mut candidates = ordered.into_iter().chain([format!("{open}{word}{close}"), "string".to_owned()]);
    candidates.find(|candidate| matches!(shape(candidate), Ok((_, "")))).unwrap_or_default()
}

fn enum_values(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = text.split('|').map(str::to_owned).collect();
    let mut variants: Vec<String> = Vec::new();
    for word in &words {
        let plain = word.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character));
        if !plain || !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(format!("`{word}` must consist of letters, digits, `-`, `_` and `.`, and begin with a letter"));
        }
        let variant = super::super::variant_name(word);
        if variants.contains(&variant) {
            return Err(format!("two of its values would become the same Rust variant, `{variant}`"));
        }
        variants.push(variant);
    }
    Ok(words)
}

fn value(shape: &Shape, text: &str) -> Result<Value, String> {
    match shape {
        Shape::One(one) => scalar_value(one, text),
        Shape::List(one, bounds) => {
            let items = text.split(',').filter(|item| !item.is_empty()).map(|item| scalar_value(one, item));
            let items = items.collect::<Result<Vec<_>, _>>()?;
            let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
            if bounds.hold(count.into()) {
                Ok(json!(items))
            } else {
                Err(format!("the default has {count} items, which is out of bounds"))
            }
        }
        Shape::Map => {
            let mut map = Map::new();
            for entry in text.split(',').filter(|entry| !entry.is_empty()) {
                let (key, value) = entry.split_once('=').ok_or_else(|| format!("`{entry}` must be `KEY=VALUE`"))?;
                map.insert(key.to_owned(), json!(value));
            }
            Ok(Value::Object(map))
        }
    }
}

fn scalar_value(scalar: &Scalar, text: &str) -> Result<Value, String> {
    let fits = match scalar {
        Scalar::String(bounds) => {
            let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            bounds.hold(length.into()).then(|| json!(text))
        }
        Scalar::Integer { wide, bounds } => {
            let number = text.parse::<i64>().ok().filter(|number| *wide || i32::try_from(*number).is_ok());
            number.filter(|_| text.parse().is_ok_and(|number| bounds.hold(number))).map(|number| json!(number))
        }
        Scalar::Number(bounds) => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && bounds.hold(*number));
            number.map(|number| json!(number))
        }
        Scalar::Boolean => text.parse::<bool>().ok().map(|value| json!(value)),
        Scalar::Quantity => is_quantity(text).then(|| json!(text)),
        Scalar::Duration => crate::duration::parse(text)
            .and_then(|_| text.parse::<kube::core::Duration>().ok())
            .map(|duration| json!(duration.to_string())),
        Scalar::Enum(words) => words.iter().any(|word| word == text).then(|| json!(text)),
    };
    fits.ok_or_else(|| format!("the default `{text}` does not fit its type"))
}

/// Returns true if `text` is a quantity: digits, optionally with a fraction, and a suffix
/// (<https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/>).
fn is_quantity(text: &str) -> bool {
    let end = text.find(|next: char| !(next.is_ascii_digit() || next == '.')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let suffixes = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    number.parse::<f64>().is_ok()
        && number.starts_with(|first: char| first.is_ascii_digit())
        && suffixes.contains(&suffix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_that_is_named_can_be_read() {
        for name in Field::TYPES {
            let text = format!("a:{}", name.trim_matches('`').replace("TYPE", "string"));
            assert!(Field::parse(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn fields_are_read() {
        for (text, name, rust_name, default, sample) in [
            ("replicas:integer(0..=9)=3", "replicas", "replicas", json!(3), json!(3)),
            ("type:string", "type", "type_", Value::Null, json!("example")),
            ("clusterIP:string(1..=3)?", "clusterIP", "cluster_ip", Value::Null, json!("exa")),
            ("time_out:duration=1m30s", "timeOut", "time_out", json!("90s"), json!("90s")),
            ("size:quantity=1Gi", "size", "size", json!("1Gi"), json!("1Gi")),
            ("mode:enum(a|b-c)=b-c", "mode", "mode", json!("b-c"), json!("b-c")),
            ("tags:[string](2..)", "tags", "tags", Value::Null, json!(["example", "example"])),
            ("ports:[integer(1..=65535)]=80,443", "ports", "ports", json!([80, 443]), json!([80, 443])),
            ("labels:map=a=b", "labels", "labels", json!({"a": "b"}), json!({"a": "b"})),
            ("share:number(..=0.2)", "share", "share", Value::Null, json!(0.2)),
            ("big:int64(5000000000..)", "big", "big", Value::Null, json!(5_000_000_000_i64)),
        ] {
            let field = Field::parse(text).expect(text);
            assert_eq!((field.name.as_str(), field.rust_name.as_str()), (name, rust_name), "{text}");
            assert_eq!((field.default.clone().unwrap_or_default(), field.sample()), (default, sample), "{text}");
        }
    }

    #[test]
    fn invalid_fields_come_with_a_valid_suggestion() {
        for (text, suggestion) in [
            ("replicas", "replicas:string"),
            ("Replicas:integer", "replicas:integer"),
            ("a-b:string", "aB:string"),
            ("a:text", "a:string"),
            ("size:int", "size:integer"),
            ("size:int(1..=9)=3", "size:integer(1..=9)=3"),
            ("size:int(1..=9)=30", "size:string"),
            ("on:bool=true", "on:boolean=true"),
            ("on:Boolean?", "on:boolean?"),
            ("sizes:[int]", "sizes:[integer]"),
            ("share:nubmer", "share:number"),
            ("when:date", "when:string"),
            ("a:[string", "a:[string]"),
            ("a:[[string]]", "a:[string]"),
            ("a..b:string", "a.b:string"),
            (".a:string", "a:string"),
            ("a.:string", "a:string"),
            (".:string", "size:string"),
            ("Tls?.Secret-Name:string", "tls?.secretName:string"),
            ("größe.a:integer", "size.a:integer"),
            ("a[](9..=1).b:string", "a[].b:string"),
            ("a[](1..=9.b:string", "a:string"),
            ("a[.b:string", "a[].b:string"),
            ("a[2].b:string", "a[].b:string"),
            ("a{x}.b:string", "a{}.b:string"),
            ("a?[].b:string", "a.b:string"),
            ("a[]{}.b:string", "a[].b:string"),
            ("a?:string", "a:string?"),
            ("a?:string=b", "a:string=b"),
            ("tags[]:string=b", "tags:[string]=b"),
            ("a.b?:string?", "a.b:string?"),
            ("tags[]:string", "tags:[string]"),
            ("tags[]?:[string]", "tags:[string]?"),
            ("a.env{}:string", "a.env:map"),
            ("a.b.c.d.e.f.g.h.i:string", "a.b.c.d.e.f.g.h:string"),
            ("tls.secret:text", "tls.secret:string"),
            ("tls", "tls:string"),
            ("a:=3", "a:string"),
            ("größe:integer", "size:integer"),
            ("a:integer(1..9)", "a:integer(1..=9)"),
            ("a:integer(9..=1)", "a:integer(1..=9)"),
            ("a:[number(9.5..=1)]", "a:[number(1..=9.5)]"),
            ("a:integer(..=5000000000)", "a:integer"),
            ("a:boolean(1..=2)", "a:boolean"),
            ("a:integer=x", "a:integer"),
            ("a:integer(1..=9)=10", "a:integer(1..=9)"),
            ("a:string?=b", "a:string=b"),
            ("a:string!", "a:string"),
            ("a:enum(b|B)", "a:string"),
            ("a:quantity=1Xi", "a:quantity"),
            ("a:duration=soon", "a:duration"),
        ] {
            assert_eq!(Field::parse(text).expect_err(text).suggestion.as_deref(), Some(suggestion), "{text}");
            assert!(Field::parse(suggestion).is_ok(), "{suggestion}");
        }
    }
}
