//! The resources of `PROJECT`, with kubebuilder's keys (`pkg/model/resource/resource.go`).

use super::super::Project;
use super::super::{
    BuiltIn, Controller, ControllerName, Dependency, Domain, External, Group, Key, Kind, Origin, Plural, Resource,
    RustPath, Version, Webhooks,
};
use super::details::Details;
use super::entries::{damaged, misnamed, object_entry, text_of};
use crate::Result;
use serde_json::{Map, Value, json};

pub(super) fn parse_key(entry: &Value) -> Result<Key> {
    let missing = |key: &str| damaged(&format!("a resource has no `{key}`"));
    let group = match text_of(entry, "group") {
        None | Some("") => Group::none(),
        Some(group) => Group::parse(group).map_err(|invalid| misnamed(&invalid))?,
    };
    let version = text_of(entry, "version").ok_or_else(|| missing("version"))?;
    let kind = text_of(entry, "kind").ok_or_else(|| missing("kind"))?;
    Ok(Key {
        group,
        version: Version::parse(version).map_err(|invalid| misnamed(&invalid))?,
        kind: Kind::parse(kind).map_err(|invalid| misnamed(&invalid))?,
    })
}

pub(super) fn parse_resource(entry: &Value, ours: &Value, domain: &Domain) -> Result<Resource> {
    let key = parse_key(entry)?;
    let origin = parse_origin(entry, &key)?;
    let plural = match (text_of(entry, "plural"), &origin) {
        (_, Origin::Core(built_in)) => Plural::parse(built_in.plural).map_err(|invalid| misnamed(&invalid))?,
        (Some(plural), _) => Plural::parse(plural).map_err(|invalid| misnamed(&invalid))?,
        (None, _) => key.kind.default_plural(),
    };
    let details = ours.get("resources").and_then(Value::as_array).and_then(|entries| {
        entries.iter().find(|details| parse_key(details).is_ok_and(|details_key| details_key == key))
    });
    let details = Details::parse(details.unwrap_or(&Value::Null))?;
    let api = entry.get("api").filter(|api| !api.is_null());
    let namespaced = match &origin {
        Origin::Own => api.and_then(|api| api.get("namespaced")).and_then(Value::as_bool).unwrap_or(false),
        Origin::Core(built_in) => built_in.namespaced,
        Origin::External(_) => details.namespaced,
    };
    let of_its_own =
        text_of(entry, "domain").filter(|text| origin == Origin::Own && !["", domain.as_str()].contains(text));
    let of_its_own = of_its_own.map(Domain::parse).transpose().map_err(|invalid| misnamed(&invalid))?;
    let mut resource = Resource {
        domain: of_its_own,
        origin,
        plural,
        namespaced,
        short_names: details.short_names,
        categories: details.categories,
        api: api.is_some(),
        image: details.image,
        fields: details.fields,
        controllers: Vec::new(),
        webhooks: parse_webhooks(entry),
        spokes: parse_spokes(entry, &key)?,
        policies: details.policies,
        storage: details.storage,
        copied: details.copied,
        imported: details.imported,
        key,
    };
    for name in controller_names(entry, &resource)? {
        let called = name.as_ref().map(ControllerName::as_str);
        let mut controller = match details.controllers.iter().find(|(of, _)| Some(of.as_str()) == called) {
            Some((_, controller)) => controller.clone(),
            None if resource.controllers.is_empty() => details.controller.clone(),
            None => Controller::default(),
        };
        controller.name = name;
        resource.controllers.push(controller);
    }
    Ok(resource)
}

fn parse_webhooks(entry: &Value) -> Webhooks {
    let is = |key: &str| entry["webhooks"][key].as_bool().unwrap_or(false);
    Webhooks { defaulting: is("defaulting"), validation: is("validation") }
}

fn parse_spokes(entry: &Value, key: &Key) -> Result<Vec<Version>> {
    let webhooks = &entry["webhooks"];
    let spokes = webhooks["spoke"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let spokes: Vec<Version> =
        spokes.map(|spoke| Version::parse(spoke).map_err(|invalid| misnamed(&invalid))).collect::<Result<_>>()?;
    if spokes.is_empty() && webhooks["conversion"] == true {
        return Err(damaged(&format!("the conversion of `{key}` names no `spoke`")));
    }
    Ok(spokes)
}

/// Checks that each conversion is between versions of the same kind in the project. A conversion has one version as its
/// hub, and other versions as its spokes.
///
/// # Errors
/// Fails if a spoke is not a version of the hub's kind, is the hub itself, or is named twice.
pub(super) fn check_spokes(project: &Project) -> Result<()> {
    for hub in &project.resources {
        for (index, spoke) in hub.spokes.iter().enumerate() {
            let is_known = project.resource(&hub.key.of_version(spoke)).is_some_and(|resource| resource.api);
            let wrong = match () {
                () if *spoke == hub.key.version => "which is itself",
                () if hub.spokes[..index].contains(spoke) => "twice",
                () if !is_known => "a version that `resources` does not list",
                () => continue,
            };
            return Err(damaged(&format!("the conversion of `{}` names the spoke `{spoke}`, {wrong}", hub.key)));
        }
    }
    Ok(())
}

fn parse_origin(entry: &Value, key: &Key) -> Result<Origin> {
    let is = |flag: &str| entry.get(flag).and_then(Value::as_bool).unwrap_or(false);
    if is("core") {
        let found = BuiltIn::find(key.group.as_str(), Some(&key.version), key.kind.as_str());
        return found.map(Origin::Core).map_err(|invalid| misnamed(&invalid));
    }
    if !is("external") {
        return Ok(Origin::Own);
    }
    let path = text_of(entry, "path").ok_or_else(|| damaged(&format!("`{key}` is external and has no `path`")))?;
    let path = RustPath::parse(path).map_err(|invalid| misnamed(&invalid))?;
    let dependency = text_of(entry, "module").map(Dependency::parse).transpose();
    let dependency = dependency.map_err(|invalid| misnamed(&invalid))?;
    let external = External::new(&key.group, text_of(entry, "domain"), path, dependency);
    external.map(Origin::External).map_err(|invalid| misnamed(&invalid))
}

/// Returns the names of the resource's controllers, in the order of `PROJECT`; `None` for a controller with the default
/// name.
fn controller_names(entry: &Value, resource: &Resource) -> Result<Vec<Option<ControllerName>>> {
    let usual = resource.usual_controller_name();
    let listed = entry.get("controllers").and_then(Value::as_array).into_iter().flatten();
    let mut names = Vec::new();
    for item in listed {
        let name = text_of(item, "name")
            .ok_or_else(|| damaged(&format!("a controller of `{}` has no `name`", resource.key)))?;
        names.push(match name {
            name if name == usual => None,
            name => Some(ControllerName::parse(name).map_err(|invalid| misnamed(&invalid))?),
        });
    }
    if names.is_empty() && entry.get("controller").and_then(Value::as_bool).unwrap_or(false) {
        names.push(None);
    }
    Ok(names)
}

/// Returns the entry of a resource for `PROJECT`. `known` has the resource entries of the existing file. If `known` has
/// an entry for the same resource, the returned entry keeps the keys of that entry that opctl does not know.
pub(super) fn entry_of(resource: &Resource, domain: &Domain, known: &[Value]) -> Value {
    let same = |entry: &&Value| parse_key(entry).is_ok_and(|key| key == resource.key);
    let mut entry = known.iter().find(same).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut set = |key: &str, value: Option<Value>| match value {
        Some(value) => drop(entry.insert(key.into(), value)),
        None => drop(entry.remove(key)),
    };
    match &resource.origin {
        Origin::Own => set("domain", Some(json!(resource.domain.as_ref().unwrap_or(domain).as_str()))),
        Origin::Core(built_in) => {
            set("core", Some(json!(true)));
            set("domain", built_in.written_group().1.map(|domain| json!(domain)));
            set("path", Some(json!(built_in.module_path())));
        }
        Origin::External(external) => {
            set("external", Some(json!(true)));
            set("domain", external.domain.as_ref().map(|domain| json!(domain)));
            set("path", Some(json!(external.path.to_string())));
            set("module", external.dependency.as_ref().map(|dependency| json!(dependency.to_string())));
        }
    }
    let irregular = resource.plural != resource.key.kind.default_plural();
    let irregular = irregular && !matches!(resource.origin, Origin::Core(_));
    set("plural", irregular.then(|| json!(resource.plural.as_str())));
    set("version", Some(json!(resource.key.version.as_str())));
    set("kind", Some(json!(resource.key.kind.as_str())));
    if !resource.key.group.is_none() {
        set("group", Some(json!(resource.key.group.as_str())));
    }
    let listed =
        resource.controllers.len() > 1 || resource.controllers.iter().any(|controller| controller.name.is_some());
    let name = |controller| json!({ "name": resource.controller_name(controller) });
    set("controller", (!listed && !resource.controllers.is_empty()).then_some(json!(true)));
    set("controllers", listed.then(|| resource.controllers.iter().map(name).collect()));
    if resource.webhooks.any() || !resource.spokes.is_empty() || entry.contains_key("webhooks") {
        let webhooks = object_entry(&mut entry, "webhooks");
        fill_webhooks(webhooks, resource);
        if webhooks.is_empty() {
            entry.remove("webhooks");
        }
    }
    if resource.api {
        fill_api(object_entry(&mut entry, "api"), resource);
    }
    Value::Object(entry)
}

fn fill_api(api: &mut Map<String, Value>, resource: &Resource) {
    api.insert("crdVersion".into(), json!("v1"));
    api.insert("namespaced".into(), json!(resource.namespaced));
}

fn fill_webhooks(entry: &mut Map<String, Value>, resource: &Resource) {
    let (webhooks, converts) = (resource.webhooks, !resource.spokes.is_empty());
    let all = [("conversion", converts), ("defaulting", webhooks.defaulting), ("validation", webhooks.validation)];
    for (key, is_there) in all {
        if is_there {
            entry.insert(key.to_owned(), json!(true));
        } else {
            entry.remove(key);
        }
    }
    if converts {
        entry.insert("spoke".to_owned(), resource.spokes.iter().map(Version::as_str).collect());
    } else {
        entry.remove("spoke");
    }
    if webhooks.any() || converts {
        entry.insert("webhookVersion".to_owned(), json!("v1"));
    } else {
        entry.remove("webhookVersion");
    }
}
