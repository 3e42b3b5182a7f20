//! Converts formats to formats that the API server knows, and whole numbers such as `1.0` to integers.

use crate::schema::path::{self, FieldPath};
use serde_json::{Map, Number, Value, json};

/// The formats that the API server knows (`k8s.io/apiextensions-apiserver` `pkg/apiserver/validation/formats.go`); the
/// server warns of other formats. `duration` is left out: Rust types with this format write ISO 8601 (`PT1M`), and the
/// server expects Go's form (`1m`).
const FORMATS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "datetime",
    "double",
    "email",
    "float",
    "hexcolor",
    "hostname",
    "int32",
    "int64",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid4",
];

/// Returns the API server's format for an integer format of schemars, and the minimum and the maximum of the Rust type.
/// Each of these three is `None` if the CRD's schema does not state it. Returns `None` if `format` is not an integer
/// format.
fn integer(format: &str) -> Option<(Option<&'static str>, Option<i64>, Option<i64>)> {
    Some(match format {
        "int8" => (Some("int32"), Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some("int32"), Some(i16::MIN.into()), Some(i16::MAX.into())),
        "uint8" => (Some("int32"), Some(0), Some(u8::MAX.into())),
        "uint16" => (Some("int32"), Some(0), Some(u16::MAX.into())),
        "uint32" => (Some("int64"), Some(0), Some(u32::MAX.into())),
        "uint64" | "uint" => (Some("int64"), Some(0), None),
        "int" => (Some("int64"), None, None),
        "int128" => (None, None, None),
        "uint128" => (None, Some(0), None),
        _ => return None,
    })
}

/// Replaces a format by a minimum and a maximum, for schemas in which a format is not allowed.
pub(super) fn add_integer_bounds(map: &mut Map<String, Value>) {
    format(map);
    if map.remove("format").is_some_and(|format| format == "int32") {
        map.entry("minimum").or_insert(i32::MIN.into());
        map.entry("maximum").or_insert(i32::MAX.into());
    }
}

/// Normalizes the formats and numbers of a schema and of all schemas below it.
pub(super) fn normalise(node: &mut Value) {
    if let Some(map) = node.as_object_mut() {
        format(map);
        limits(map);
        for key in ["default", "enum", "example", "maximum", "minimum", "multipleOf"] {
            if let Some(value) = map.get_mut(key) {
                convert_whole_floats(value);
            }
        }
    }
    path::for_each_child(node, &FieldPath::root(), &mut |child, _| normalise(child));
}

fn format(map: &mut Map<String, Value>) {
    let Some(name) = map.get("format").and_then(Value::as_str) else { return };
    if let Some((format, minimum, maximum)) = integer(name) {
        match format {
            Some(format) => drop(map.insert("format".to_owned(), format.into())),
            None => drop(map.remove("format")),
        }
        for (key, bound) in [("minimum", minimum), ("maximum", maximum)] {
            if let Some(bound) = bound
                && !map.contains_key(key)
            {
                map.insert(key.to_owned(), json!(bound));
            }
        }
    } else if !FORMATS.contains(&name) {
        map.remove("format");
    }
}

/// Removes integer bounds beyond 64 bits. The API server reads bounds as floats: for a bound that rounds to 2^63, the
/// server refuses every value. Even without a bound, the server refuses integers beyond 64 bits (`k8s.io/kube-openapi`
/// `pkg/validation/validate/values.go`).
fn limits(map: &mut Map<String, Value>) {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if map.get("type").is_none_or(|name| name != "integer") && !map.contains_key("x-kubernetes-int-or-string") {
        return;
    }
    let beyond = |bound: Option<&Value>, sign: f64| bound.and_then(Value::as_f64).is_some_and(|it| it * sign >= BEYOND);
    for (key, exclusive, sign) in [("maximum", "exclusiveMaximum", 1.0), ("minimum", "exclusiveMinimum", -1.0)] {
        if beyond(map.get(key), sign) {
            map.remove(key);
            map.remove(exclusive);
        }
    }
}

/// Replaces `1.0` by `1`, which is the same number in JSON.
fn convert_whole_floats(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(integer) = number.as_f64().and_then(integral) {
                *number = integer;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(convert_whole_floats),
        Value::Object(map) => map.values_mut().for_each(convert_whole_floats),
        _ => {}
    }
}

/// Returns the integer that equals the float; `None` if the float has a fraction, or if its absolute value exceeds
/// 2^53.
fn integral(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() != 0.0 || value.abs() > EXACT {
        return None;
    }
    format!("{value:.0}").parse::<i64>().ok().map(Number::from)
}
