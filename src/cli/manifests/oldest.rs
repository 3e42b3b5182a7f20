//! `opctl manifests --kubernetes`: the oldest version that the code is compared with.

use crate::manifest::OldestKubernetes;
use crate::workspace::Workspace;
use crate::{Error, Result};

/// Returns what `version` lacks, if one is named and it is older than the types that the operator is compiled with.
pub(super) fn compare(version: Option<&str>, workspace: &Workspace, locked: bool) -> Result<Option<OldestKubernetes>> {
    let Some(version) = version else { return Ok(None) };
    let minor = minor(version).ok_or_else(|| {
        Error::usage(format!("`{version}` is not a Kubernetes version")).hint("opctl manifests --kubernetes 1.34")
    })?;
    OldestKubernetes::compare(workspace.root(), minor, locked)
}

/// Returns the minor version of `1.34`, `v1.34` or `1.34.2`.
fn minor(version: &str) -> Option<u32> {
    let mut numbers = version.strip_prefix('v').unwrap_or(version).split('.').map(|number| number.parse().ok());
    let (major, minor, patch) = (numbers.next()?, numbers.next()?, numbers.next());
    (major == Some(1) && patch != Some(None) && numbers.next().is_none()).then_some(minor)?
}

#[cfg(test)]
mod tests {
    use super::minor;

    #[test]
    fn a_version_has_a_minor_version() {
        for (version, expected) in [
            ("1.34", Some(34)),
            ("v1.34", Some(34)),
            ("1.34.2", Some(34)),
            ("", None),
            ("1", None),
            ("1.", None),
            ("2.34", None),
            ("1.34.x", None),
            ("1.34.2.1", None),
            ("1.-3", None),
            ("1.99999999999", None),
        ] {
            assert_eq!(minor(version), expected, "{version}");
        }
    }
}
