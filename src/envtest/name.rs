//! Names of control planes: DNS labels, so that they can be used as file names, arguments and parts of cluster names.

use crate::error::hint;
use crate::model::{label_rule, nearest_label};
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The name of a detached control plane.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    /// Returns the name as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Name {
    fn default() -> Self {
        Name("default".to_owned())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Name {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if label_rule(text).is_none() {
            return Ok(Name(text.to_owned()));
        }
        Err(Error::usage(format!("`{text}` cannot name a control plane"))
            .caused_by("a name is a DNS label: at most 63 lower-case letters, digits and inner hyphens")
            .hint(hint!(
                "opctl envtest start --name {}",
                nearest_label(text, 63).unwrap_or_else(|| "default".to_owned())
            )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dns_labels() {
        for name in ["default", "a", "feature-12", "1"] {
            assert_eq!(name.parse::<Name>().unwrap().as_str(), name);
        }
        for (name, valid) in
            [("My_Plane", "my-plane"), ("", "default"), ("../x", "x"), ("-a-", "a"), (".locks", "locks")]
        {
            let error = name.parse::<Name>().unwrap_err();
            assert_eq!(error.category().exit_code(), 2);
            assert!(error.hint_text().unwrap().ends_with(&format!("--name {valid}")), "{name}");
        }
        assert!("x".repeat(64).parse::<Name>().is_err());
    }
}
