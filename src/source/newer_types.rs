//! Finds the uses of types and fields that an older Kubernetes version lacks.
//!
//! The code is read, not compiled. A field in a struct literal belongs to the literal's type. In other code, the type
//! of a field is unknown, so a field is found only if its name has several words, if no type of the older Kubernetes
//! version has a field of this name, and if no type of the project has such a field.

use super::crate_sources::Source;
use crate::finding::{Finding, Lint};
use crate::kube_rs::NewerTypes;
use crate::syntax;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

pub(crate) static NEWER_TYPE: Lint = Lint::warning(
    "OP431",
    "a type or field that an older Kubernetes version lacks",
    "The types of k8s-openapi are those of one version of Kubernetes. An older API server has no such kind, or it refuses or drops the \
     field.",
    "PodSpec { eviction_responders: responders, ..PodSpec::default() } // with --kubernetes 1.36",
    "PodSpec { containers, ..PodSpec::default() } // or do not run on Kubernetes 1.36",
);

/// Reports the uses in `sources` of Kubernetes types and fields that the Kubernetes version `version` lacks.
pub(crate) fn check(sources: &[Source], version: &str, newer: &NewerTypes) -> Vec<Finding> {
    let mut own = DeclaredNames::default();
    // Tests may be about more than one version.
    let parsed = sources.iter().filter_map(|source| Some((source, syntax::parse_file(&source.without_tests()).ok()?)));
    let parsed: Vec<_> = parsed.collect();
    for (_, syntax) in &parsed {
        own.visit_file(syntax);
    }
    let mut findings = Vec::new();
    for (source, syntax) in &parsed {
        let mut reader = Reader { newer, own: &own, imports: BTreeSet::new(), found: BTreeSet::new() };
        reader.visit_file(syntax);
        findings.extend(reader.found.into_iter().map(|(line, column, what)| {
            let reason = format!("Kubernetes {version} lacks {what}");
            let hint = format!("leave it out, or name a newer version than {version} in `--kubernetes`");
            Finding::new(&NEWER_TYPE, &source.file, line, reason, hint).at_column(column)
        }));
    }
    findings
}

/// The names of types and fields that the project itself defines.
#[derive(Default)]
struct DeclaredNames {
    types: BTreeSet<String>,
    fields: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for DeclaredNames {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.types.insert(item.ident.to_string());
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.types.insert(item.ident.to_string());
        visit::visit_item_enum(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.fields.extend(field.ident.as_ref().map(ToString::to_string));
    }
}

struct Reader<'a> {
    newer: &'a NewerTypes,
    own: &'a DeclaredNames,
    /// The names that are imported from k8s-openapi.
    imports: BTreeSet<String>,
    /// The uses of newer types and fields: line and column, from 1, and a description of the type or field.
    found: BTreeSet<(usize, usize, String)>,
}

impl Reader<'_> {
    fn add(&mut self, at: &syn::Ident, what: String) {
        let start = at.span().start();
        self.found.insert((start.line, start.column + 1, what));
    }

    fn type_named(&mut self, ident: &syn::Ident) {
        let name = ident.to_string();
        if self.newer.has_type(&name) && !self.own.types.contains(&name) {
            self.add(ident, format!("the type `{name}`"));
        }
    }

    fn read_imports(&mut self, parent: &syn::Ident, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => self.read_imports(&path.ident, &path.tree),
            syn::UseTree::Name(name) => {
                let name = if name.ident == "self" { parent } else { &name.ident };
                self.imports.insert(name.to_string());
                self.type_named(name);
            }
            syn::UseTree::Rename(rename) => {
                self.imports.insert(rename.rename.to_string());
                self.type_named(&rename.ident);
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.read_imports(parent, tree)),
            syn::UseTree::Glob(_) => {}
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if let syn::UseTree::Path(path) = &item.tree
            && path.ident == "k8s_openapi"
        {
            self.read_imports(&path.ident, &path.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A name alone is imported somewhere, and other crates have types of the same names.
        if path.segments.len() > 1
            && let (Some(first), Some(last)) = (path.segments.first(), path.segments.last())
            && (first.ident == "k8s_openapi" || self.imports.contains(&first.ident.to_string()))
        {
            self.type_named(&last.ident);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        if let Some(last) = literal.path.segments.last() {
            let type_name = last.ident.to_string();
            for field in &literal.fields {
                if let syn::Member::Named(name) = &field.member
                    && self.newer.has_field(&type_name, &name.to_string())
                    && !self.own.types.contains(&type_name)
                {
                    self.add(name, format!("the field `{name}` of `{type_name}`"));
                }
            }
        }
        visit::visit_expr_struct(self, literal);
    }

    fn visit_expr_field(&mut self, access: &'ast syn::ExprField) {
        if let syn::Member::Named(name) = &access.member {
            let text = name.to_string();
            if text.contains('_') && self.newer.has_field_name(&text) && !self.own.fields.contains(&text) {
                self.add(name, format!("the field `{text}`"));
            }
        }
        visit::visit_expr_field(self, access);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube_rs::KubernetesTypes;

    fn found(text: &str) -> Vec<(usize, String)> {
        let (mut older, mut newer) = (KubernetesTypes::default(), KubernetesTypes::default());
        older.add("pub struct PodSpec {\n    pub name: String,\n}\n\npub struct Volume {\n    pub name: String,\n}\n");
        newer.add(
            "pub struct PodSpec {\n    pub name: String,\n    pub group: Group,\n    pub pod_group: Group,\n}\n\n\
             pub struct Group {\n    pub size: i32,\n}\n\n\
             pub struct Volume {\n    pub name: String,\n    pub group: Group,\n}\n",
        );
        let source = Source { file: "src/a.rs".into(), text: text.to_owned(), syntax: syn::parse_file(text).ok() };
        let findings = check(&[source], "1.34", &newer.newer_than(&older));
        let what = |reason: &str| reason.strip_prefix("Kubernetes 1.34 lacks ").unwrap().to_owned();
        findings.into_iter().map(|one| (one.line, what(&one.reason))).collect()
    }

    #[test]
    fn imports_literals_and_accesses_are_found() {
        for (text, expected) in [
            ("use k8s_openapi::api::core::v1::{Group, PodSpec};", &[(1, "the type `Group`")][..]),
            ("use k8s_openapi::api::core::v1::Group as Pods;", &[(1, "the type `Group`")]),
            ("use my::Group;\nuse k8s_openapi::api::core::v1::*;", &[]),
            ("use k8s_openapi::api::core::v1;\nfn a() -> v1::Group { b }", &[(2, "the type `Group`")]),
            ("use k8s_openapi::api::core::v1 as core;\nfn a() -> core::Group { b }", &[(2, "the type `Group`")]),
            ("use k8s_openapi::api::core::v1::{self, Pod};\nfn a() -> v1::Group { b }", &[(2, "the type `Group`")]),
            ("fn a() -> k8s_openapi::api::core::v1::Group { b }", &[(1, "the type `Group`")]),
            ("use k8s_openapi::api::core::v1::Pod;\nfn a() -> v1::Group { b }", &[]),
            ("fn a() -> volcano::v1::Group { b }", &[]),
            (
                "fn a() {\n    let b = PodSpec {\n        name, group: c,\n    };\n}",
                &[(3, "the field `group` of `PodSpec`")],
            ),
            ("struct PodSpec { group: String }\nfn a() { let b = PodSpec { group: c }; }", &[]),
            ("fn a() { spec.name = b;\n    spec.pod_group = None; }", &[(2, "the field `pod_group`")]),
            ("fn a() { spec.group = b; own.size = 1; }", &[]),
            ("struct Own { pod_group: String }\nfn a() { own.pod_group = b; }", &[]),
            ("struct Group;\nfn a() -> my::Group { 1 }", &[]),
            ("#[cfg(test)]\nmod tests {\n    use k8s_openapi::api::core::v1::Group;\n}", &[]),
            ("fn a( {", &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|(line, what)| (*line, (*what).to_owned())).collect();
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
