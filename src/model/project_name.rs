//! The project's name, from which the Cargo packages, the namespace, the lease and the field managers take their names.

use super::InvalidName;
use super::dns::{label_1035_rule, nearest_label};
use super::reserved::{is_cargos, is_crate, is_keyword, is_yaml_word};

/// The maximum length of an existing project's name.
const LONGEST: usize = 40;
/// The longest suffix that opctl appends to a project's name: the suffix of a `Service`'s name. The result is a DNS
/// label and can have at most 63 characters.
const SERVICE: &str = "-controller-manager-metrics-service";
/// The maximum length of a new project's name.
const LONGEST_NEW: usize = 63 - SERVICE.len();

/// The name of a project, such as `webserver-operator`: a DNS label that is also a valid cargo package name, and not
/// the name of a crate that generated operators depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectName(String);

impl ProjectName {
    /// Checks the name of a new project, so that all names that opctl derives from the name are valid in a cluster.
    pub fn parse_new(text: &str) -> Result<Self, InvalidName> {
        Self::parse_with_limit(text, LONGEST_NEW)
    }

    /// Checks the name of an existing project. The name may be longer than the name of a new project, because earlier
    /// versions of opctl allowed longer names.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        Self::parse_with_limit(text, LONGEST)
    }

    fn parse_with_limit(text: &str, longest: usize) -> Result<Self, InvalidName> {
        match rule(text, longest) {
            Some(rule) => Err(InvalidName {
                what: "name",
                value: text.to_owned(),
                rule,
                suggestion: Some(Self::nearest(text).to_string()),
            }),
            None => Ok(ProjectName(text.to_owned())),
        }
    }

    /// Returns the valid name nearest to `text`; `operator` if `text` has no usable characters.
    pub fn nearest(text: &str) -> Self {
        let label = nearest_label(text, LONGEST_NEW).unwrap_or_default();
        let label = label.trim_start_matches(|first: char| !first.is_ascii_alphabetic());
        if rule(label, LONGEST_NEW).is_none() {
            return ProjectName(label.to_owned());
        }
        let short = nearest_label(label, LONGEST_NEW - "-operator".len()).unwrap_or_default();
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

fn rule(text: &str, longest: usize) -> Option<String> {
    if let Some(rule) = label_1035_rule(text) {
        return Some(rule);
    }
    if text.len() > longest {
        let made = format!("`{text}{SERVICE}`, which can have at most 63 characters");
        return Some(format!("at most {longest} characters are allowed, because a Service is named {made}"));
    }
    let module = text.replace('-', "_");
    if is_keyword(&module) {
        return Some("it is a Rust keyword, which cannot be the name of a package".to_owned());
    }
    if is_yaml_word(text) {
        return Some("in YAML it is a boolean or null, not a name".to_owned());
    }
    if is_cargos(text) || is_crate(&module) || is_locked(text) {
        return Some("a crate of this name is in use by every operator".to_owned());
    }
    None
}

/// Returns true if a new project's lock file has another package of this name, so that the name is ambiguous for cargo.
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
            ("on", "on-operator"),
            ("99-bottles", "bottles"),
            ("日本", "operator"),
            ("", "operator"),
            ("a".repeat(80).as_str(), "a".repeat(28).as_str()),
        ] {
            let nearest = ProjectName::nearest(folder);
            assert_eq!(nearest.as_str(), name, "{folder}");
            assert!(ProjectName::parse_new(nearest.as_str()).is_ok(), "{nearest}");
        }
    }

    #[test]
    fn a_service_of_a_new_project_has_a_valid_name() {
        let (longest, longer) = ("a".repeat(28), "a".repeat(29));
        assert!(label_1035_rule(&format!("{longest}{SERVICE}")).is_none());
        assert!(label_1035_rule(&format!("{longer}{SERVICE}")).is_some());
        assert!(ProjectName::parse_new(&longest).is_ok() && ProjectName::parse_new(&longer).is_err());
        assert!(ProjectName::parse(&longer).is_ok());
    }
}
