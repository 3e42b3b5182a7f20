//! Reads `#[derive(CustomResource)]` and `#[kube(..)]`. A struct may have several of these attributes.

use super::kube_attributes::KubeAttributes;
use super::stated;
use crate::attributes::{USUAL_DERIVES, nested_items, text, truth};
use serde_json::Value;
use std::collections::BTreeMap;
use syn::Meta;

/// An error about a wrong or missing attribute, with the line of the attribute.
pub(crate) struct AttributeError {
    pub(crate) line: usize,
    pub(crate) message: String,
    pub(crate) hint: String,
}

/// Returns true if one of the attributes is `#[derive(CustomResource)]`.
pub(crate) fn derives_custom_resource(metas: &[Meta]) -> bool {
    derives(metas).iter().any(|derive| last_is(derive, "CustomResource"))
}

/// Returns true if `#[kube(..)]` states the group, the version or the kind.
pub(crate) fn states_identity(metas: &[Meta]) -> bool {
    let is_identity = |part: &Meta| ["group", "version", "kind"].iter().any(|key| part.path().is_ident(key));
    metas.iter().filter(|meta| meta.path().is_ident("kube")).flat_map(nested_items).any(|part| is_identity(&part))
}

/// Reads the `#[kube(..)]` attributes of a struct; returns `None` if the struct is not a custom resource.
///
/// An unknown derive macro counts as `CustomResource` if `#[kube(..)]` states a group, a version or a kind: the macro
/// may be renamed by `use kube::CustomResource as Resource`, and no other derive macro of kube reads `#[kube(..)]`.
pub(crate) fn custom_resource(metas: &[Meta]) -> Result<Option<KubeAttributes>, AttributeError> {
    let derives = derives(metas);
    let by_name = derives.iter().find(|derive| last_is(derive, "CustomResource"));
    let Some(derive) = by_name.or_else(|| derives.iter().find(|derive| !is_usual(derive) && states_identity(metas)))
    else {
        return Ok(None);
    };
    let parts: Vec<Meta> = metas.iter().filter(|meta| meta.path().is_ident("kube")).flat_map(nested_items).collect();
    let mut read = KubeArguments::default();
    for part in &parts {
        read.take(part);
    }
    let line = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.span().start().line);
    // The place to add the name: the first `#[kube(..)]`, or the derive without one.
    let place = metas.iter().find(|meta| meta.path().is_ident("kube")).unwrap_or(derive);
    let missing = |key: &str| AttributeError {
        line: line(place.path()).unwrap_or(1),
        message: format!("`#[kube(..)]` does not say `{key} = \"..\"`"),
        hint: format!("#[kube({key} = \"..\")]"),
    };
    let kind = read.kind.ok_or_else(|| missing("kind"))?;
    let mut resource = KubeAttributes {
        root: read.root.or(read.r#struct).unwrap_or_else(|| kind.clone()),
        group: read.group.ok_or_else(|| missing("group"))?,
        version: read.version.ok_or_else(|| missing("version"))?,
        kind,
        storage: read.storage.unwrap_or(true),
        scale: read.scale,
        status: read.status,
        no_spec: read.no_spec,
        lines: lines(&parts),
        status_type: read.status_type,
        schema: read.schema,
        stated: Value::Null,
    };
    resource.stated = stated::definition(&parts, &resource);
    Ok(Some(resource))
}

fn derives(metas: &[Meta]) -> Vec<Meta> {
    metas.iter().filter(|meta| meta.path().is_ident("derive")).flat_map(nested_items).collect()
}

fn lines(parts: &[Meta]) -> BTreeMap<String, Vec<usize>> {
    let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for ident in parts.iter().filter_map(|part| part.path().get_ident()) {
        lines.entry(ident.to_string()).or_default().push(ident.span().start().line);
    }
    lines
}

fn is_usual(derive: &Meta) -> bool {
    USUAL_DERIVES.iter().any(|name| last_is(derive, name))
}

fn last_is(meta: &Meta, name: &str) -> bool {
    meta.path().segments.last().is_some_and(|segment| segment.ident == name)
}

#[derive(Default)]
struct KubeArguments {
    root: Option<String>,
    r#struct: Option<String>,
    group: Option<String>,
    version: Option<String>,
    kind: Option<String>,
    storage: Option<bool>,
    scale: bool,
    status: bool,
    no_spec: bool,
    status_type: Option<String>,
    schema: Option<String>,
}

impl KubeArguments {
    fn take(&mut self, part: &Meta) {
        let Some(name) = part.path().get_ident().map(ToString::to_string) else { return };
        match name.as_str() {
            "root" => self.root = text(part),
            "struct" => self.r#struct = text(part),
            "group" => self.group = text(part),
            "version" => self.version = text(part),
            "kind" => self.kind = text(part),
            "storage" => self.storage = truth(part),
            "scale" => self.scale = true,
            "no_spec" => self.no_spec = truth(part).unwrap_or(false),
            "status" => {
                self.status = true;
                self.status_type = text(part);
            }
            "schema" => self.schema = text(part),
            _ => {}
        }
    }
}
