//! What `#[derive(CustomResource)]` and `#[kube(..)]` say, spread over as many attributes as the user likes.

use super::cfg::nested;
use serde_json::Value;
use std::collections::BTreeMap;
use syn::{Expr, ExprLit, Lit, Meta};

/// The identity of a custom resource, from `#[kube(..)]`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Resource {
    /// The name of the generated root type: `root`, else `struct`, else the kind (kube-derive `KubeAttrs`).
    pub root: String,
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// Whether this is the version that is stored; kube's default is that each one is.
    pub storage: bool,
    /// Whether a scale subresource is asked for, which kube drops silently without a status.
    pub scale: bool,
    /// Whether there is a status.
    pub status: bool,
    /// Whether the fields of the struct stand at the root of an object, and not below `spec`.
    #[serde(skip)]
    pub no_spec: bool,
    /// The line of each attribute, by its name and in their order.
    #[serde(skip)]
    pub lines: BTreeMap<String, Vec<usize>>,
    /// The type of the status.
    #[serde(skip)]
    pub status_type: Option<String>,
    /// What `schema = ".."` says; `disabled` is no schema.
    #[serde(skip)]
    pub schema: Option<String>,
    /// The definition as the attributes state it, without schema and, if it is not said, without plural.
    #[serde(skip)]
    pub stated: Value,
}

/// What is wrong with the attributes, and the line.
pub(super) struct Wrong {
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) hint: String,
}

/// Reads the attributes of a struct; `None` if it is not a custom resource.
pub(super) fn resource(metas: &[Meta]) -> Result<Option<Resource>, Wrong> {
    let derives = metas.iter().filter(|meta| meta.path().is_ident("derive")).flat_map(nested);
    let Some(derive) = derives.into_iter().find(|derive| last_is(derive, "CustomResource")) else {
        return Ok(None);
    };
    let parts: Vec<Meta> = metas.iter().filter(|meta| meta.path().is_ident("kube")).flat_map(nested).collect();
    let mut read = Read::default();
    for part in &parts {
        read.take(part);
    }
    let line = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.span().start().line);
    // Where the name would be added: at the first `#[kube(..)]`, or at the derive where there is none.
    let place = metas.iter().find(|meta| meta.path().is_ident("kube")).unwrap_or(&derive);
    let missing = |key: &str| Wrong {
        line: line(place.path()).unwrap_or(1),
        message: format!("`#[kube(..)]` does not say `{key} = \"..\"`"),
        hint: format!("#[kube({key} = \"..\")]"),
    };
    let kind = read.kind.ok_or_else(|| missing("kind"))?;
    let mut resource = Resource {
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
    resource.stated = super::stated::definition(&parts, &resource);
    Ok(Some(resource))
}

fn lines(parts: &[Meta]) -> BTreeMap<String, Vec<usize>> {
    let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for ident in parts.iter().filter_map(|part| part.path().get_ident()) {
        lines.entry(ident.to_string()).or_default().push(ident.span().start().line);
    }
    lines
}

fn last_is(meta: &Meta, name: &str) -> bool {
    meta.path().segments.last().is_some_and(|segment| segment.ident == name)
}

#[derive(Default)]
struct Read {
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

impl Read {
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

pub(super) fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit, .. }) => Some(lit),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn text(meta: &Meta) -> Option<String> {
    match literal(meta) {
        Some(Lit::Str(text)) => Some(text.value()),
        _ => None,
    }
}

/// `storage`, `storage = false` or `storage = "false"`, all of which darling takes.
pub(super) fn truth(meta: &Meta) -> Option<bool> {
    match (meta, literal(meta)) {
        (Meta::Path(_), _) => Some(true),
        (_, Some(Lit::Bool(value))) => Some(value.value),
        (_, Some(Lit::Str(value))) => value.value().parse().ok(),
        _ => None,
    }
}
