//! The project's name, from which the Cargo packages, the namespace, the lease and the field managers take their names.

use super::InvalidName;
use super::dns::{label_1035_rule, nearest_label};
use super::reserved::{is_cargos, is_crate, is_keyword};

/// The maximum length, so that `<name>-controller-manager` and `<name>-system` stay DNS labels.
const LONGEST: usize = 40;

/// A DNS label that is also a package name free to use, such as `webserver-operator`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectName(String);

impl ProjectName {
    /// Checks the name.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        match rule(text) {
            Some(rule) => Err(InvalidName {
                what: "name",
                value: text.to_owned(),
                rule,
                suggestion: Some(Self::nearest(text).to_string()),
            }),
            None => Ok(ProjectName(text.to_owned())),
        }
    }

    /// Returns the nearest valid name; `operator` when nothing is left.
    pub fn nearest(text: &str) -> Self {
        let label = nearest_label(text, LONGEST).unwrap_or_default();
        let label = label.trim_start_matches(|first: char| !first.is_ascii_alphabetic());
        if rule(label).is_none() {
            return ProjectName(label.to_owned());
        }
        let short = nearest_label(label, LONGEST - "-operator".len()).unwrap_or_default();
        if short.is_empty() { ProjectName("operator".to_owned()) } else { ProjectName(format!("{short}-operator")) }
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the operator's library crate.
    pub fn crate_name(&self) -> String {
        self.0.replace('-', "_")
    }

    /// Returns the name of the package that holds the API types.
    pub fn api_package(&self) -> String {
        format!("{}-api", self.0)
    }
}

impl std::fmt::Display for ProjectName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn rule(text: &str) -> Option<String> {
    if let Some(rule) = label_1035_rule(text) {
        return Some(rule);
    }
    if text.len() > LONGEST {
        return Some(format!("at most {LONGEST} characters are allowed, so that names made from it fit a DNS label"));
    }
    let module = text.replace('-', "_");
    if is_keyword(&module) {
        return Some("it is a Rust keyword, and no package can have it".to_owned());
    }
    if is_cargos(text) || is_crate(&module) || is_locked(text) {
        return Some("a crate of this name is in use by every operator".to_owned());
    }
    None
}

/// Returns true if the lock file of a new project has a package of this name: cargo could not tell them apart.
fn is_locked(name: &str) -> bool {
    let lock = include_str!("../../templates/project/Cargo.lock.tera");
    let has = |package: &str| lock.contains(&format!("\nname = \"{package}\"\n"));
    has(name) || has(&format!("{name}-api"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_valid() {
        for (folder, name) in [
            ("webserver-operator", "webserver-operator"),
            ("My Operator", "my-operator"),
            ("kube", "kube-operator"),
            ("core", "core-operator"),
            ("serde_json", "serde-json-operator"),
            ("match", "match-operator"),
            ("99-bottles", "bottles"),
            ("日本", "operator"),
            ("", "operator"),
            ("a".repeat(80).as_str(), "a".repeat(40).as_str()),
        ] {
            let nearest = ProjectName::nearest(folder);
            assert_eq!(nearest.as_str(), name, "{folder}");
            assert!(ProjectName::parse(nearest.as_str()).is_ok(), "{nearest}");
        }
    }
}
