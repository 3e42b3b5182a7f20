//! Renders the `#[kube(..)]` attribute of a kind's spec struct.

use super::shape::{ARGUMENTS_WIDTH, rule};
use crate::kube_rs::SHORT_NAME;
use crate::model::{Resource, VERSION_ANNOTATION};
use crate::schema::json_path::{Target, follow};
use serde_json::Value;

/// The annotations that record the tool that wrote an object and do not describe the object itself.
const WRITERS: [&str; 3] =
    ["controller-gen.kubebuilder.io/version", "kubectl.kubernetes.io/last-applied-configuration", VERSION_ANNOTATION];

/// Returns the `#[kube(..)]` attribute of the spec's struct, and warnings (path, text) about columns, `scale` and
/// selectable fields omitted because of a wrong path.
pub(super) fn attributes(
    definition: &Value,
    (version, schema): (&Value, &Value),
    resource: &Resource,
    group: &str,
    has_default: bool,
) -> (String, Vec<(String, String)>) {
    let mut left_out = Vec::new();
    let key = &resource.key;
    let text = |value: &Value| value.as_str().map(|text| format!("{text:?}"));
    let mut parts = vec![
        format!("group = {group:?}"),
        format!("version = \"{}\"", key.version),
        format!("kind = \"{}\"", key.kind),
    ];
    let type_name = key.kind.rust_name();
    parts.extend((type_name != key.kind.as_str()).then(|| format!("root = \"{type_name}\"")));
    parts.push(format!("plural = \"{}\"", resource.plural));
    let names = &definition["spec"]["names"];
    let singular = names["singular"].as_str().filter(|singular| *singular != key.kind.singular());
    parts.extend(singular.map(|singular| format!("singular = {singular:?}")));
    parts.extend(resource.short_names.iter().map(|name| format!("{SHORT_NAME} = \"{name}\"")));
    parts.extend(resource.categories.iter().map(|name| format!("category = \"{name}\"")));
    parts.extend(resource.namespaced.then(|| "namespaced".to_owned()));
    parts.extend(resource.has_no_spec().then(|| "no_spec".to_owned()));
    parts.extend((!resource.storage).then(|| "storage = false".to_owned()));
    parts.extend((version["served"] == false).then(|| "served = false".to_owned()));
    if version["deprecated"] == true {
        parts.push(match text(&version["deprecationWarning"]) {
            Some(warning) => format!("deprecated = {warning}"),
            None => "deprecated".to_owned(),
        });
    }
    if super::root::status(schema).is_some() {
        parts.push(format!("status = \"{}\"", resource.own_types()[2]));
    }
    parts.push("derive = \"PartialEq\"".to_owned());
    parts.extend(has_default.then(|| "derive = \"Default\"".to_owned()));
    parts.extend(text(&schema["description"]).map(|description| format!("doc = {description}")));
    let mut leads = |what: &str, path: &Value| match follow(schema, path.as_str().unwrap_or_default()) {
        Target::Missing(why) => {
            left_out.push((".".to_owned(), format!("has {what}, which is left out because its path is wrong: {why}")));
            false
        }
        Target::Field(_) | Target::Unknown => true,
    };
    for one in version["additionalPrinterColumns"].as_array().into_iter().flatten() {
        let what = format!("a column `{}`", one["name"].as_str().unwrap_or_default());
        parts.extend(leads(&what, &one["jsonPath"]).then(|| column(one)));
    }
    if let Some(of) = version.pointer("/subresources/scale") {
        let paths = ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];
        let mut paths = paths.into_iter().filter_map(|path| of.get(path));
        parts.extend(paths.all(|path| leads("a subresource `scale`", path)).then(|| scale(of)));
    }
    let selectable = version["selectableFields"].as_array().into_iter().flatten();
    let selectable = selectable.filter(|field| leads("a selectable field", &field["jsonPath"]));
    let selectable: Vec<String> = selectable.filter_map(|field| text(&field["jsonPath"])).collect();
    parts.extend(selectable.iter().map(|path| format!("selectable = {path}")));
    let rules = schema["x-kubernetes-validations"].as_array().into_iter().flatten();
    parts.extend(rules.map(|one| format!("validation = {}", rule(one))));
    for (key, name) in [("labels", "label"), ("annotations", "annotation")] {
        let pairs = definition["metadata"][key].as_object().into_iter().flatten();
        let kept = pairs.filter(|(key, _)| resource.storage && !WRITERS.contains(&key.as_str()));
        let pair = |(key, value): (&String, &Value)| Some(call(name, &[format!("{key:?}"), text(value)?]));
        parts.extend(kept.filter_map(pair));
    }
    (format!("#[kube(\n    {}\n)]\n", parts.join(",\n    ")), left_out)
}

fn column(column: &Value) -> String {
    let said = |key: &str, name: &str| column[key].as_str().map(|text| format!("{name} = {text:?}"));
    let mut arguments: Vec<String> = [
        said("name", "name"),
        said("type", "type_"),
        said("jsonPath", "json_path"),
        said("description", "description"),
        said("format", "format"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let priority = column["priority"].as_i64().filter(|priority| *priority != 0);
    arguments.extend(priority.map(|priority| format!("priority = {priority}")));
    call("printcolumn", &arguments)
}

fn scale(scale: &Value) -> String {
    let said = |key: &str, name: &str| scale[key].as_str().map(|path| format!("{name} = {path:?}"));
    let arguments: Vec<String> = [
        said("specReplicasPath", "spec_replicas_path"),
        said("statusReplicasPath", "status_replicas_path"),
        said("labelSelectorPath", "label_selector_path"),
    ]
    .into_iter()
    .flatten()
    .collect();
    call("scale", &arguments)
}

fn call(name: &str, arguments: &[String]) -> String {
    let line = arguments.join(", ");
    if line.len() <= ARGUMENTS_WIDTH {
        return format!("{name}({line})");
    }
    format!("{name}(\n        {}\n    )", arguments.join(",\n        "))
}
