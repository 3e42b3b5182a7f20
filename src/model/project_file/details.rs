//! What `PROJECT` keeps of a resource below opctl's own layout key.

use super::super::{Category, Child, DEFAULT_PORT, Field, Image, InvalidName, Resource, ShortName};
use super::{damaged, misnamed, text_of};
use crate::Result;
use serde_json::{Map, Value, json};

/// The details of one resource.
pub(super) struct Details {
    pub(super) short_names: Vec<ShortName>,
    pub(super) categories: Vec<Category>,
    pub(super) image: Option<Image>,
    pub(super) fields: Vec<Field>,
    pub(super) owns: Vec<Child>,
    pub(super) finalizer: bool,
    pub(super) storage: bool,
}

impl Details {
    /// Reads an entry; null where there is none.
    pub(super) fn parse(entry: &Value) -> Result<Self> {
        let flag = |key: &str, usual: bool| entry.get(key).and_then(Value::as_bool).unwrap_or(usual);
        Ok(Details {
            short_names: list(entry, "shortNames", ShortName::parse)?,
            categories: list(entry, "categories", Category::parse)?,
            image: image(entry)?,
            fields: list(entry, "fields", Field::parse)?,
            owns: list(entry, "owns", Child::parse)?,
            finalizer: flag("finalizer", false),
            storage: flag("storage", true),
        })
    }
}

fn list<T>(entry: &Value, key: &str, parse: fn(&str) -> Result<T, InvalidName>) -> Result<Vec<T>> {
    let values = entry.get(key).and_then(Value::as_array).into_iter().flatten();
    values.filter_map(Value::as_str).map(|text| parse(text).map_err(|invalid| misnamed(&invalid))).collect()
}

/// What kubebuilder has no key for.
pub(super) fn details_of(resource: &Resource) -> Option<Value> {
    let mut entry = Map::new();
    let names: Vec<&str> = resource.short_names.iter().map(ShortName::as_str).collect();
    if !names.is_empty() {
        entry.insert("shortNames".into(), json!(names));
    }
    let categories: Vec<&str> = resource.categories.iter().map(Category::as_str).collect();
    if !categories.is_empty() {
        entry.insert("categories".into(), json!(categories));
    }
    if let Some(image) = &resource.image {
        entry.insert("image".into(), json!(image.reference()));
        entry.insert("port".into(), json!(image.port()));
    }
    if !resource.fields.is_empty() {
        entry.insert("fields".into(), resource.fields.iter().map(ToString::to_string).collect());
    }
    if !resource.owns.is_empty() {
        entry.insert("owns".into(), resource.owns.iter().map(ToString::to_string).collect());
    }
    if resource.finalizer {
        entry.insert("finalizer".into(), json!(true));
    }
    if !resource.storage {
        entry.insert("storage".into(), json!(false));
    }
    if entry.is_empty() {
        return None;
    }
    entry.insert("group".into(), json!(resource.key.group.as_str()));
    entry.insert("version".into(), json!(resource.key.version.as_str()));
    entry.insert("kind".into(), json!(resource.key.kind.as_str()));
    Some(Value::Object(entry))
}

fn image(details: &Value) -> Result<Option<Image>> {
    let Some(reference) = text_of(details, "image") else { return Ok(None) };
    let port = match details.get("port") {
        None => DEFAULT_PORT,
        Some(port) => port
            .as_u64()
            .and_then(|port| port.try_into().ok())
            .ok_or_else(|| damaged(&format!("`port: {port}` is not a port")))?,
    };
    Image::parse(reference, port).map(Some).map_err(|invalid| misnamed(&invalid))
}
