//! The origin of a kind's type.

use super::names::invalid;
use super::{BuiltIn, Group, InvalidName, RustPath, subdomain_rule};
use semver::VersionReq;

/// The origin of a kind's type.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Origin {
    /// The project defines the type.
    #[default]
    Own,
    /// The kind is built into Kubernetes.
    Core(&'static BuiltIn),
    /// Another crate defines the type.
    External(External),
}

impl Origin {
    /// Returns true if both types are the project's own, both are built into Kubernetes, or both are from other crates.
    pub fn is_like(&self, other: &Origin) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// A kind that another crate defines.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// The domain in the API group `<group>.<domain>`; `None` if the API group is the group alone.
    pub domain: Option<String>,
    /// The module that contains the type.
    pub path: RustPath,
    /// The source from which cargo takes the crate, if given.
    pub dependency: Option<Dependency>,
}

impl External {
    /// Creates a kind of another crate, and checks the domain together with the group.
    ///
    /// # Errors
    /// Fails if the domain is invalid, the group is empty, or the whole group has no dot, because every group of a
    /// CRD has a dot.
    pub fn new(
        group: &Group,
        domain: Option<&str>,
        path: RustPath,
        dependency: Option<Dependency>,
    ) -> Result<Self, InvalidName> {
        if let Some(domain) = domain
            && let Some(rule) = subdomain_rule(domain)
        {
            return Err(invalid("external-api-domain", domain, rule, Some("io".to_owned())));
        }
        let external = External { domain: domain.map(str::to_owned), path, dependency };
        let whole = external.api_group(group);
        if group.is_none() {
            let rule = "a kind from another crate must have a group";
            return Err(invalid("group", "", rule, Some("cert-manager".to_owned())));
        }
        if !whole.contains('.') {
            let rule = "the group of a CRD must contain a dot: name its domain, or the whole group";
            return Err(invalid("group", &whole, rule, Some(format!("{whole}.io"))));
        }
        Ok(external)
    }

    /// Returns the whole API group.
    pub fn api_group(&self, group: &Group) -> String {
        match &self.domain {
            Some(domain) => format!("{group}.{domain}"),
            None => group.to_string(),
        }
    }
}

/// A source of a crate, in a form that `cargo add` accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// A package in a registry, and a version requirement.
    Registry {
        /// The name of the package.
        package: String,
        /// The version requirement, as in a Cargo.toml.
        requirement: String,
    },
    /// A folder, relative to the project's root.
    Path(String),
}

impl Dependency {
    /// Parses `NAME@VERSION` or a path.
    ///
    /// # Errors
    /// Fails for any other text. The error suggests a valid text.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let refuse = |rule: &str, suggestion: String| Err(invalid("external-api-module", text, rule, Some(suggestion)));
        if text.is_empty() || text.contains(|character: char| character.is_control() || character == '"') {
            return refuse("it must be a package and its version, or a path", "gateway-api@0.19".to_owned());
        }
        if text.contains(['/', '\\']) || text.starts_with('.') {
            return Ok(Dependency::Path(text.to_owned()));
        }
        let is_name = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_alphabetic())
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
        };
        match text.split_once('@') {
            Some((package, requirement)) if is_name(package) && VersionReq::parse(requirement).is_ok() => {
                Ok(Dependency::Registry { package: package.to_owned(), requirement: requirement.to_owned() })
            }
            None if is_name(text) => refuse(
                "the version is missing: opctl does not ask a registry for the newest one, and a path must contain a \
                 `/`",
                format!("{text}@1"),
            ),
            _ => refuse("it must be a package and its version, or a path", "gateway-api@0.19".to_owned()),
        }
    }
}

impl std::fmt::Display for Dependency {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Dependency::Registry { package, requirement } => write!(formatter, "{package}@{requirement}"),
            Dependency::Path(path) => formatter.write_str(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_a_package_with_a_version_or_a_path() {
        for good in ["gateway-api@0.19", "certs@>=1, <3", "../certs", "./certs", "vendor/certs"] {
            assert_eq!(Dependency::parse(good).expect(good).to_string(), good);
        }
        for (bad, suggestion) in [
            ("", "gateway-api@0.19"),
            ("gateway-api", "gateway-api@1"),
            ("a@", "gateway-api@0.19"),
            ("a b@1", "gateway-api@0.19"),
        ] {
            assert_eq!(Dependency::parse(bad).expect_err(bad).suggestion.as_deref(), Some(suggestion), "{bad}");
        }
    }

    #[test]
    fn the_whole_group_has_a_dot() {
        let new = |group: &str, domain: Option<&str>| {
            let group = if group.is_empty() { Group::none() } else { Group::parse(group).expect(group) };
            let path = RustPath::parse("certs::v1").expect("valid");
            External::new(&group, domain, path, None).map(|external| external.api_group(&group))
        };
        assert_eq!(new("cert-manager", Some("io")).as_deref(), Ok("cert-manager.io"));
        assert_eq!(new("cert-manager.io", None).as_deref(), Ok("cert-manager.io"));
        assert_eq!(new("certs", None).expect_err("no dot").suggestion.as_deref(), Some("certs.io"));
        assert_eq!(new("", Some("io")).expect_err("no group").what, "group");
        assert_eq!(new("certs", Some("Io")).expect_err("upper case").what, "external-api-domain");
    }
}
