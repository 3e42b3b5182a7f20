//! Generates the structs for the schemas of objects, with a field for each property.

use super::defaults;
use super::items::{Field, Item, Struct};
use super::rust_names::{Names, field};
use super::rust_types::Types;
use super::schema_location::{PRESERVE, Place};
use super::shape::{Attributes, Typed};
use heck::ToSnakeCase;
use serde_json::{Map, Value};

/// The names that kube reserves at the root of an object.
const RESERVED: [&str; 4] = ["api_version", "kind", "metadata", "status"];

/// Returns the flattened field for the values of an object that belong to no other field.
fn flattened_field(rust_name: &str, rust_type: &str) -> Field {
    Field {
        doc: None,
        serde: vec!["flatten".to_owned()],
        attributes: Attributes::default(),
        is_required: false,
        rust_name: rust_name.to_owned(),
        rust_type: rust_type.to_owned(),
        has_default: true,
        function: None,
    }
}

impl Types {
    /// Adds the struct `name` for the object schema `rest` to the generated types. Returns true if the struct
    /// implements `Default`.
    pub(super) fn fill(&mut self, name: &str, path: &str, mut rest: Map<String, Value>, place: &Place) -> bool {
        let index = self.items.len();
        // The struct stands before the types of its fields.
        self.items.push(Item::Struct(Struct::new(name, path)));
        let properties = rest.remove("properties");
        let required = rest.remove("required");
        let is_required = |name: &str| {
            required.as_ref().and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == name))
        };
        let mut made = Struct::new(name, path);
        let is_root = path.is_empty();
        let mut taken = if is_root { Names::new(RESERVED.map(str::to_owned).into()) } else { Names::default() };
        made.has_default = true;
        for (name, schema) in properties.as_ref().and_then(Value::as_object).into_iter().flatten() {
            let one = self.field(name, schema, is_required(name), &place.field(name), &mut taken);
            made.has_default &= one.has_default;
            made.fields.push(one);
        }
        if rest.remove(PRESERVE).is_some_and(|keep| keep == true) {
            self.imports.extend(["serde_json::Value".to_owned(), "std::collections::BTreeMap".to_owned()]);
            let mut serde = vec!["flatten".to_owned()];
            if is_root {
                self.imports.insert("serde::Deserializer".to_owned());
                serde.push("deserialize_with = \"others\"".to_owned());
            }
            let name = taken.take(["other".to_owned()]);
            made.fields.push(Field { serde, ..flattened_field(&name, "BTreeMap<String, Value>") });
        }
        // A status can be a map: fields with other types have `BTreeMap` itself.
        if let Some(schema) = rest.get("additionalProperties").filter(|schema| schema.is_object()).cloned() {
            self.imports.insert("std::collections::BTreeMap".to_owned());
            let value = self.rust_type(&schema, &place.inner_location("{}"));
            let mut field = flattened_field("other", &format!("BTreeMap<String, {}>", value.rust));
            // The struct states the schema.
            field.attributes.limits.push("skip".to_owned());
            made.fields.push(field);
        }
        made.attributes = Attributes::of_struct(rest);
        let has_default = made.has_default;
        self.items[index] = Item::Struct(made);
        has_default
    }

    fn field(&mut self, name: &str, schema: &Value, required: bool, place: &Place, taken: &mut Names) -> Field {
        let Typed { rust, shape, mut attributes } = self.rust_type(schema, place);
        let (rust_name, renamed) = field(name, taken);
        let mut serde: Vec<String> = renamed.iter().map(|name| format!("rename = {name:?}")).collect();
        let nullable = schema.get("nullable").is_some_and(|nullable| nullable == true);
        if nullable {
            attributes.extended.insert("nullable".to_owned(), true.into());
        }
        let default = schema.get("default").filter(|default| !default.is_null());
        let expression = default.and_then(|default| defaults::expression(&shape, default));
        let collection = shape.collection().filter(|_| !nullable);
        let (mut is_required, mut has_default, mut function) = (false, true, None);
        let name_of_type = rust.clone();
        let rust_type = match (default, expression) {
            (Some(_), Some(expression)) if !required && !nullable => {
                let function_name = self.default_function(&rust_name, place, (&rust, expression));
                serde.push(format!("default = {function_name:?}"));
                (has_default, function) = (false, Some(function_name));
                rust
            }
            (default, _) => {
                if let Some(default) = default {
                    attributes.extended.insert("default".to_owned(), default.clone());
                }
                match (required, collection) {
                    (true, _) if nullable => {
                        is_required = true;
                        format!("Option<{rust}>")
                    }
                    (true, _) => {
                        has_default = shape.has_default();
                        rust
                    }
                    (false, Some(collection)) if default.is_none() => {
                        serde.push("default".to_owned());
                        serde.push(format!("skip_serializing_if = \"{collection}::is_empty\""));
                        rust
                    }
                    (false, _) => {
                        serde.push("default".to_owned());
                        serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
                        format!("Option<{rust}>")
                    }
                }
            }
        };
        let doc = schema.get("description").and_then(Value::as_str).map(str::to_owned);
        if doc.is_none() {
            self.bare.insert(name_of_type);
        }
        Field { doc, serde, attributes, is_required, rust_name, rust_type, has_default, function }
    }

    /// Adds the function that returns the default of the field `rust_name`, and returns the function's name. `of` is
    /// the Rust type of the default, and `expression` is its value. Fields with the same name, type and default share
    /// the function.
    fn default_function(&mut self, rust_name: &str, place: &Place, (of, expression): (&str, String)) -> String {
        let made = (of.to_owned(), expression);
        let short = format!("default_{}", rust_name.trim_start_matches('_'));
        let parts: Vec<String> = place.parts.iter().map(|part| part.to_snake_case()).collect();
        let long = format!("default_{}", parts.join("_"));
        let numbered = (2..).map(|number| format!("{long}_{number}"));
        let mut candidates = [short, long.clone()].into_iter().chain(numbered);
        let is_free = |name: &String| self.functions.get(name).is_none_or(|known| *known == made);
        let name = candidates.find(is_free).unwrap_or(long);
        self.functions.insert(name.clone(), made);
        name
    }
}
