//! Checks that the paths of printer columns, scale subresources and selectable fields exist in the schema.

use super::about::of_type;
use crate::finding::{Finding, Lint};
use crate::schema::json_path::{self, Target};
use crate::source::discover::ApiType;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[
    &COLUMN_TYPE,
    &COLUMN_PATH,
    &EMPTY_COLUMN,
    &SCALE_WITHOUT_STATUS,
    &SCALE_PLACE,
    &SCALE_FIELD,
    &SELECTABLE_PATH,
    &SELECTABLE_FIELD,
    &UNLIKE_COLUMN,
];

pub(crate) static COLUMN_TYPE: Lint = Lint::error(
    "OP206",
    "a printer column with an unknown type or format",
    "The server says `must be one of boolean,date,integer,number,string`.",
    "#[kube(printcolumn(name = \"Size\", type_ = \"int\", json_path = \".spec.size\"))]",
    "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))]",
);

pub(crate) static COLUMN_PATH: Lint = Lint::error(
    "OP207",
    "a printer column with an invalid JSON path",
    "Without the leading dot the server says `must be a simple json path starting with .`. With an unclosed bracket \
     it accepts the path, but silently drops the column.",
    "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \"spec.size\"))]",
    "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))]",
);

pub(crate) static EMPTY_COLUMN: Lint = Lint::error(
    "OP208",
    "a printer column for a field that the schema lacks",
    "The server accepts the column, but it is always empty: no object can have the field, because the server prunes \
     fields that the schema does not name.",
    "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.sise\"))]",
    "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))]",
);

pub(crate) static SCALE_WITHOUT_STATUS: Lint = Lint::error(
    "OP209",
    "a scale subresource in a kind without a status",
    "Without a status, kube silently drops `scale(..)`, and `kubectl scale` does not work.",
    "#[kube(scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\"))]",
    "#[kube(status = \"FooStatus\",\n    scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \
     \".status.replicas\"))]",
);

pub(crate) static SCALE_PLACE: Lint = Lint::error(
    "OP210",
    "a scale subresource with an invalid JSON path",
    "The server says `should be a json path under .spec`, `under .status` or `under either .spec or .status`.",
    "#[kube(scale(spec_replicas_path = \"spec.replicas\", ..))]",
    "#[kube(scale(spec_replicas_path = \".spec.replicas\", ..))]",
);

pub(crate) static SCALE_FIELD: Lint = Lint::error(
    "OP211",
    "a scale subresource for a field that is missing or has a wrong type",
    "The server accepts the CRD, but `kubectl scale` and every autoscaler fail: the value that they write is pruned \
     or has the wrong type.",
    "#[kube(scale(spec_replicas_path = \".spec.replica\", ..))] // struct FooSpec { replicas: i32 }",
    "#[kube(scale(spec_replicas_path = \".spec.replicas\", ..))]",
);

pub(crate) static SELECTABLE_PATH: Lint = Lint::error(
    "OP212",
    "a selectable field with a path that the API server refuses",
    "The server says `is an invalid path: expected [ or .`, `array notation is not allowed`, `must not point to \
     fields in metadata` or `Duplicate value`, or refuses more than 8 selectable fields.",
    "#[kube(selectable = \"spec.color\")]",
    "#[kube(selectable = \".spec.color\")]",
);

pub(crate) static SELECTABLE_FIELD: Lint = Lint::error(
    "OP213",
    "a selectable field that is missing in the schema or has a wrong type",
    "The server says `does not refer to a valid field` or `must point to a field of type string, boolean or integer`.",
    "#[kube(selectable = \".spec.colors\")] // struct FooSpec { colors: Vec<String> }",
    "#[kube(selectable = \".spec.color\")] // struct FooSpec { color: String }",
);

pub(crate) static UNLIKE_COLUMN: Lint = Lint::warning(
    "OP251",
    "a printer column whose type differs from the type of its field",
    "The server accepts the column, but prints nothing: a string is not shown in a column of integers.",
    "#[kube(printcolumn(name = \"Size\", type_ = \"integer\", json_path = \".spec.size\"))] // size: String",
    "#[kube(printcolumn(name = \"Size\", type_ = \"string\", json_path = \".spec.size\"))]",
);

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const FORMATS: [&str; 8] = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/// The API server's maximum number of selectable fields (`MaxSelectableFields`).
const MOST_SELECTABLE: usize = 8;

pub(super) fn check(api_type: &ApiType, crd: &Value, schema: Option<&Value>) -> Vec<Finding> {
    let version = &crd["spec"]["versions"][0];
    let columns = version["additionalPrinterColumns"].as_array().into_iter().flatten().enumerate();
    let mut findings: Vec<Finding> =
        columns.flat_map(|(index, column)| self::column(api_type, index, column, schema)).collect();
    if api_type.resource.scale && !api_type.resource.status {
        let reason = format!("`{}` has a scale subresource but no status", api_type.resource.root);
        let hint = "#[kube(status = \"..\")]; kube drops `scale(..)` without it";
        findings.push(of_type(api_type, ("scale", 0), &SCALE_WITHOUT_STATUS, reason, hint));
    } else {
        findings.extend(scale(api_type, &version["subresources"]["scale"], schema));
    }
    findings.extend(selectable(api_type, version, schema));
    findings
}

/// Finds the field at a JSON path; returns `Unknown` without a schema.
fn find_field<'a>(schema: Option<&'a Value>, path: &str) -> Target<'a> {
    schema.map_or(Target::Unknown, |schema| json_path::follow(schema, path))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn column(api_type: &ApiType, index: usize, column: &Value, schema: Option<&Value>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let name = format!("the column `{}` of `{}`", text(column, "name"), api_type.resource.root);
    let mut add = |lint, reason: String, hint: String| {
        findings.push(of_type(api_type, ("printcolumn", index), lint, format!("{name} {reason}"), hint));
    };
    if text(column, "name").is_empty() {
        add(&COLUMN_TYPE, "has no name".to_owned(), "printcolumn(name = \"..\")".to_owned());
    }
    let kind = text(column, "type");
    if !TYPES.contains(&kind) {
        let meant = match kind {
            "int" | "int32" | "int64" | "i32" | "i64" | "u32" | "u64" => "integer",
            "float" | "double" | "f32" | "f64" => "number",
            "bool" => "boolean",
            "time" | "datetime" | "date-time" | "timestamp" => "date",
            _ => "string",
        };
        add(
            &COLUMN_TYPE,
            format!("has the type `{kind}`, which must be one of {}", TYPES.join(", ")),
            format!("type_ = \"{meant}\""),
        );
    }
    let format = text(column, "format");
    if !format.is_empty() && !FORMATS.contains(&format) {
        let hint = "remove `format`: it only changes how wide numbers are printed".to_owned();
        add(&COLUMN_TYPE, format!("has the format `{format}`, which must be one of {}", FORMATS.join(", ")), hint);
    }
    let path = text(column, "jsonPath");
    if !path.starts_with('.') {
        add(
            &COLUMN_PATH,
            format!("has the path `{path}`, which does not begin with a dot"),
            dotted_attribute("json_path", path),
        );
    } else if path.matches('[').count() != path.matches(']').count() && !path.contains(['\'', '"']) {
        let hint = "json_path = \"..\" with a `]` for each `[`".to_owned();
        add(&COLUMN_PATH, format!("has the path `{path}`, whose brackets do not match"), hint);
    } else {
        match find_field(schema, path) {
            Target::Missing(why) => {
                let hint = "json_path = \"..\" with the path that the field has in YAML".to_owned();
                add(&EMPTY_COLUMN, format!("shows `{path}`, but {why}"), hint);
            }
            Target::Field(field) => {
                let of = text(field, "type");
                if !can_show_type(kind, of) {
                    let reason =
                        format!("has the type `{kind}`, but `{path}` is of the type {of}, so the column stays empty");
                    add(
                        &UNLIKE_COLUMN,
                        reason,
                        format!("type_ = \"{}\"", if TYPES.contains(&of) { of } else { "string" }),
                    );
                }
            }
            Target::Unknown => {}
        }
    }
    findings
}

/// Returns true if a printer column of the type `column` shows values of a field of the type `field`
/// (apiextensions-apiserver `tableconvertor.go`, `cellForJSONValue`).
fn can_show_type(column: &str, field: &str) -> bool {
    match (column, field) {
        ("integer" | "number", "integer" | "number") | ("boolean", "boolean") | ("date", "string") | (_, "") => true,
        ("integer" | "number" | "boolean" | "date", _) => false,
        _ => true,
    }
}

/// Returns the attribute with `path` corrected to begin with a dot, such as `json_path = ".spec.size"`.
fn dotted_attribute(attribute: &str, path: &str) -> String {
    let path = path.trim_start_matches(['$', '{']).trim_end_matches('}').trim_start_matches('.');
    format!("{attribute} = \".{path}\"")
}

fn scale(api_type: &ApiType, scale: &Value, schema: Option<&Value>) -> Vec<Finding> {
    let (root, mut findings) = (&api_type.resource.root, Vec::new());
    let Some(scale) = scale.as_object().map(|_| scale) else { return findings };
    for (key, attribute, below, kind, example) in [
        ("specReplicasPath", "spec_replicas_path", &[".spec."] as &[&str], "integer", ".spec.replicas"),
        ("statusReplicasPath", "status_replicas_path", &[".status."], "integer", ".status.replicas"),
        ("labelSelectorPath", "label_selector_path", &[".spec.", ".status."], "string", ".status.selector"),
    ] {
        let path = text(scale, key);
        if path.is_empty() && key == "labelSelectorPath" {
            continue;
        }
        let mut add = |lint, reason: String| {
            let hint = format!("scale({attribute} = \"{example}\")");
            findings.push(of_type(
                api_type,
                ("scale", 0),
                lint,
                format!("the scale subresource of `{root}` {reason}"),
                hint,
            ));
        };
        if !below.iter().any(|prefix| path.starts_with(prefix)) {
            let places = below.iter().map(|prefix| format!("`{prefix}`")).collect::<Vec<_>>().join(" or ");
            add(&SCALE_PLACE, format!("has the {attribute} `{path}`, which does not begin with {places}"));
            continue;
        }
        match find_field(schema, path) {
            Target::Missing(why) => add(&SCALE_FIELD, format!("has the {attribute} `{path}`, but {why}")),
            Target::Field(field) => match text(field, "type") {
                "" => {}
                other if other == kind => {}
                other => {
                    add(
                        &SCALE_FIELD,
                        format!("has the {attribute} `{path}`, which is of the type {other}, not {kind}"),
                    );
                }
            },
            Target::Unknown => {}
        }
    }
    findings
}

fn selectable(api_type: &ApiType, version: &Value, schema: Option<&Value>) -> Vec<Finding> {
    let (root, mut findings) = (&api_type.resource.root, Vec::new());
    let mut seen: Vec<&str> = Vec::new();
    for (index, field) in version["selectableFields"].as_array().into_iter().flatten().enumerate() {
        let path = text(field, "jsonPath");
        let mut add = |lint, reason: String, hint: String| {
            let reason = format!("the selectable field `{path}` of `{root}` {reason}");
            findings.push(of_type(api_type, ("selectable", index), lint, reason, hint));
        };
        let top = path.trim_start_matches('.').split(['.', '[']).next().unwrap_or_default();
        if !path.starts_with('.') {
            add(&SELECTABLE_PATH, "does not begin with a dot".to_owned(), dotted_attribute("selectable", path));
        } else if path.contains('[') {
            add(
                &SELECTABLE_PATH,
                "goes through a list, which is not allowed".to_owned(),
                "use a field outside of lists".to_owned(),
            );
        } else if top == "metadata" {
            let hint = "remove the path: `metadata.name` and `metadata.namespace` can always be selected".to_owned();
            add(&SELECTABLE_PATH, "is in the metadata, which is not allowed".to_owned(), hint);
        } else if seen.contains(&path) {
            add(&SELECTABLE_PATH, "is given twice".to_owned(), "remove the duplicate".to_owned());
        } else {
            match find_field(schema, path) {
                Target::Missing(why) => {
                    add(
                        &SELECTABLE_FIELD,
                        format!("does not exist: {why}"),
                        "use the path that the field has in YAML".to_owned(),
                    );
                }
                Target::Unknown if schema.is_some() && !["apiVersion", "kind"].contains(&top) => {
                    let reason = "is not described by the schema".to_owned();
                    add(
                        &SELECTABLE_FIELD,
                        reason,
                        "use a field with a type, not a field within free-form data".to_owned(),
                    );
                }
                Target::Field(field) if !["string", "boolean", "integer"].contains(&text(field, "type")) => {
                    let hint = "use a field that is a string, a boolean or an integer".to_owned();
                    add(&SELECTABLE_FIELD, "is not a string, boolean or integer".to_owned(), hint);
                }
                _ => {}
            }
        }
        seen.push(path);
    }
    seen.sort_unstable();
    seen.dedup();
    if seen.len() > MOST_SELECTABLE {
        let reason =
            format!("`{root}` has {} selectable fields, but at most {MOST_SELECTABLE} are allowed", seen.len());
        findings.push(of_type(
            api_type,
            ("selectable", MOST_SELECTABLE),
            &SELECTABLE_PATH,
            reason,
            "remove the least useful selectable fields",
        ));
    }
    findings
}
