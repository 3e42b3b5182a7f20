//! Replaces old names in a user's text with new names.

mod identifiers;
mod words;

use super::type_version::replace_ranges;
use identifiers::identifiers;
use std::path::Path;
use words::{is_identifier, is_label, with_token, with_words};

/// An old name and its new name.
type Pair = (String, String);

/// The old names and their new names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The Rust types: replaced wherever the name is a whole word, except for types of other crates.
    pub types: Vec<Pair>,
    /// The Rust modules: replaced in paths and declarations, except for modules of other crates.
    pub modules: Vec<Pair>,
    /// The API groups and the name of the project. Each is replaced as a whole word and at the start of a longer name,
    /// such as `shop` in `shop-system`. A name without `.` and `-` may be an ordinary word, so it is replaced only in
    /// YAML.
    pub tokens: Vec<Pair>,
    /// The plurals and singulars, which may be ordinary words: replaced only in YAML, in markers and in attributes.
    pub resources: Vec<Pair>,
    /// The names of other crates that Rust texts may use.
    pub crates: Vec<String>,
}

impl Names {
    /// Returns the text of the file at `path` with the new names.
    pub fn rename(&self, text: &str, path: &str) -> String {
        let has_end = |end: &str| Path::new(path).extension().is_some_and(|one| one.eq_ignore_ascii_case(end));
        if has_end("rs") {
            return self.rename_rust(text);
        }
        // This file, with the plans of faults, names resources as YAML does.
        let is_yaml = has_end("yaml") || has_end("yml") || path == "tests/explore.toml";
        text.split_inclusive('\n').map(|line| self.rename_line(line, is_yaml)).collect()
    }

    fn rename_line(&self, line: &str, has_resources: bool) -> String {
        let tokens = self.tokens.iter().filter(|(old, _)| has_resources || old.contains(['.', '-']));
        let line = tokens.fold(line.to_owned(), |line, (old, new)| with_token(&line, old, new));
        let is_marker = line.contains("+opctl:") || line.contains("+kubebuilder:");
        let line = if has_resources || is_marker { with_words(&line, &self.resources, is_label) } else { line };
        with_words(&line, &self.types, is_identifier)
    }

    /// Renames identifiers according to the items that they name, and whole words in comments and literals.
    fn rename_rust(&self, text: &str) -> String {
        let (mut edits, mut done, mut last) = (Vec::new(), 0, "");
        let between = |start: usize, end: usize, last: &str| {
            let is_attribute = ["plural", "singular"].contains(&last);
            let lines = text[start..end].split_inclusive('\n');
            (start..end, lines.map(|line| self.rename_line(line, is_attribute && !line.contains("//"))).collect())
        };
        for one in identifiers(text, &self.crates) {
            let name = &text[one.place.clone()];
            edits.push(between(done, one.place.start, last));
            let new_name = |pairs: &[Pair]| pairs.iter().find(|(old, _)| old == name).map(|(_, new)| new.clone());
            let module = new_name(&self.modules).filter(|_| one.is_in_path);
            let new = new_name(&self.types).or(module).filter(|_| !one.is_foreign);
            edits.extend(new.map(|new| (one.place.clone(), new)));
            (done, last) = (one.place.end, name);
        }
        edits.push(between(done, text.len(), last));
        replace_ranges(text, edits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let pairs =
            |names: &[(&str, &str)]| names.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        Names {
            types: pairs(&[("Cache", "Store"), ("CacheSpec", "StoreSpec")]),
            modules: pairs(&[("cache", "store"), ("apps", "data")]),
            tokens: pairs(&[
                ("apps.example.com", "data.example.com"),
                ("web-operator", "site-operator"),
                ("zoo", "park"),
            ]),
            resources: pairs(&[("caches", "stores"), ("cache", "store")]),
            crates: vec!["k8s_openapi".to_owned(), "kube".to_owned()],
        }
    }

    /// The test cases: the path of a file, its text, and the expected text with the new names.
    const TEXTS: &[(&str, &str, &str)] = &[
        (
            "a.rs",
            "let cache: Cache = CacheSpec::new(MyCache, Caches);",
            "let cache: Store = StoreSpec::new(MyCache, Caches);",
        ),
        ("a.rs", "mod cache; use api::v1::{cache, Cache};", "mod store; use api::v1::{store, Store};"),
        (
            "a.rs",
            "pub(crate) use crate::a::{\n    cache::{self, x},\n};",
            "pub(crate) use crate::a::{\n    store::{self, x},\n};",
        ),
        ("a.rs", "x(cache::run(cache), recache::y)", "x(store::run(cache), recache::y)"),
        ("a.rs", "let x = vec![cache::new::<Cache>(apps)];", "let x = vec![store::new::<Store>(apps)];"),
        // Items of other crates have the same names.
        ("a.rs", "use k8s_openapi::api::apps::v1::Deployment;", "use k8s_openapi::api::apps::v1::Deployment;"),
        (
            "a.rs",
            "use k8s_openapi::api::{\n    apps::v1 as apps_v1,\n    core,\n};\nuse crate::apps;",
            "use k8s_openapi::api::{\n    apps::v1 as apps_v1,\n    core,\n};\nuse crate::data;",
        ),
        ("a.rs", "fn f(a: kube::Cache, b: api::Cache) {}", "fn f(a: kube::Cache, b: api::Store) {}"),
        ("a.rs", "use kube::{Api, Cache};\nfn f(a: Cache) {}", "use kube::{Api, Cache};\nfn f(a: Cache) {}"),
        ("a.rs", "use k8s_openapi::api::apps;\nx(apps::v1)", "use k8s_openapi::api::apps;\nx(apps::v1)"),
        ("a.rs", "fn f(a: ::kube::Cache) {}", "fn f(a: ::kube::Cache) {}"),
        (
            "a.rs",
            "// +opctl:rbac:groups=apps.example.com,resources=caches,verbs=get",
            "// +opctl:rbac:groups=data.example.com,resources=stores,verbs=get",
        ),
        (
            "a.rs",
            "#[kube(plural = \"caches\", shortname = \"caches\")]",
            "#[kube(plural = \"stores\", shortname = \"caches\")]",
        ),
        ("a.rs", "/// All caches of a [`Cache`] in the zoo.\nx", "/// All caches of a [`Store`] in the zoo.\nx"),
        ("a.rs", "get(\"Cache\", \"web-operator\", \"zoo\")", "get(\"Store\", \"site-operator\", \"zoo\")"),
        ("a.rs", "not Rust } of a Cache", "not Rust } of a Store"),
        (
            "a.yaml",
            "resources: [caches, caches-x, web-operator-system, zoo-system]",
            "resources: [stores, caches-x, site-operator-system, park-system]",
        ),
        // Usual words are keys, too.
        (
            "a.yaml",
            "caches: 1\ncache:\nzoo: zoo\nx: {cache: cache, zoo: zoo:1}\n",
            "caches: 1\ncache:\nzoo: park\nx: {cache: store, zoo: park:1}\n",
        ),
        (
            "a.yaml",
            "x: my-web-operator, web-operators, caches.apps.example.com/y",
            "x: my-web-operator, web-operators, stores.data.example.com/y",
        ),
        ("README.md", "A Cache of caches in apps.example.com.", "A Store of caches in data.example.com."),
        ("a.rs", "\"ä\" Cache\r\n", "\"ä\" Store\r\n"),
    ];

    #[test]
    fn names_are_replaced_where_they_stand_for_the_thing() {
        let names = names();
        for &(path, text, expected) in TEXTS {
            assert_eq!(names.rename(text, path), expected, "{path}: {text}");
        }
    }
}
