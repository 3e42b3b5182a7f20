//! Domain, group, version, kind, plural, short name, category and controller's name: valid by construction.

use super::InvalidName;
use super::dns::{label_1035_rule, nearest_label, nearest_subdomain, subdomain_rule};

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Returns the name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

name_type! {
    /// The domain at the end of the project's API groups: a DNS subdomain such as `example.com`.
    Domain
}
name_type! {
    /// The part of an API group before the domain, such as `apps`; empty when the group is the domain itself.
    Group
}
name_type! {
    /// An API version in one of the forms that Kubernetes sorts by stability and number, such as `v1`, `v1beta1` or
    /// `v1alpha1`.
    Version
}
name_type! {
    /// A kind that the API server accepts: `WebServer`, but also `postgresql` and `vCluster`.
    Kind
}
name_type! {
    /// The plural name in lower case, as in URLs and in `kubectl get`, such as `webservers`.
    Plural
}
name_type! {
    /// A short name for `kubectl get`, such as `ws`.
    ShortName
}
name_type! {
    /// A category for `kubectl get`, such as `all`.
    Category
}
name_type! {
    /// A controller's name, such as `web-server-backup`.
    ControllerName
}

pub(super) fn invalid(
    what: &'static str,
    value: &str,
    rule: impl Into<String>,
    suggestion: Option<String>,
) -> InvalidName {
    InvalidName { what, value: value.to_owned(), rule: rule.into(), suggestion }
}

impl Domain {
    /// Checks the domain of a new project, which must not belong to the Kubernetes project.
    pub fn parse_own(text: &str) -> Result<Self, InvalidName> {
        Self::check_own(text)?;
        Self::parse(text)
    }

    /// Fails if `text` is a domain or a group of the Kubernetes project.
    pub fn check_own(text: &str) -> Result<(), InvalidName> {
        if is_protected_domain(text) {
            let rule =
                "groups in this domain are protected: the API server requires an approval by the Kubernetes project";
            return Err(invalid("domain", text, rule, Some("example.com".to_owned())));
        }
        Ok(())
    }

    /// Checks that `text` is a DNS subdomain with at least two parts: the API server accepts no group without a dot.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let suggestion = |text: &str| {
            let nearest = nearest_subdomain(text, 180).unwrap_or_else(|| "example.com".to_owned());
            let nearest = if nearest.contains('.') { nearest } else { format!("{nearest}.example.com") };
            let own = is_protected_domain(&nearest);
            Some(if own || nearest == text { "example.com".to_owned() } else { nearest })
        };
        if let Some(rule) = subdomain_rule(text) {
            return Err(invalid("domain", text, rule, suggestion(text)));
        }
        if !text.contains('.') {
            let rule = "it needs at least one dot: without `--group` it is the API group itself";
            return Err(invalid("domain", text, rule, suggestion(text)));
        }
        Ok(Domain(text.to_owned()))
    }

    /// Returns true if the API group `group` is the domain or ends with the domain.
    pub fn has_group(&self, group: &str) -> bool {
        group.strip_suffix(&self.0).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    }
}

fn is_protected_domain(domain: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|own| domain == *own || domain.ends_with(&format!(".{own}")))
}

impl Group {
    /// Checks that `text` is a DNS subdomain, and not a version such as `v1`: Rust modules of groups and versions have
    /// the same parent.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        if let Some(rule) = subdomain_rule(text) {
            let nearest = nearest_subdomain(text, 60).unwrap_or_else(|| "apps".to_owned());
            let nearest = if is_version(&nearest) { format!("{nearest}-group") } else { nearest };
            return Err(invalid("group", text, rule, Some(nearest)));
        }
        if Version::parse(text).is_ok() {
            let rule = "it looks like a version, and the group's folder would be next to the folders of versions";
            return Err(invalid("group", text, rule, Some(format!("{text}-group"))));
        }
        Ok(Group(text.to_owned()))
    }

    /// Returns the empty group, for an API group that is the domain itself.
    pub fn none() -> Self {
        Group(String::new())
    }

    /// Returns true if the group is empty: the API group is the domain itself.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the whole API group, such as `apps.example.com`.
    pub fn with_domain(&self, domain: &Domain) -> String {
        if self.is_none() { domain.to_string() } else { format!("{self}.{domain}") }
    }
}

impl Version {
    /// Checks a version in kubebuilder's form (`pkg/model/resource/gvk.go`): `v` and a number, optionally followed by
    /// `alpha` or `beta` and a number. As in kubebuilder, a number may begin with `0`, although Kubernetes sorts such a
    /// version behind all others:
    /// <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/>
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        if is_version(text) {
            return Ok(Version(text.to_owned()));
        }
        let lower = text.to_ascii_lowercase();
        let digits = lower.chars().skip_while(|first| !first.is_ascii_digit()).take_while(char::is_ascii_digit);
        let digits: String = digits.take(3).collect();
        let candidate = [lower.clone(), format!("v{}", lower.trim_start_matches('v')), format!("v{digits}")]
            .into_iter()
            .find(|candidate| is_version(candidate));
        let rule = "it must be `v` and a number, optionally followed by `alpha` or `beta` and a number";
        Err(invalid("version", text, rule, Some(candidate.unwrap_or_else(|| "v1alpha1".to_owned()))))
    }
}

fn is_version(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(rest) = text.strip_prefix('v') else { return false };
    match rest.split_once("alpha").or_else(|| rest.split_once("beta")) {
        Some((major, minor)) => number(major) && number(minor),
        None => number(rest),
    }
}

/// Returns true for a letter outside ASCII. A suggested name cannot simply omit such a letter, because the word would
/// change.
pub(super) fn is_foreign_letter(character: char) -> bool {
    character.is_alphabetic() && !character.is_ascii()
}

impl Kind {
    /// Creates a kind from a name that was checked before.
    pub(super) fn of(text: &str) -> Self {
        Kind(text.to_owned())
    }
}

impl Plural {
    /// Returns the plural that kubebuilder would choose for a singular name.
    pub(super) fn usual(singular: &str) -> Self {
        Plural(super::plural(singular))
    }
}

macro_rules! label_1035_type {
    ($name:ident, $what:literal, $usual:literal) => {
        impl $name {
            /// Checks that `text` is a DNS label that begins with a letter, as the API server requires.
            pub fn parse(text: &str) -> Result<Self, InvalidName> {
                match label_1035_rule(text) {
                    Some(rule) => {
                        let letter = |first: char| first.is_ascii_alphabetic();
                        let nearest = nearest_label(text.trim_start_matches(|first| !letter(first)), 63);
                        Err(invalid($what, text, rule, Some(nearest.unwrap_or_else(|| $usual.to_owned()))))
                    }
                    None => Ok($name(text.to_owned())),
                }
            }
        }
    };
}

label_1035_type!(Plural, "plural", "webservers");
label_1035_type!(ShortName, "short-name", "ws");
label_1035_type!(Category, "category", "all");
label_1035_type!(ControllerName, "controller-name", "web-server-backup");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_kubebuilder_takes() {
        for good in ["v1", "v2", "v10", "v1alpha1", "v2beta12", "v0", "v1alpha08"] {
            assert!(Version::parse(good).is_ok(), "{good}");
        }
        for (bad, suggestion) in [
            ("", "v1alpha1"),
            ("1", "v1"),
            ("V1", "v1"),
            ("v1.0", "v1"),
            ("v1gamma1", "v1"),
            ("v1alpha", "v1"),
            ("v1Beta1", "v1beta1"),
        ] {
            let error = Version::parse(bad).expect_err(bad);
            assert_eq!(error.suggestion.as_deref(), Some(suggestion), "{bad}");
        }
    }

    #[test]
    fn domains_have_a_dot_and_are_not_kubernetes_own() {
        assert!(Domain::parse_own("example.com").is_ok());
        // A project may have it, with an approval.
        assert!(Domain::parse("foo.k8s.io").is_ok());
        for (bad, suggestion) in [
            ("", "example.com"),
            ("localhost", "localhost.example.com"),
            ("Example.COM", "example.com"),
            ("https://example.com/", "example.com"),
            ("my_company.io", "my-company.io"),
            ("foo.k8s.io", "example.com"),
        ] {
            assert_eq!(Domain::parse_own(bad).expect_err(bad).suggestion.as_deref(), Some(suggestion), "{bad}");
        }
    }

    #[test]
    fn groups_are_not_versions() {
        assert!(Group::parse("apps").is_ok());
        assert!(Group::parse("core").is_ok());
        for bad in ["v1", "v1alpha1", "", "Apps", "a_b", "-a"] {
            assert!(Group::parse(bad).is_err(), "{bad}");
        }
        let domain = Domain::parse("example.com").expect("valid");
        assert_eq!(Group::none().with_domain(&domain), "example.com");
        assert_eq!(Group::parse("apps").expect("valid").with_domain(&domain), "apps.example.com");
    }
}
