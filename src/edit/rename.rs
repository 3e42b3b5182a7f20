//! Names in a user's text: whole words, each replaced by another one.

/// Old names and the new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Rust types: replaced wherever they stand as a whole word.
    pub types: Vec<(String, String)>,
    /// Rust modules: replaced in paths, and where they are declared.
    pub modules: Vec<(String, String)>,
    /// Kubernetes' names that are told by themselves, such as API groups and a project's name: replaced where neither a letter,
    /// a digit nor `_` is beside them. Behind a name of a project, `-` may follow.
    pub tokens: Vec<(String, String)>,
    /// Plurals and singulars, which may be usual words: replaced in YAML and in markers only.
    pub resources: Vec<(String, String)>,
}

impl Names {
    /// The text of the file at `path` with the new names.
    pub fn rename(&self, text: &str, path: &str) -> String {
        let is_rust = path.ends_with(".rs");
        let is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
        let lines = text.split_inclusive('\n').map(|line| {
            let line = self.tokens.iter().fold(line.to_owned(), |line, (old, new)| with_token(&line, old, new));
            let is_marker = line.contains("+opctl:") || line.contains("+kubebuilder:");
            let line = if is_yaml || is_marker { with_words(&line, &self.resources, is_label) } else { line };
            let line = with_words(&line, &self.types, is_identifier);
            if is_rust { with_modules(&line, &self.modules) } else { line }
        });
        lines.collect()
    }
}

fn is_identifier(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// A part of a DNS name, or of a file's name.
fn is_label(character: char) -> bool {
    is_identifier(character) || character == '-'
}

/// Replaces words, which consist of the characters that `is_part` tells.
fn with_words(line: &str, names: &[(String, String)], is_part: fn(char) -> bool) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while !rest.is_empty() {
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        text.push_str(names.iter().find(|(old, _)| old == word).map_or(word, |(_, new)| new));
        let next = after.find(is_part).unwrap_or(after.len());
        text.push_str(&after[..next]);
        rest = &after[next..];
    }
    text
}

/// Replaces a name beside which other characters of names may stand: `-`, `.` and `/`.
fn with_token(line: &str, old: &str, new: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find(old) {
        let after = &rest[at + old.len()..];
        let before = rest[..at].chars().next_back().or(text.chars().next_back());
        let inside = before.is_some_and(|one| is_label(one)) || after.starts_with(is_identifier);
        text.push_str(&rest[..at]);
        text.push_str(if inside { old } else { new });
        rest = after;
    }
    text + rest
}

/// Replaces modules in paths such as `a::module::b`, and in `mod module`.
fn with_modules(line: &str, names: &[(String, String)]) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    let is_use = line.trim_start().trim_start_matches("pub ").starts_with("use ");
    while !rest.is_empty() {
        let end = rest.find(|character| !is_identifier(character)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let in_path = text.ends_with("::") || after.starts_with("::") || text.ends_with("mod ") || is_use;
        let new = names.iter().find(|(old, _)| old == word && in_path);
        text.push_str(new.map_or(word, |(_, new)| new));
        let next = after.find(is_identifier).unwrap_or(after.len());
        text.push_str(&after[..next]);
        rest = &after[next..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_are_replaced_where_they_stand_for_the_thing() {
        let pairs =
            |names: &[(&str, &str)]| names.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        let names = Names {
            types: pairs(&[("Cache", "Store"), ("CacheSpec", "StoreSpec")]),
            modules: pairs(&[("cache", "store")]),
            tokens: pairs(&[("apps.example.com", "data.example.com"), ("web-operator", "site-operator")]),
            resources: pairs(&[("caches", "stores"), ("cache", "store")]),
        };
        for (path, text, expected) in [
            (
                "a.rs",
                "let cache: Cache = CacheSpec::new(MyCache, Caches);",
                "let cache: Store = StoreSpec::new(MyCache, Caches);",
            ),
            ("a.rs", "mod cache; use api::v1::{cache, Cache};", "mod store; use api::v1::{cache, Store};"),
            ("a.rs", "use api::v1::{cache, Cache};", "use api::v1::{store, Store};"),
            ("a.rs", "x(cache::run(cache), recache::y)", "x(store::run(cache), recache::y)"),
            (
                "a.rs",
                "// +opctl:rbac:groups=apps.example.com,resources=caches,verbs=get",
                "// +opctl:rbac:groups=data.example.com,resources=stores,verbs=get",
            ),
            ("a.rs", "// all caches of a cache", "// all caches of a cache"),
            (
                "a.yaml",
                "resources: [caches, caches-x, web-operator-system]",
                "resources: [stores, caches-x, site-operator-system]",
            ),
            (
                "a.yaml",
                "x: my-web-operator, web-operators, caches.apps.example.com/y",
                "x: my-web-operator, web-operators, stores.data.example.com/y",
            ),
            ("README.md", "A Cache of caches in apps.example.com.", "A Store of caches in data.example.com."),
            ("a.rs", "ä Cache\r\n", "ä Store\r\n"),
        ] {
            assert_eq!(names.rename(text, path), expected, "{path}: {text}");
        }
    }
}
