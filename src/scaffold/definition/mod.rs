//! Generates Rust types, a sample, and facts for templates from one version of a CRD.
//!
//! Every keyword of the schema goes into a type, an attribute, or a warning. Nothing is left out silently.

mod branches;
mod code;
mod defaults;
mod doc;
mod fields;
mod items;
mod kind;
mod known;
mod literal;
mod names;
mod pattern;
mod sample;
mod sample_file;
mod shape;
mod types;

use super::values::file_header;
use crate::model::{Imported, Project, Resource};
use crate::scaffold::layout::layout;
use items::{Item, Struct};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use types::{PRESERVE, Place, Types};

/// The code that is generated from one version of a CRD.
#[derive(Clone, Debug)]
pub struct VersionCode {
    /// The content of the file with the types.
    pub types: String,
    /// The facts that further templates need.
    pub imported: Imported,
    /// The content of the sample.
    pub sample: String,
    /// Warnings about parts of the schema that Rust cannot express, each with the path of its field.
    pub warnings: Vec<(String, String)>,
    /// The fields that have a type of k8s-openapi, each with the name of that type.
    pub known: Vec<(String, String)>,
    /// The names of the types, which no other kind of this group and version may have.
    pub names: BTreeSet<String>,
    /// The number of generated types.
    pub size: usize,
}

/// The parts of a root schema that kube and opctl write themselves.
const ROOT: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

/// Generates the code of a version. `taken` are the names of other kinds' types in its module, and `object` is an
/// object that the API server accepts, if there is one.
pub fn version_code(
    project: &Project,
    resource: &Resource,
    (definition, version): (&Value, &Value),
    taken: BTreeSet<String>,
    object: Option<&Value>,
) -> VersionCode {
    let [kind, spec, status] = &resource.own_types();
    let mut schema = version["schema"]["openAPIV3Schema"].clone();
    branches::simplify(&mut schema);
    keep_open(&mut schema, version["subresources"]["status"].is_object());
    let schema = &schema;
    let object = object.filter(|object| sample::names_all(&schema["properties"]["spec"], &object["spec"]));
    let mut own: BTreeSet<String> = resource.type_names().into_iter().collect();
    own.extend(taken);
    let mut types = Types::new(kind, own.clone());
    types.imports.extend(
        ["kube::CustomResource", "kube::KubeSchema", "serde::Deserialize", "serde::Serialize"].map(str::to_owned),
    );
    let property = |name: &str| schema["properties"].get(name);
    let object_of = |name: &str| property(name).and_then(Value::as_object).cloned().unwrap_or_default();
    types.root(spec, "spec", object_of("spec"));
    let spec_has_default = types.has_default(spec);
    let mut imported = resource.imported.clone().unwrap_or_default();
    if property("status").is_some() {
        types.root(status, "status", object_of("status"));
        let facts = Facts::of(&object_of("status"), &types);
        imported.conditions = facts.conditions && types.has_default(status);
        imported.observed_generation = facts.observed_generation;
        imported.further_status = facts.further;
    }
    for key in schema.as_object().into_iter().flatten().map(|(key, _)| key) {
        if !["description", "properties", "required", "type", "x-kubernetes-validations"].contains(&key.as_str()) {
            types.warn(&Place::root("."), format!("has `{key}` at the root, where kube has no place for it"));
        }
    }
    for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
        if !ROOT.contains(&name.as_str()) {
            types.warn(
                &Place::root(name),
                "is beside the spec and the status, where kube has no place for it".to_owned(),
            );
        }
    }
    imported.spec = object
        .and_then(|object| object["spec"].as_object().cloned())
        .filter(sample::is_small)
        .unwrap_or_else(|| sample::required(schema));
    let group = resource.api_group(&project.domain);
    let (attributes, unseen) = kind::attributes(definition, (version, schema), resource, &group, spec_has_default);
    types.warnings.extend(unseen);
    let head = format!(
        "#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, {}PartialEq)]\n{}",
        if spec_has_default { "Default, " } else { "" },
        attributes,
    );
    let code = types.code(spec, &head) + &tests(spec, &imported.spec);
    let uses: Vec<String> = types.imports.iter().map(|path| format!("use {path};\n")).collect();
    let lints = if doc::has_markdown(&code) { lints() } else { String::new() };
    VersionCode {
        types: format!("{}{lints}{}", file_header(project), layout(&(uses.concat() + &code))),
        sample: sample_file::text(resource, &group, schema, object),
        warnings: std::mem::take(&mut types.warnings),
        known: std::mem::take(&mut types.known),
        size: types.items.len(),
        names: own.into_iter().chain(types.items.iter().map(|item| item.name().to_owned())).collect(),
        imported,
    }
}

/// Lets a spec and a status that the schema does not describe have any fields, if its root keeps unknown fields: kube has
/// no place for this keyword at the root.
fn keep_open(schema: &mut Value, has_status: bool) {
    if schema[PRESERVE] != true {
        return;
    }
    let open = json!({ "type": "object", PRESERVE: true });
    for part in [Some("spec"), has_status.then_some("status")].into_iter().flatten() {
        if schema["properties"][part].is_null() {
            schema["properties"][part] = open.clone();
        }
    }
}

impl Types {
    /// Adds the struct of the spec or of the status.
    fn root(&mut self, name: &str, path: &str, mut schema: Map<String, Value>) {
        let mut place = Place::root(path);
        if path == "status" {
            place.parts.push(path.to_owned());
        }
        if let Some(Value::String(description)) = schema.remove("description") {
            self.docs.insert(name.to_owned(), description);
        } else {
            self.bare.insert(name.to_owned());
        }
        schema.remove("type");
        if let Some(default) = schema.remove("default") {
            self.warn(&place, format!("has the default `{default}`, which kube has no place for"));
        }
        self.fill(name, path, schema, &place);
    }

    fn has_default(&self, name: &str) -> bool {
        self.items.iter().any(
            |item| matches!(item, Item::Struct(Struct { name: of, has_default, .. }) if of == name && *has_default),
        )
    }
}

/// The fields of a status that a controller can fill in.
struct Facts {
    conditions: bool,
    observed_generation: bool,
    further: bool,
}

impl Facts {
    fn of(status: &Map<String, Value>, types: &Types) -> Self {
        let properties = status.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let required = status.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let generation = properties.get("observedGeneration");
        let observed_generation = generation.is_some_and(|field| {
            field["type"] == "integer"
                && field["format"] != "int32"
                && field.get("default").is_none()
                && !required.contains(&json!("observedGeneration"))
        });
        let is_list =
            properties.get("conditions").is_some_and(|list| list["type"] == "array" && list["nullable"] != true);
        let is_known = types.known.iter().any(|(path, name)| path == "status.conditions[]" && name == "Condition");
        let filled = 1 + usize::from(observed_generation);
        Facts { conditions: is_list && is_known, observed_generation, further: properties.len() > filled }
    }
}

fn lints() -> String {
    let lints: Vec<String> = doc::LINTS.iter().map(|lint| format!("    clippy::{lint}")).collect();
    format!("#![allow(\n{},\n    reason = \"descriptions stand here as they do in the CRD\"\n)]\n\n", lints.join(",\n"))
}

/// Renders the test of the types, which reads a spec as users write it, and writes it back without nulls.
fn tests(spec_type: &str, spec: &Map<String, Value>) -> String {
    let spec = super::field_samples::json_text(spec, "        ");
    TEST.replace("{type}", spec_type).replace("{spec}", &spec)
}

const TEST: &str = include_str!("test.txt");
