//! `-o json`: the published schema, and the output of commands, which must match it.

use crate::support::Place;
use serde_json::Value;
use snapbox::{Assert, Data};
use std::path::Path;

/// Returns the schema of opctl's JSON output. The schema is made for serialization, and therefore does not require
/// fields that are omitted when they are empty.
fn schema() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<opctl::test_api::report::Report>()
}

#[test]
fn the_published_schema_is_that_of_the_report() {
    let schema = schema();
    let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/report.schema.json");
    let expected = Data::read_from(&path, Some(snapbox::data::DataFormat::Text)).raw();
    Assert::new().action_env("SNAPSHOTS").eq(Data::text(text), expected);
}

/// Returns the schema as JSON.
pub(crate) fn whole() -> Value {
    serde_json::to_value(schema()).unwrap()
}

/// Checks that a report conforms to the schema.
#[track_caller]
pub(crate) fn keeps_to(report: &Value, schema: &Value) {
    let mut faults = Vec::new();
    check(report, schema, schema, "report", &mut faults);
    assert!(faults.is_empty(), "{faults:?}\n{report:#}");
}

#[test]
fn json_output_of_commands_matches_the_published_schema() {
    let schema = whole();
    let place = Place::new();
    let commands: [&[&str]; 16] = [
        &["list"],
        &["init"],
        &["--nonsense"],
        &["init", "--domain", "example.com", "--dry-run", "--diff"],
        &["init", "--domain", "example.com"],
        &["init", "--domain", "example.com"],
        &["create", "api", "--kind", "web-server"],
        &["create", "api", "--kind", "WebServer", "--diff"],
        &["create", "api", "--kind", "WebServer", "--namespaced=false"],
        &["create", "api", "--kind", "WebServer"],
        &["list"],
        &["version"],
        &["completion", "bash"],
        &["explain"],
        &["explain", "OP152"],
        &["explain", "OP999"],
    ];
    for command in commands {
        let report = place.json(command);
        keeps_to(&report, &schema);
        assert_eq!(report["apiVersion"], "opctl.dev/v1alpha1");
        assert_eq!(report["kind"], "Report");
    }
}

/// Checks a value against the keywords that the schema uses. Unknown properties are faults.
fn check(value: &Value, schema: &Value, root: &Value, at: &str, faults: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return check(value, &root["$defs"][name], root, at, faults);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[key].as_array() {
            let fits = |choice: &Value| {
                let mut faults = Vec::new();
                check(value, choice, root, at, &mut faults);
                faults.is_empty()
            };
            if !choices.iter().any(fits) {
                faults.push(format!("{at}: {value} fits no choice"));
            }
            return;
        }
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        _ => false,
    };
    let fits = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    let allowed = |key: &str, fits: &dyn Fn(&Value) -> bool| schema.get(key).is_none_or(fits);
    if !fits
        || !allowed("const", &|only| only == value)
        || !allowed("enum", &|all| all.as_array().unwrap().contains(value))
    {
        faults.push(format!("{at}: {value} is not {schema}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            faults.push(format!("{at}: `{name}` is missing"));
        }
    }
    if let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
        for (name, inner) in object {
            match properties.get(name) {
                Some(schema) => check(inner, schema, root, &format!("{at}.{name}"), faults),
                None => faults.push(format!("{at}: `{name}` is unknown")),
            }
        }
    }
    for inner in value.as_array().into_iter().flatten() {
        check(inner, &schema["items"], root, &format!("{at}[]"), faults);
    }
}

#[test]
fn findings_are_shown_as_sarif() {
    let place = Place::with_project();
    let text = std::fs::read_to_string(place.root().join("src/main.rs")).unwrap();
    let marker = "// +opctl:rbac:groups=core,resources=pods,verbs=lst\n";
    std::fs::write(place.root().join("src/main.rs"), format!("{marker}{text}")).unwrap();
    let sarif = |arguments: &[&str]| -> (Option<i32>, Value) {
        let output = place.run(arguments);
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    };
    let (code, found) = sarif(&["manifests", "-o", "sarif"]);
    let report = place.json(&["manifests", "--dry-run"]);
    let findings = report["findings"].as_array().unwrap();
    assert!(!findings.is_empty(), "{report:#}");
    let run = &found["runs"][0];
    assert_eq!(code, report["error"]["exitCode"].as_i64().and_then(|code| code.try_into().ok()).or(Some(0)));
    for (finding, result) in findings.iter().zip(run["results"].as_array().unwrap()) {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!((&finding["code"], &finding["severity"]), (&result["ruleId"], &result["level"]));
        assert_eq!(
            (&finding["file"], &finding["line"]),
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"])
        );
        let rule = &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], finding["code"]);
    }
    assert_eq!(run["results"].as_array().unwrap().len(), findings.len());

    let (code, failed) = sarif(&["list", "-o", "sarif"]);
    assert_eq!(code, Some(2));
    let said = &failed["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(
        *said,
        "`-o sarif` works only with `opctl manifests`, `opctl bundle --check` and `opctl explore`; `list` has no findings with line numbers"
    );
}
