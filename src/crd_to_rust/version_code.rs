//! Generates the code for one version of a CRD: the Rust types, the sample, and the properties of the types that other
//! templates need.

use super::items::{Item, Struct};
use super::rust_types::Types;
use super::schema_location::{PRESERVE, Place};
use super::{branches, doc, kind, root, sample, sample_file};
use crate::model::{Imported, Project, Resource};
use crate::scaffold::{file_header, json_text, layout};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The code that is generated from one version of a CRD.
#[derive(Clone, Debug)]
pub struct VersionCode {
    /// The content of the file with the types.
    pub types: String,
    /// The properties of the types that other templates need, such as the presence of conditions in the status.
    pub imported: Imported,
    /// The content of the sample.
    pub sample: String,
    /// Warnings about parts of the schema that Rust cannot express. Each pair contains the path of a field and the text
    /// of the warning.
    pub warnings: Vec<(String, String)>,
    /// The fields that have a type of k8s-openapi. Each pair contains the path of a field and the name of its type.
    pub known: Vec<(String, String)>,
    /// The names of the types, which no other kind of the same group and version may use.
    pub names: BTreeSet<String>,
    /// The number of generated types.
    pub size: usize,
}

/// Generates the code of a version. `taken` are the names of the types of other kinds in the same module, and `object`
/// is a valid object of the kind for the sample, if any.
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
    let (schema, no_spec) = (&schema, resource.has_no_spec());
    let mut fields = root::fields(schema, no_spec);
    if let Some(default) = root::default_spec(schema).filter(|_| !no_spec) {
        fields["default"] = default;
    }
    let values = object.and_then(|object| root::values(object, no_spec));
    let values = values.filter(|values| sample::names_all(&fields, &Value::Object(values.clone())));
    let object = object.filter(|_| values.is_some());
    let mut own: BTreeSet<String> = resource.type_names().into_iter().collect();
    own.extend(taken);
    let mut types = Types::new(kind, own.clone());
    types.imports.extend(
        ["kube::CustomResource", "kube::KubeSchema", "serde::Deserialize", "serde::Serialize"].map(str::to_owned),
    );
    types.root(spec, if no_spec { "" } else { "spec" }, fields.as_object().cloned().unwrap_or_default());
    let spec_has_default = types.has_default(spec);
    let mut imported = resource.imported.clone().unwrap_or_default();
    if let Some(of_status) = root::status(schema) {
        types.root(status, "status", of_status.clone());
        let facts = Facts::of(of_status, &types);
        imported.conditions = facts.conditions && types.has_default(status);
        imported.observed_generation = facts.observed_generation;
        imported.further_status = facts.further;
    }
    for key in schema.as_object().into_iter().flatten().map(|(key, _)| key) {
        let is_taken = ["description", "properties", "required", "type", "x-kubernetes-validations"];
        if !(is_taken.contains(&key.as_str()) || no_spec && fields.get(key).is_some()) {
            types.warn(&Place::root("."), format!("has `{key}` at the root of the schema, which kube cannot express"));
        }
    }
    imported.spec = values.filter(sample::is_small).unwrap_or_else(|| sample::required_values(&fields));
    let group = resource.api_group(&project.domain);
    let (attributes, unseen) = kind::attributes(definition, (version, schema), resource, &group, spec_has_default);
    types.warnings.extend(unseen);
    let head = format!(
        "#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, {}PartialEq)]\n{}",
        if spec_has_default { "Default, " } else { "" },
        attributes,
    );
    let others = if no_spec && fields[PRESERVE] == true { OTHERS } else { "" };
    let code = types.code(spec, &head) + others + &tests(spec, &imported.spec);
    let uses: Vec<String> = types.imports.iter().map(|path| format!("use {path};\n")).collect();
    let lints = if doc::has_markdown(&code) { lints() } else { String::new() };
    VersionCode {
        types: format!("{}{lints}{}", file_header(project), layout(&(uses.concat() + &code))),
        sample: sample_file::text(resource, &group, (schema, &fields), object),
        warnings: std::mem::take(&mut types.warnings),
        known: std::mem::take(&mut types.known),
        size: types.items.len(),
        names: own.into_iter().chain(types.items.iter().map(|item| item.name().to_owned())).collect(),
        imported,
    }
}

/// Adds a schema for the status if the status has no schema and the root keeps unknown fields. The added schema accepts
/// any fields. It is needed because kube requires a Rust type for the status subresource.
fn keep_open(schema: &mut Value, has_status: bool) {
    if has_status && schema[PRESERVE] == true && schema["properties"]["status"].is_null() {
        schema["properties"]["status"] = json!({ "type": "object", PRESERVE: true });
    }
}

impl Types {
    /// Adds the struct of the spec, of the status, or of the fields at the object's root.
    fn root(&mut self, name: &str, path: &str, mut schema: Map<String, Value>) {
        let mut place = Place::root(path);
        if path == "status" {
            place.parts.push(path.to_owned());
        }
        if let Some(Value::String(description)) = schema.remove("description") {
            self.docs.insert(name.to_owned(), description);
        } else if path.is_empty() {
            self.docs.insert(name.to_owned(), format!("The fields at the root of a `{}`.", self.kind));
        } else {
            self.bare.insert(name.to_owned());
        }
        schema.remove("type");
        if path != "spec"
            && let Some(default) = schema.remove("default")
        {
            self.warn(&place, format!("has the default `{default}`, which kube cannot express"));
        }
        self.fill(name, path, schema, &place);
    }

    fn has_default(&self, name: &str) -> bool {
        self.items.iter().any(
            |item| matches!(item, Item::Struct(Struct { name: of, has_default, .. }) if of == name && *has_default),
        )
    }
}

/// The fields of a status: `conditions` and `observed_generation` are true if a controller can fill in these fields,
/// and `further` is true if the status has other fields.
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
    format!("#![allow(\n{},\n    reason = \"the descriptions are copied from the CRD\"\n)]\n\n", lints.join(",\n"))
}

/// Renders the test of the types, which deserializes a spec and serializes the spec again without nulls.
fn tests(spec_type: &str, spec: &Map<String, Value>) -> String {
    let spec = json_text(spec, "        ");
    TEST.replace("{type}", spec_type).replace("{spec}", &spec)
}

const TEST: &str = include_str!("test.txt");

/// The Rust function that reads the unknown fields at an object's root, without the fields that kube itself adds.
const OTHERS: &str = include_str!("others.txt");
