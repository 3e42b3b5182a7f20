//! Chooses free and valid Rust names for generated types, fields, enum variants and functions.

use crate::model::{module_name, variant_name};
use crate::scaffold::renamed_by_serde;
use heck::{ToSnakeCase, ToUpperCamelCase};
use std::collections::BTreeSet;

/// The set of names that are already taken.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn new(taken: BTreeSet<String>) -> Self {
        Names(taken)
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Takes and returns the first free candidate, or else the last candidate with a number appended.
    pub(super) fn take(&mut self, candidates: impl IntoIterator<Item = String>) -> String {
        let mut last = String::new();
        for candidate in candidates {
            if self.0.insert(candidate.clone()) {
                return candidate;
            }
            last = candidate;
        }
        let mut numbered = (2..).map(|number| format!("{last}{number}"));
        numbered.find(|name| self.0.insert(name.clone())).unwrap_or(last)
    }
}

/// Returns the candidates for the name of a type, the shortest first: the kind, followed by the last parts of the
/// type's path. `parts` are the names of the fields that lead from the spec to the type.
pub(super) fn type_names(kind: &str, parts: &[String]) -> Vec<String> {
    let camel: Vec<String> = parts.iter().map(|part| identifier(&part.to_upper_camel_case())).collect();
    (0..camel.len()).rev().map(|start| format!("{kind}{}", camel[start..].concat())).collect()
}

fn identifier(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Returns the Rust name of a field, and the name for serde's `rename` if the field needs a `rename`.
pub(super) fn field(name: &str, taken: &mut Names) -> (String, Option<String>) {
    let snake: String = name.to_snake_case().chars().filter(|one| one.is_ascii_alphanumeric() || *one == '_').collect();
    let rust = match snake.as_str() {
        "" => "value".to_owned(),
        // These names are taken for a module, but free for a field.
        "api" | "bin" | "core" | "kube" | "lib" | "runtime" | "serde" => snake,
        name => module_name(name),
    };
    let rust = taken.take([rust]);
    let renamed = (renamed_by_serde(&rust) != name).then(|| name.to_owned());
    (rust, renamed)
}

/// Returns the strings of an `enum`, each with the name of its Rust variant.
pub(super) fn variants(words: &[&str]) -> Vec<(String, String)> {
    let mut taken = Names::default();
    let variant = |word: &&str| {
        let name = match variant_name(word) {
            name if name.is_empty() && word.is_empty() => "Empty".to_owned(),
            name => identifier(&name),
        };
        let name = match name.chars().next() {
            None => "Other".to_owned(),
            Some(first) if first.is_ascii_digit() => format!("V{name}"),
            Some(_) => name,
        };
        ((*word).to_owned(), taken.take([name]))
    };
    words.iter().map(variant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_named_by_as_much_of_its_path_as_it_takes() {
        let mut names = Names::new(BTreeSet::from(["BackupSchedule".to_owned()]));
        let path = ["storage".to_owned(), "schedule".to_owned()];
        assert_eq!(names.take(type_names("Backup", &path)), "BackupStorageSchedule");
        assert_eq!(names.take(type_names("Backup", &path)), "BackupStorageSchedule2");
        assert_eq!(names.take(type_names("Backup", &path[..1])), "BackupStorage");
    }

    #[test]
    fn fields_and_variants_are_rust() {
        let mut taken = Names::default();
        for (name, expected, renamed) in [
            ("replicas", "replicas", false),
            ("maxAge", "max_age", false),
            ("clusterIP", "cluster_ip", true),
            ("type", "type_", false),
            ("core", "core", false),
            ("$ref", "ref_", true),
            ("3d", "_3d", true),
            ("max_age", "max_age2", true),
        ] {
            let said = renamed.then(|| name.to_owned());
            assert_eq!(field(name, &mut taken), (expected.to_owned(), said), "{name}");
        }
        let named: Vec<String> =
            variants(&["a", "A", "", "10", "!=", "Self", "x-y"]).into_iter().map(|(_, variant)| variant).collect();
        assert_eq!(named, ["A", "A2", "Empty", "V10", "Other", "Itself", "XY"]);
    }
}
