//! The path of a Rust module in another crate.

use super::InvalidName;
use super::names::invalid;
use super::reserved::is_keyword;

/// The path of a module in another crate, such as `gateway_api::apis::standard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustPath(String);

impl RustPath {
    /// Checks the path of a Rust module that begins with the name of a crate, such as `cert_manager::v1`. Such a path
    /// has the same meaning in every file of a project.
    ///
    /// # Errors
    /// Fails if Rust would not accept the path. The error suggests a valid path.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let rule = if text.split("::").any(|part| !is_identifier(part)) {
            "it must be the names of Rust modules joined by `::`, beginning with the crate, without the kind"
        } else if text.split("::").any(is_keyword) {
            "a Rust keyword cannot be the name of a crate or a module"
        } else {
            return Ok(RustPath(text.to_owned()));
        };
        Err(invalid("external-api-path", text, rule, Some(nearest(text))))
    }

    /// Returns the name of the crate in Rust code, which is the first part of the path.
    pub fn crate_name(&self) -> &str {
        self.0.split("::").next().unwrap_or_default()
    }

    /// Returns the path without its last part, if that part is `name`.
    pub fn without_last(&self, name: &str) -> Option<&str> {
        self.0.strip_suffix(name)?.strip_suffix("::")
    }
}

impl std::fmt::Display for RustPath {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn is_identifier(part: &str) -> bool {
    part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && part != "_"
        && part.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Returns a valid path similar to `text`, which can be a Go import path or the name of a package.
fn nearest(text: &str) -> String {
    let text: String = text.chars().take(200).map(|character| if character == '-' { '_' } else { character }).collect();
    let parts = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let parts: Vec<&str> = parts.filter(|part| is_identifier(part) && !is_keyword(part)).collect();
    if parts.is_empty() { "gateway_api::apis::standard".to_owned() } else { parts.join("::") }
}

#[cfg(test)]
mod tests {
    use super::RustPath;

    #[test]
    fn paths_begin_with_a_crate() {
        for good in ["certs", "certs::v1", "gateway_api::apis::standard::gateways", "api::certs"] {
            assert_eq!(RustPath::parse(good).expect(good).to_string(), good);
        }
        for (bad, suggestion) in [
            ("", "gateway_api::apis::standard"),
            ("gateway-api::apis", "gateway_api::apis"),
            ("::certs::v1", "certs::v1"),
            ("crate::certs", "certs"),
            ("github.com/cert-manager/certs", "github::com::cert_manager::certs"),
            ("certs::", "certs"),
        ] {
            let error = RustPath::parse(bad).expect_err(bad);
            assert_eq!(error.suggestion.as_deref(), Some(suggestion), "{bad}");
        }
    }
}
