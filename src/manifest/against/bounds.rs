//! Compares the values that two schemas allow: enums, ranges, lengths, patterns and formats.

use super::subject::Subject;
use crate::finding::Lint;
use serde_json::Value;

pub(crate) static NARROWED: Lint = Lint::error(
    "OP613",
    "a field value that the old CRD allowed and the new CRD refuses",
    "Existing objects may contain such a value: creating them again from their manifests is refused, and so is a \
     write that touches the field.",
    "#[schemars(range(min = 1024))]\npub port: u16, // it was `min = 1`",
    "#[schemars(range(min = 1))]\npub port: u16,",
);

/// The schema keywords with a numeric limit. The flag of a keyword is true if a greater number allows fewer values, as
/// for a minimum.
const LIMITS: [(&str, bool); 8] = [
    ("minimum", true),
    ("maximum", false),
    ("minLength", true),
    ("maxLength", false),
    ("minItems", true),
    ("maxItems", false),
    ("minProperties", true),
    ("maxProperties", false),
];
const HINT: &str = "allow the same values as before, or restrict them only in a new version";

pub(super) fn compare(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    let mut narrowed = |reason: String| subject.say_of(&NARROWED, path, &reason, HINT);
    for (key, least) in LIMITS {
        let Some(after) = new[key].as_f64() else { continue };
        match old[key].as_f64() {
            // A length is never below 0, so a minimum of 0 allows every value.
            None if least && key != "minimum" && after <= 0.0 => {}
            None => narrowed(format!("has a new `{key}`, {}", new[key])),
            Some(before) if (least && after > before) || (!least && after < before) => {
                narrowed(format!("has the `{key}` {}, but had {}", new[key], old[key]));
            }
            Some(_) => {}
        }
    }
    for (key, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if new[key] == true && old[key] != true && old[bound] == new[bound] {
            narrowed(format!("has a new `{key}`, {}", new[bound]));
        }
    }
    if let Some(after) = new["multipleOf"].as_f64() {
        match old["multipleOf"].as_f64() {
            None => narrowed(format!("must be a multiple of {}", new["multipleOf"])),
            Some(before) if (before / after).fract() != 0.0 => {
                narrowed(format!("must be a multiple of {} instead of {}", new["multipleOf"], old["multipleOf"]));
            }
            Some(_) => {}
        }
    }
    if let Some(pattern) = new["pattern"].as_str() {
        match old["pattern"].as_str() {
            None => narrowed(format!("has a new pattern, `{pattern}`")),
            Some(before) if before != pattern => narrowed(format!("has the pattern `{pattern}`, but had `{before}`")),
            Some(_) => {}
        }
    }
    if let Some(after) = new["enum"].as_array() {
        match old["enum"].as_array() {
            None => narrowed(format!("allows only {}", quoted_values(after))),
            Some(before) => {
                let gone: Vec<Value> = before.iter().filter(|value| !after.contains(value)).cloned().collect();
                if !gone.is_empty() {
                    narrowed(format!("no longer allows {}", quoted_values(&gone)));
                }
            }
        }
    }
    if let Some(after) = new["format"].as_str()
        && !wider(old["format"].as_str(), after)
    {
        let had = old["format"].as_str().map(|before| format!(", and had `{before}`")).unwrap_or_default();
        narrowed(format!("has the format `{after}`{had}"));
    }
    if new["x-kubernetes-embedded-resource"] == true && old["x-kubernetes-embedded-resource"] != true {
        narrowed("must be a whole object with `apiVersion` and `kind`".to_owned());
    }
}

/// Returns true if the format `after` allows every value that was allowed before. `before` is the earlier format;
/// `None` means that the earlier schema had no format.
fn wider(before: Option<&str>, after: &str) -> bool {
    match (before, after) {
        // Every integer and every number in JSON fits these formats.
        (None | Some("int32"), "int64") | (None | Some("float"), "double") => true,
        (Some(before), after) => before == after,
        (None, _) => false,
    }
}

fn quoted_values(values: &[Value]) -> String {
    values
        .iter()
        .map(|value| format!("`{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect::<Vec<_>>()
        .join(", ")
}
