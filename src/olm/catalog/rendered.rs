//! Generates the catalog documents of a bundle like `opm render`, with the metadata of the `ClusterServiceVersion`.

use crate::olm::bundle::Bundle;
use crate::olm::manifest::{list, text};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The fields of the property `olm.csv.metadata`, each with its JSON pointer in the `ClusterServiceVersion`.
const METADATA: [(&str, &str); 14] = [
    ("annotations", "/metadata/annotations"),
    ("apiServiceDefinitions", "/spec/apiservicedefinitions"),
    ("crdDescriptions", "/spec/customresourcedefinitions"),
    ("description", "/spec/description"),
    ("displayName", "/spec/displayName"),
    ("installModes", "/spec/installModes"),
    ("keywords", "/spec/keywords"),
    ("labels", "/metadata/labels"),
    ("links", "/spec/links"),
    ("maintainers", "/spec/maintainers"),
    ("maturity", "/spec/maturity"),
    ("minKubeVersion", "/spec/minKubeVersion"),
    ("nativeAPIs", "/spec/nativeAPIs"),
    ("provider", "/spec/provider"),
];

/// Returns the catalog document of a package. `version` is the `ClusterServiceVersion` with the description and the
/// icon.
pub(super) fn package(name: &str, default_channel: &str, version: &Value) -> Value {
    let mut package = Map::from_iter([
        ("schema".to_owned(), json!("olm.package")),
        ("name".to_owned(), json!(name)),
        ("defaultChannel".to_owned(), json!(default_channel)),
    ]);
    let description = text(version, "/spec/description");
    package.extend((!description.is_empty()).then(|| ("description".to_owned(), json!(description))));
    if let Some(icon) = list(version, "/spec/icon").first() {
        // A catalog spells the same fields otherwise.
        let icon = json!({"base64data": icon["base64data"], "mediatype": icon["mediatype"]});
        package.insert("icon".to_owned(), icon);
    }
    package.into()
}

/// Returns the catalog document of a channel with one entry.
pub(super) fn channel(name: &str, package: &str, entry: &Value) -> Value {
    json!({"schema": "olm.channel", "package": package, "name": name, "entries": [entry]})
}

/// Returns the catalog document of a bundle. `version` is the bundle's `ClusterServiceVersion`, and `image` is the
/// bundle's image.
pub(super) fn bundle(bundle: &Bundle, version: &Value, package: &str, image: &str) -> Value {
    json!({
        "schema": "olm.bundle",
        "name": version["metadata"]["name"],
        "package": package,
        "image": image,
        "properties": properties(bundle, version, package),
        "relatedImages": images(version, image),
    })
}

fn properties(bundle: &Bundle, version: &Value, package: &str) -> Vec<Value> {
    let property = |of: &str, value: Value| json!({"type": of, "value": value});
    let provided: BTreeSet<(String, String, String)> = bundle
        .of_kind("CustomResourceDefinition")
        .flat_map(|definition| {
            let value = &definition.value;
            let versions = list(value, "/spec/versions").iter().map(|version| text(version, "/name").to_owned());
            let (group, kind) = (text(value, "/spec/group").to_owned(), text(value, "/spec/names/kind").to_owned());
            versions.map(move |version| (group.clone(), kind.clone(), version))
        })
        .collect();
    let gvk =
        |(group, kind, version): (String, String, String)| json!({"group": group, "kind": kind, "version": version});
    let mut properties =
        vec![property("olm.package", json!({"packageName": package, "version": version["spec"]["version"]}))];
    properties.extend(provided.into_iter().map(|one| property("olm.gvk", gvk(one))));
    for required in list(version, "/spec/customresourcedefinitions/required") {
        let group = text(required, "/name").split_once('.').map_or("", |(_, group)| group);
        let value = json!({"group": group, "kind": required["kind"], "version": required["version"]});
        properties.push(property("olm.gvk.required", value));
    }
    for dependency in bundle.dependencies() {
        let of = match text(dependency, "/type") {
            "olm.package" => "olm.package.required",
            "olm.gvk" => "olm.gvk.required",
            other => other,
        };
        let mut value = dependency["value"].clone();
        if of == "olm.package.required"
            && let Some(fields) = value.as_object_mut()
            && let Some(range) = fields.remove("version")
        {
            fields.insert("versionRange".to_owned(), range);
        }
        properties.push(property(of, value));
    }
    properties.extend(bundle.properties().iter().cloned());
    let metadata =
        METADATA.iter().filter_map(|(field, place)| Some(((*field).to_owned(), version.pointer(place)?.clone())));
    properties.push(property("olm.csv.metadata", metadata.collect::<Map<_, _>>().into()));
    properties
}

/// Returns each image of a bundle once: the `relatedImages` of the `ClusterServiceVersion`, then the bundle's own
/// image, then the images in the Deployments.
fn images(version: &Value, image: &str) -> Vec<Value> {
    let listed = list(version, "/spec/relatedImages").iter().map(|one| (text(one, "/name"), text(one, "/image")));
    let deployments = list(version, "/spec/install/spec/deployments").iter();
    let containers = deployments.flat_map(|deployment| {
        let of = |field: &str| list(deployment, &format!("/spec/template/spec/{field}"));
        of("initContainers").iter().chain(of("containers"))
    });
    let others = std::iter::once(image).chain(containers.map(|container| text(container, "/image")));
    let mut seen = BTreeSet::new();
    let all =
        listed.chain(others.map(|image| ("", image))).filter(|(_, image)| !image.is_empty() && seen.insert(*image));
    all.map(|(name, image)| json!({"name": name, "image": image})).collect()
}
