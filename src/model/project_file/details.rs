//! The settings of a resource for which kubebuilder has no key. `PROJECT` keeps them below the key `rust.opctl.dev/v1`.

use super::super::{
    Category, Child, Controller, DEFAULT_PORT, Field, Image, Imported, InvalidName, Kind, Origin, Policies, Resource,
    ShortName,
};
use super::entries::{damaged, misnamed, text_of};
use crate::Result;
use serde_json::{Map, Value, json};

/// The key in `PROJECT` that records the naming of the types that opctl generates for list items. The only value is
/// [`SINGULAR`]: the type of an item is named after the singular of the list's name. Without the key, the type is named
/// after the list's name itself, as in earlier versions of opctl.
const ITEM_TYPES: &str = "itemTypes";
const SINGULAR: &str = "singular";

/// The settings of one resource for which kubebuilder has no key, as `PROJECT` keeps them below `rust.opctl.dev/v1`.
pub(super) struct Details {
    pub(super) short_names: Vec<ShortName>,
    pub(super) categories: Vec<Category>,
    pub(super) image: Option<Image>,
    pub(super) fields: Vec<Field>,
    /// The first controller. Its `name` is `None`, because the details do not contain the name.
    pub(super) controller: Controller,
    /// Further controllers, by name.
    pub(super) controllers: Vec<(String, Controller)>,
    pub(super) policies: Policies,
    pub(super) storage: bool,
    pub(super) copied: bool,
    pub(super) imported: Option<Imported>,
    /// True if objects live in namespaces; recorded only for a kind that another crate defines.
    pub(super) namespaced: bool,
}

impl Details {
    /// Reads the details of a resource from their entry in `PROJECT`; the entry is null for a resource without details.
    pub(super) fn parse(entry: &Value) -> Result<Self> {
        let flag = |key: &str, usual: bool| entry.get(key).and_then(Value::as_bool).unwrap_or(usual);
        Ok(Details {
            short_names: list(entry, "shortNames", ShortName::parse)?,
            categories: list(entry, "categories", Category::parse)?,
            image: image(entry)?,
            fields: fields(entry)?,
            controller: controller(entry)?,
            controllers: further(entry)?,
            policies: policies(entry)?,
            storage: flag("storage", true),
            copied: flag("copied", false),
            imported: entry.get("imported").map(parse_imported),
            namespaced: flag("namespaced", true),
        })
    }
}

/// Reads the fields of a kind's spec. Without the key `itemTypes`, the type of a list's items is named like the
/// list.
fn fields(entry: &Value) -> Result<Vec<Field>> {
    let fields = list(entry, "fields", Field::parse)?;
    if entry[ITEM_TYPES] == SINGULAR {
        return Ok(fields);
    }
    Ok(fields.into_iter().map(Field::with_types_named_as_lists).collect())
}

fn parse_imported(entry: &Value) -> Imported {
    let status = entry["status"].as_array().cloned().unwrap_or_default();
    let has = |name: &str| status.iter().any(|field| field == name);
    Imported {
        spec: entry["spec"].as_object().cloned().unwrap_or_default(),
        no_spec: entry["noSpec"] == true,
        conditions: has("conditions"),
        observed_generation: has("observedGeneration"),
        further_status: has("others"),
        spec_type: type_in(entry, "specType"),
        status_type: type_in(entry, "statusType"),
    }
}

/// Returns the name of a Rust type at `key` of `entry`. Returns `None` for a name that opctl would not accept as the
/// name of a new kind, because templates write the name into Rust code.
fn type_in(entry: &Value, key: &str) -> Option<String> {
    text_of(entry, key).filter(|name| Kind::parse_new(name).is_ok()).map(str::to_owned)
}

/// Returns the entry of `PROJECT` about a kind whose types were generated from a CRD. The entry has a sample spec for
/// tests, the status fields that opctl knows, and the names of the spec's and the status's types if these names differ
/// from the default: the kind followed by `Spec` or `Status`.
fn imported_entry(imported: &Imported) -> Value {
    let facts = [
        ("conditions", imported.conditions),
        ("observedGeneration", imported.observed_generation),
        ("others", imported.further_status),
    ];
    let status: Vec<&str> = facts.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    let mut entry = json!({ "spec": imported.spec, "status": status });
    let no_spec = imported.no_spec.then_some(Value::Bool(true));
    let types = [("specType", &imported.spec_type), ("statusType", &imported.status_type)];
    let further = types.map(|(key, name)| (key, name.as_ref().map(|name| json!(name))));
    for (key, value) in [("noSpec", no_spec)].into_iter().chain(further) {
        if let (Some(entry), Some(value)) = (entry.as_object_mut(), value) {
            entry.insert(key.to_owned(), value);
        }
    }
    entry
}

fn controller(entry: &Value) -> Result<Controller> {
    let finalizer = entry.get("finalizer").and_then(Value::as_bool).unwrap_or(false);
    Ok(Controller { name: None, owns: list(entry, "owns", Child::parse)?, finalizer })
}

fn further(entry: &Value) -> Result<Vec<(String, Controller)>> {
    let entries = entry.get("controllers").and_then(Value::as_array).into_iter().flatten();
    entries
        .map(|entry| {
            let name = text_of(entry, "name").ok_or_else(|| damaged("a controller has no `name`"))?;
            Ok((name.to_owned(), controller(entry)?))
        })
        .collect()
}

fn policies(entry: &Value) -> Result<Policies> {
    let names = entry.get("policies").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    Policies::parse(names).ok_or_else(|| damaged(&format!("`policies: {}` is unknown", entry["policies"])))
}

fn list<T>(entry: &Value, key: &str, parse: fn(&str) -> Result<T, InvalidName>) -> Result<Vec<T>> {
    let values = entry.get(key).and_then(Value::as_array).into_iter().flatten();
    values.filter_map(Value::as_str).map(|text| parse(text).map_err(|invalid| misnamed(&invalid))).collect()
}

/// Returns the settings of a resource that opctl writes below the key `rust.opctl.dev/v1` in `PROJECT`, because
/// kubebuilder has no keys for them; `None` if the resource has no such settings. If `says_copied` is true, the
/// settings record that the resource's types began as a copy of another version's types.
pub(super) fn details_of(resource: &Resource, says_copied: bool) -> Option<Value> {
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
        if resource.fields.iter().any(Field::names_items) {
            entry.insert(ITEM_TYPES.into(), json!(SINGULAR));
        }
    }
    let (first, further) = resource.controllers.split_first().unzip();
    if let Some(first) = first {
        fill_controller(&mut entry, first);
    }
    let further: Vec<Value> = further
        .into_iter()
        .flatten()
        .filter_map(|controller| {
            let mut entry = Map::new();
            fill_controller(&mut entry, controller);
            (!entry.is_empty()).then(|| {
                entry.insert("name".into(), json!(resource.controller_name(controller)));
                Value::Object(entry)
            })
        })
        .collect();
    if !further.is_empty() {
        entry.insert("controllers".into(), Value::Array(further));
    }
    if !resource.namespaced && matches!(resource.origin, Origin::External(_)) {
        entry.insert("namespaced".into(), json!(false));
    }
    if resource.policies.any() {
        entry.insert("policies".into(), json!(resource.policies.names()));
    }
    if let Some(imported) = &resource.imported {
        entry.insert("imported".into(), imported_entry(imported));
    }
    if says_copied {
        entry.insert("copied".into(), json!(true));
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

fn fill_controller(entry: &mut Map<String, Value>, controller: &Controller) {
    if !controller.owns.is_empty() {
        entry.insert("owns".into(), controller.owns.iter().map(ToString::to_string).collect());
    }
    if controller.finalizer {
        entry.insert("finalizer".into(), json!(true));
    }
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
    Image::parse(reference, port).map(Some).map_err(|error| damaged(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{field_types, tree};

    #[test]
    fn types_of_items_keep_their_names() {
        let names = |entry: &Value| {
            let fields = fields(entry).unwrap();
            let names = field_types(&tree(&fields), "Disk");
            (names, fields.iter().any(Field::names_items))
        };
        let given = ["parts[].mode:enum(a|b)", "zones:[enum(a|b)]", "size.unit:enum(a|b)"];
        let before = ["DiskParts", "DiskPartsMode", "DiskZones", "DiskSize", "DiskSizeUnit"].map(str::to_owned);
        let now = ["DiskPart", "DiskPartMode", "DiskZone", "DiskSize", "DiskSizeUnit"].map(str::to_owned);
        assert_eq!(names(&json!({"fields": given})), (before.to_vec(), false));
        assert_eq!(names(&json!({"fields": given, "itemTypes": "singular"})), (now.to_vec(), true));
        assert!(!names(&json!({"fields": given[2..], "itemTypes": "singular"})).1);
    }

    #[test]
    fn an_image_is_read_with_the_check_of_the_command() {
        let digest = format!("localhost:5000/web:V1@sha256:{}", "0".repeat(64));
        for good in ["nginxinc/nginx-unprivileged:1.27", "ghcr.io/x/y:RC_1", &digest] {
            let read = image(&json!({"image": good, "port": 80})).unwrap().unwrap();
            assert_eq!((read.reference(), read.port()), (good, 80));
        }
        assert_eq!(image(&json!({})).unwrap(), None);
        for bad in
            [json!({"image": "nginx//Foo:::"}), json!({"image": "a", "port": 0}), json!({"image": "a", "port": "a"})]
        {
            assert_eq!(image(&bad).unwrap_err().message(), "`PROJECT` is damaged", "{bad}");
        }
        let error = image(&json!({"image": "nginx//Foo:::"})).unwrap_err();
        assert!(error.causes()[0].starts_with("`nginx//Foo:::` is not a valid image reference: "), "{error}");
    }
}
