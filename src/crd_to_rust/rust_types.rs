//! The Rust types of one version of a kind.

use super::branches;
use super::items::{Enum, Item};
use super::known::{is_metadata, known_type_path};
use super::rust_names::{Names, type_names, variants};
use super::schema_location::{PRESERVE, Place};
use super::shape::{ARGUMENTS_WIDTH, Attributes, Shape, Typed};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const EMBEDDED: &str = "x-kubernetes-embedded-resource";

/// The Rust types generated so far.
#[derive(Debug)]
pub(super) struct Types {
    pub(super) kind: String,
    pub(super) names: Names,
    pub(super) items: Vec<Item>,
    /// The generated structs and enums: the schema of each type, its name, and its [`Shape`], which is the category of
    /// the Rust type.
    pub(super) made: Vec<(Value, String, Shape)>,
    pub(super) imports: BTreeSet<String>,
    /// The functions that return defaults, by name: the return type and the expression of each function.
    pub(super) functions: BTreeMap<String, (String, String)>,
    /// The doc comments of types, by type name, from the descriptions in the schemas of specs, statuses, list items and
    /// map values.
    pub(super) docs: BTreeMap<String, String>,
    /// The types without a default doc comment, because a field of the type has no description: schemars would use the
    /// type's doc comment as this description.
    pub(super) bare: BTreeSet<String>,
    pub(super) warnings: Vec<(String, String)>,
    /// The paths of the fields that have a Kubernetes type, each with the name of the type.
    pub(super) known: Vec<(String, String)>,
}

impl Types {
    pub(super) fn new(kind: &str, taken: BTreeSet<String>) -> Self {
        Types {
            kind: kind.to_owned(),
            names: Names::new(taken),
            items: Vec::new(),
            made: Vec::new(),
            imports: BTreeSet::new(),
            functions: BTreeMap::new(),
            docs: BTreeMap::new(),
            bare: BTreeSet::new(),
            warnings: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Returns the Rust type of a schema.
    pub(super) fn rust_type(&mut self, node: &Value, place: &Place) -> Typed {
        let mut rest = node.as_object().cloned().unwrap_or_default();
        for key in ["description", "default", "nullable"] {
            rest.remove(key);
        }
        let is = |rest: &mut Map<String, Value>, key: &str| rest.remove(key).is_some_and(|value| value == true);
        if is(&mut rest, INT_OR_STRING) {
            return self.number_or_text(rest);
        }
        let kind = rest.remove("type");
        match kind.as_ref().and_then(Value::as_str).unwrap_or_default() {
            "string" => self.text(rest, place),
            "boolean" => finish(Typed::new("bool", Shape::Boolean), rest),
            "integer" => {
                let narrow = rest.get("format").is_some_and(|format| format == "int32");
                rest.remove("format");
                finish(Typed::new(if narrow { "i32" } else { "i64" }, Shape::Integer), rest)
            }
            "number" => {
                let narrow = rest.remove("format").is_some_and(|format| format == "float");
                finish(Typed::new(if narrow { "f32" } else { "f64" }, Shape::Float), rest)
            }
            "array" => self.list(rest, place),
            "object" => self.object(rest, place),
            _ => self.json_value_type(rest, place),
        }
    }

    /// Returns `serde_json::Value`, which holds any JSON, for a schema without a type. The API server accepts a schema
    /// without a type only if the schema preserves unknown fields and has no alternative with a type, for example in
    /// `anyOf`. If the API server refuses the schema, drops the schema's keywords and warns.
    fn json_value_type(&mut self, mut rest: Map<String, Value>, place: &Place) -> Typed {
        let is_untyped = branches::is_untyped(&rest);
        rest.remove(PRESERVE);
        if is_untyped {
            if !rest.is_empty() {
                self.warn(
                    place,
                    "has no type, which the API server refuses: it becomes a `serde_json::Value`".to_owned(),
                );
            }
            rest.clear();
        }
        self.imports.insert("serde_json::Value".to_owned());
        finish(Typed::new("Value", Shape::Other), rest)
    }

    fn number_or_text(&mut self, mut rest: Map<String, Value>) -> Typed {
        let choice =
            rest.get("anyOf").is_some_and(|any| any == &serde_json::json!([{"type": "integer"}, {"type": "string"}]));
        if choice {
            rest.remove("anyOf");
        }
        let quantity = rest.get("pattern").and_then(Value::as_str).is_some_and(|pattern| pattern.contains("[KMGTPE]i"));
        if quantity {
            rest.remove("pattern");
            let name = self.import("apimachinery::pkg::api::resource::Quantity");
            return finish(Typed::new(name.clone(), Shape::Quantity(name)), rest);
        }
        let name = self.import("apimachinery::pkg::util::intstr::IntOrString");
        finish(Typed::new(name.clone(), Shape::IntOrString(name)), rest)
    }

    fn text(&mut self, mut rest: Map<String, Value>, place: &Place) -> Typed {
        if rest.get("format").is_some_and(|format| format == "date-time") && rest.get("enum").is_none() {
            rest.remove("format");
            let name = self.import("apimachinery::pkg::apis::meta::v1::Time");
            return finish(Typed::new(name, Shape::WithoutDefault), rest);
        }
        let words: Option<Vec<&str>> =
            rest.get("enum").and_then(Value::as_array).map(|words| words.iter().filter_map(Value::as_str).collect());
        let Some(words) = words.filter(|words| !words.is_empty()) else {
            return finish(Typed::new("String", Shape::Text), rest);
        };
        let key = serde_json::json!({"enum": words});
        let known = self.made.iter().find(|(of, ..)| *of == key).map(|(_, name, shape)| (name.clone(), shape.clone()));
        let (name, shape) = known.unwrap_or_else(|| {
            let name = self.names.take(type_names(&self.kind, &place.parts));
            let variants = variants(&words);
            let shape = Shape::Enum { name: name.clone(), variants: variants.clone() };
            self.items.push(Item::Enum(Enum { name: name.clone(), path: place.path.clone(), variants }));
            self.made.push((key, name.clone(), shape.clone()));
            (name, shape)
        });
        rest.remove("enum");
        finish(Typed::new(name, shape), rest)
    }

    fn list(&mut self, mut rest: Map<String, Value>, place: &Place) -> Typed {
        let schema = rest.remove("items").unwrap_or_default();
        let keys: Vec<String> = rest
            .remove("x-kubernetes-list-map-keys")
            .and_then(|keys| serde_json::from_value(keys).ok())
            .unwrap_or_default();
        let item = self.rust_type(&schema, &Place { keys: keys.clone(), ..place.inner_location("[]") });
        self.describe(&item, schema.get("description"));
        let mut typed = Typed::new(format!("Vec<{}>", item.rust), Shape::List(Box::new(item.shape.clone())));
        typed.attributes.strategy = match rest.remove(LIST_TYPE).as_ref().and_then(Value::as_str) {
            Some("map") => {
                let keys: Vec<String> = keys.iter().map(|key| format!("{key:?}.into()")).collect();
                Some(format!("ListMerge::Map(vec![{}])", keys.join(", ")))
            }
            Some("set") => Some("ListMerge::Set".to_owned()),
            Some("atomic") => Some("ListMerge::Atomic".to_owned()),
            _ => None,
        };
        let mut typed = finish(typed, rest);
        let bare = is_bare_schema(&schema, &item);
        let inner = format!("inner({})", item.attributes.limits.join(", "));
        if bare && item.attributes.are_limits() && inner.len() <= ARGUMENTS_WIDTH {
            typed.attributes.limits.extend((!item.attributes.limits.is_empty()).then_some(inner));
        } else {
            self.copy_inner_schema(&mut typed, "items", schema, &item, place);
        }
        typed
    }

    fn map(&mut self, mut rest: Map<String, Value>, schema: Value, place: &Place) -> Typed {
        self.imports.insert("std::collections::BTreeMap".to_owned());
        let value = self.rust_type(&schema, &place.inner_location("{}"));
        self.describe(&value, schema.get("description"));
        let mut typed =
            Typed::new(format!("BTreeMap<String, {}>", value.rust), Shape::Map(Box::new(value.shape.clone())));
        if rest.get(MAP_TYPE).is_some_and(|kind| kind == "atomic") {
            rest.remove(MAP_TYPE);
            typed.attributes.strategy = Some("MapMerge::Atomic".to_owned());
        }
        let mut typed = finish(typed, rest);
        let attributes = &value.attributes;
        if !is_bare_schema(&schema, &value) || !attributes.are_limits() || !attributes.limits.is_empty() {
            self.copy_inner_schema(&mut typed, "additionalProperties", schema, &value, place);
        }
        typed
    }

    /// Copies the schema of a list's items or a map's values to the attributes of `typed`, because the Rust type does
    /// not express all keywords of this schema. Copies nothing if the items or values have a generated type; instead,
    /// warns that the keywords are left out.
    fn copy_inner_schema(&mut self, typed: &mut Typed, key: &str, schema: Value, inner: &Typed, place: &Place) {
        let is_open = matches!(inner.shape, Shape::Other) && inner.rust == "Value" && !schema[PRESERVE].is_null();
        if is_open && schema.as_object().is_some_and(|map| map.len() == 1) {
            return;
        }
        let holds_types = !self.items.is_empty() && mentions(&inner.shape);
        let mut schema = schema;
        branches::open_untyped(&mut schema);
        if holds_types {
            let what = if key == "items" { "an item" } else { "a value" };
            self.warn(
                place,
                format!("has {what} with keywords that the Rust type cannot express, so the keywords are left out"),
            );
        } else {
            typed.attributes.extended.insert(key.to_owned(), schema);
        }
    }

    fn object(&mut self, mut rest: Map<String, Value>, place: &Place) -> Typed {
        if let Some(path) = known_type_path(place, &rest) {
            self.known.push((place.path.clone(), path.rsplit("::").next().unwrap_or_default().to_owned()));
            let name = self.import(&path);
            let mut kept = Map::new();
            kept.extend(rest.remove_entry("x-kubernetes-validations"));
            let shape = if path.ends_with("::Condition") { Shape::WithoutDefault } else { Shape::Other };
            return finish(Typed::new(name, shape), kept);
        }
        let has_properties = rest.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
        match rest.remove("additionalProperties") {
            Some(Value::Bool(true)) => {
                return self.map(rest, serde_json::json!({PRESERVE: true}), place);
            }
            Some(schema) if schema.is_object() && !has_properties => return self.map(rest, schema, place),
            _ => {}
        }
        if rest.get(EMBEDDED).is_some_and(|embedded| embedded == true)
            || (!has_properties && rest.contains_key(PRESERVE))
        {
            rest.remove(PRESERVE);
            let name = self.import("apimachinery::pkg::runtime::RawExtension");
            if has_properties {
                self.warn(
                    place,
                    "is an embedded object with its own fields: the whole object becomes a `RawExtension`".to_owned(),
                );
                rest.remove("properties");
                rest.remove("required");
            }
            return finish(Typed::new(name, Shape::Other), rest);
        }
        if place.name == "metadata" && is_metadata(&rest) {
            self.known.push((place.path.clone(), "ObjectMeta".to_owned()));
            let name = self.import("apimachinery::pkg::apis::meta::v1::ObjectMeta");
            return Typed::new(name, Shape::Other);
        }
        let key = Value::Object(rest.clone());
        let known = self.made.iter().find(|(of, ..)| *of == key).map(|(_, name, shape)| (name.clone(), shape.clone()));
        let (name, shape) = known.unwrap_or_else(|| {
            let name = self.names.take(type_names(&self.kind, &place.parts));
            let has_default = self.fill(&name, &place.path, rest, place);
            let shape = Shape::Struct { has_default };
            self.made.push((key, name.clone(), shape.clone()));
            (name, shape)
        });
        Typed::new(name, shape)
    }

    /// Uses the description of a list's items or a map's values as the doc comment of their type. If there is no
    /// description, records in `bare` that the type gets no default doc comment.
    fn describe(&mut self, typed: &Typed, description: Option<&Value>) {
        match description.and_then(Value::as_str) {
            Some(description) => drop(self.docs.entry(typed.rust.clone()).or_insert_with(|| description.to_owned())),
            None => drop(self.bare.insert(typed.rust.clone())),
        }
    }

    /// Imports a type of k8s-openapi and returns its name, or returns the full path if the name is taken.
    pub(super) fn import(&mut self, path: &str) -> String {
        let name = path.rsplit("::").next().unwrap_or(path).to_owned();
        let whole = format!("k8s_openapi::{path}");
        if self.imports.contains(&whole) {
            return name;
        }
        if self.names.is_taken(&name) {
            return whole;
        }
        self.imports.insert(whole);
        name
    }

    pub(super) fn warn(&mut self, place: &Place, text: String) {
        self.warnings.push((place.path.clone(), text));
    }
}

/// Moves `rest`, the schema keywords that the Rust type does not express, to the attributes of `typed`.
fn finish(mut typed: Typed, mut rest: Map<String, Value>) -> Typed {
    let shape = typed.shape.clone();
    let mut attributes = std::mem::take(&mut typed.attributes);
    attributes.take_limits(&mut rest, &shape);
    attributes.take_rules(&mut rest);
    attributes.extended.extend(rest);
    typed.attributes = attributes;
    typed
}

/// Returns true if the generated code can express the schema of a list's items or a map's values, to which no field
/// belongs. This is the case if the schema has neither `default` nor `nullable`, and has no description for a type such
/// as `String`, which cannot have a doc comment.
fn is_bare_schema(schema: &Value, typed: &Typed) -> bool {
    let is_of_type = matches!(typed.shape, Shape::Struct { .. } | Shape::Enum { .. });
    let has = |key: &str| schema.get(key).is_some();
    let is_foreign = matches!(typed.shape, Shape::Other | Shape::WithoutDefault);
    let is_documented = has("description") && !is_of_type && !is_foreign;
    !has("default") && !has("nullable") && !is_documented
}

/// Returns true if the type is or contains a struct or an enum that the generated file defines.
fn mentions(shape: &Shape) -> bool {
    match shape {
        Shape::Struct { .. } | Shape::Enum { .. } => true,
        Shape::List(inner) | Shape::Map(inner) => mentions(inner),
        _ => false,
    }
}

impl Attributes {
    /// Returns the attributes of a struct for `rest`, the keywords of the struct's schema that the fields do not
    /// express.
    pub(super) fn of_struct(mut rest: Map<String, Value>) -> Self {
        let mut attributes = Attributes::default();
        attributes.take_rules(&mut rest);
        attributes.extended = rest;
        attributes
    }
}
