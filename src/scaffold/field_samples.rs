//! Renders samples of a spec: as JSON in the generated Rust code, and as YAML.

use crate::model::{Cardinality, Member, Resource, Sampled, sample, tree};
use crate::yaml;
use serde_json::{Map, Value, json};

/// The maximum width of a nested object on one line.
const OBJECT_WIDTH: usize = 60;

/// The maximum number of lines in a YAML comment: a YAML parser may look ahead over only 32 comment lines.
pub const LONGEST_COMMENT: usize = 24;

/// Returns true if the spec gets opctl's example field, because the user requested no fields and no image, and imported
/// no CRD.
pub(super) fn has_example(resource: &Resource) -> bool {
    resource.fields.is_empty() && resource.image.is_none() && resource.imported.is_none()
}

/// Returns a sample spec with the required fields.
pub(super) fn spec_sample(resource: &Resource) -> Map<String, Value> {
    match &resource.imported {
        Some(imported) => imported.spec.clone(),
        None => sample(&tree(&resource.fields), Sampled::Required),
    }
}

/// Renders the result of [`spec_sample`] as the argument of `json!`.
pub(super) fn sample_of(resource: &Resource) -> String {
    json_text(&spec_sample(resource), "")
}

/// Renders the spec that Rust serializes if the user sets only the required fields: the required fields, and the fields
/// with defaults.
pub(super) fn json_with_defaults(members: &[Member]) -> String {
    json_text(&sample(members, Sampled::Filled), "")
}

pub fn json_text(values: &Map<String, Value>, indentation: &str) -> String {
    if values.is_empty() {
        return "{}".to_owned();
    }
    let deeper = format!("{indentation}    ");
    let line = |(name, value): (&String, &Value)| format!("{deeper}{name:?}: {},\n", value_text(value, &deeper));
    format!("{{\n{}{indentation}}}", values.iter().map(line).collect::<Vec<_>>().concat())
}

/// Renders a value, on several lines if it has objects that are too long for one line.
fn value_text(value: &Value, indentation: &str) -> String {
    let line = literal(value);
    if line.len() <= OBJECT_WIDTH {
        return line;
    }
    match value {
        Value::Object(values) if values.values().any(|value| !value.is_string()) => json_text(values, indentation),
        Value::Array(items) if items.iter().all(Value::is_object) => {
            let deeper = format!("{indentation}    ");
            let lines = items.iter().map(|item| format!("{deeper}{},\n", value_text(item, &deeper)));
            format!("[\n{}{indentation}]", lines.collect::<Vec<_>>().concat())
        }
        _ => line,
    }
}

/// Renders a value as the argument of `json!`. Adds a suffix to an integer that does not fit into an `i32`.
pub fn literal(value: &Value) -> String {
    let is_wide = |number: i64| i32::try_from(number).is_err();
    match value {
        Value::Number(number) if number.as_i64().is_some_and(is_wide) => format!("{number}_i64"),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(",")),
        Value::Object(values) => {
            let values = values.iter().map(|(name, value)| format!("{}:{}", json!(name), literal(value)));
            format!("{{{}}}", values.collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

/// Renders the fields of the sample's spec in order. Renders the optional fields as comments: such a field may refer to
/// something that does not exist, such as another object, and an object created from the sample would wait for it.
pub(super) fn yaml_sample(members: &[Member]) -> String {
    let mut text = String::new();
    write_yaml(members, "  ", false, &mut text);
    text.trim_end().to_owned()
}

/// Returns true if the sample has a field that is not a comment.
pub(super) fn has_live(members: &[Member]) -> bool {
    members.iter().any(is_live)
}

fn is_live(member: &Member) -> bool {
    match member {
        Member::Value(_) => !member.is_optional(),
        Member::Object(object) => !member.is_optional() && (member.is_required() || has_live(&object.members)),
    }
}

/// Appends the members to `text`, with `# ` before all lines of an optional member, unless the member is already within
/// a comment. Omits an optional member that would make a comment too long.
fn write_yaml(members: &[Member], indentation: &str, commented: bool, text: &mut String) {
    for member in members {
        if commented || is_live(member) {
            write_member(member, indentation, commented, text);
            continue;
        }
        let mut lines = String::new();
        write_member(member, "", true, &mut lines);
        let before = text.lines().rev().take_while(|line| line.trim_start().starts_with('#')).count();
        if before + lines.lines().count() > LONGEST_COMMENT {
            continue;
        }
        text.extend(lines.lines().map(|line| format!("{indentation}# {line}\n")));
    }
}

fn write_member(member: &Member, indentation: &str, commented: bool, text: &mut String) {
    let name = member.name();
    let object = match member {
        Member::Object(object) if object.sample_length() > 0 && (commented || has_live(&object.members)) => object,
        _ => {
            let sampled = if commented { Sampled::All } else { Sampled::Filled };
            let whole = Value::Object(sample(std::slice::from_ref(member), sampled));
            let lines = yaml::document(&whole);
            text.extend(lines.lines().map(|line| format!("{indentation}{line}\n")));
            return;
        }
    };
    // A name may need quotes.
    let key = yaml::document(&json!({ name: null }));
    text.push_str(&format!("{indentation}{}\n", key.trim_end().trim_end_matches(" null")));
    let deeper = format!("{indentation}  ");
    match object.cardinality() {
        Cardinality::One => write_yaml(&object.members, &deeper, commented, text),
        Cardinality::Map => {
            text.push_str(&format!("{deeper}key:\n"));
            write_yaml(&object.members, &format!("{deeper}  "), commented, text);
        }
        Cardinality::List(_) => {
            for _ in 0..object.sample_length() {
                let mut item = String::new();
                // The dash stands before the first field, which must be no comment.
                let (live, optional): (Vec<Member>, Vec<Member>) =
                    object.members.iter().cloned().partition(|member| commented || is_live(member));
                write_yaml(&live, &deeper, commented, &mut item);
                write_yaml(&optional, &deeper, commented, &mut item);
                item.replace_range(indentation.len()..=indentation.len(), "-");
                text.push_str(&item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Field, tree};

    fn members(fields: &[&str]) -> Vec<Member> {
        tree(&fields.iter().map(|field| Field::parse(field).unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn yaml_has_every_field_in_order_and_optional_ones_as_comments() {
        let fields = members(&[
            "z.on:boolean=true",
            "z.b?.c:string?",
            "a[](2..).tag:string?",
            "a[](2..).port:integer",
            "a[](2..).env{}.value:string",
            "a[](2..).tags:[string]",
            "none[](..=0).a:string",
            "tls?.hosts:[string]",
            "tls?.mode:string?",
            "all[].optional:string?",
            "x.optional:string?",
            "size:integer",
        ]);
        let item =
            "  - port: 1\n    env:\n      key:\n        value: example\n    tags:\n    - example\n    # tag: example\n";
        let expected = format!(
            "  z:\n    \"on\": true\n    # b:\n    #   c: example\n  a:\n{item}{item}  none: []\n  # tls:\n  #   hosts:\n  \
             #   - example\n  #   mode: example\n  all:\n  - {{}}\n  # x:\n  #   optional: example\n  size: 1"
        );
        assert_eq!(yaml_sample(&fields), expected);
        let read = |text: &str| serde_yaml::from_str::<Value>(text).unwrap();
        let mut filled = Value::Object(sample(&fields, Sampled::Filled));
        assert_eq!(filled.as_object_mut().unwrap().remove("x"), Some(json!({})), "the API server fills it in");
        assert_eq!(read(&yaml_sample(&fields)), filled);

        let fields = members(&["class:string?", "limits.cpu:quantity?"]);
        let expected = "  # class: example\n  # limits:\n  #   cpu: 1Gi";
        assert_eq!((yaml_sample(&fields).as_str(), has_live(&fields)), (expected, false));
        assert_eq!(read(&expected.replace("# ", "")), json!({ "class": "example", "limits": { "cpu": "1Gi" } }));
    }

    #[test]
    fn a_comment_has_an_end() {
        let mut fields: Vec<String> = (0..40).map(|number| format!("field{number}:string?")).collect();
        fields.push("last:string".to_owned());
        let text = yaml_sample(&members(&fields.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!(text.lines().filter(|line| line.starts_with("  # ")).count(), LONGEST_COMMENT);
        assert!(text.ends_with("\n  last: example"), "{text}");
    }

    #[test]
    fn long_objects_are_broken() {
        let fields = members(&[
            "a.big:int64(5000000000..)",
            "b[].a_long_name:string(20..)",
            "b[].another_name:int64(5000000000..)",
        ]);
        let expected = "{\n    \"a\": {\"big\":5000000000_i64},\n    \"b\": [\n        {\n            \
                        \"aLongName\": \"example-example-exam\",\n            \"anotherName\": 5000000000_i64,\n        \
                        },\n    ],\n}";
        assert_eq!(json_text(&sample(&fields, Sampled::Required), ""), expected);
    }
}
