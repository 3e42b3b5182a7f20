//! Names of types, fields and functions.

use crate::model::{module_name, variant_name};
use crate::scaffold::fields::renamed_by_serde;
use heck::{ToSnakeCase, ToUpperCamelCase};
use std::collections::BTreeSet;

/// Names that are taken.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn new(taken: BTreeSet<String>) -> Self {
        Names(taken)
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Takes the first free name, or else the last candidate with a number.
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

/// Returns the names that a type may have, the shortest first: the kind, and as many of the last parts of the type's
/// path as necessary. `parts` are the fields from the spec on.
pub(super) fn type_names(kind: &str, parts: &[String]) -> Vec<String> {
    let camel: Vec<String> = parts.iter().map(|part| identifier(&part.to_upper_camel_case())).collect();
    (0..camel.len()).rev().map(|start| format!("{kind}{}", camel[start..].concat())).collect()
}

fn identifier(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Words of APIs that no rule makes singular, each with its singular.
const WORDS: [(&str, &str); 16] = [
    ("alias", "alias"),
    ("aliases", "alias"),
    ("atlas", "atlas"),
    ("aws", "aws"),
    ("caches", "cache"),
    ("cookies", "cookie"),
    ("devops", "devops"),
    ("dns", "dns"),
    ("gitops", "gitops"),
    ("https", "https"),
    ("indices", "index"),
    ("kubernetes", "kubernetes"),
    ("nfs", "nfs"),
    ("series", "series"),
    ("statuses", "status"),
    ("tls", "tls"),
];

/// Returns the singular of an English plural, of which the last word of a name in camel case counts.
pub(super) fn singular(plural: &str) -> String {
    let words = plural.to_snake_case();
    let known = WORDS.iter().find(|(word, _)| words.rsplit('_').next() == Some(*word));
    if let Some((word, one)) = known.filter(|(word, _)| plural.to_ascii_lowercase().ends_with(word)) {
        // The first letter may be a capital.
        let start = plural.len() - word.len() + 1;
        return format!("{}{}", &plural[..start], &one[1..]);
    }
    for (end, one) in [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")] {
        if let Some(stem) = plural.strip_suffix(end).filter(|stem| stem.len() > 1) {
            return format!("{stem}{one}");
        }
    }
    let stem = plural.strip_suffix('s').filter(|stem| stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']));
    stem.unwrap_or(plural).to_owned()
}

/// Returns the Rust name of a field, and the name for serde's `rename` if the field needs one.
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

/// Returns the words of an enumeration, each with its variant.
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

    #[test]
    fn one_of_several() {
        for (plural, one) in [
            ("ports", "port"),
            ("policies", "policy"),
            ("status", "status"),
            ("addresses", "address"),
            ("dns", "dns"),
            ("extraDns", "extraDns"),
            ("dnsNames", "dnsName"),
            ("clusterIPs", "clusterIP"),
            ("subnetAliases", "subnetAlias"),
            ("indices", "index"),
            ("timeSeries", "timeSeries"),
            ("databases", "database"),
            ("caches", "cache"),
            ("matches", "match"),
            ("analysis", "analysis"),
            ("s", "s"),
            ("größes", "größe"),
            ("", ""),
        ] {
            assert_eq!(singular(plural), one);
        }
    }
}
