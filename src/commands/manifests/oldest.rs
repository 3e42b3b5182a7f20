//! `opctl manifests --kubernetes`: finds the types and fields that an older version of Kubernetes lacks.

use crate::envtest::Selector;
use crate::manifest::OldestKubernetes;
use crate::workspace::Workspace;
use crate::{Error, Result};

/// Returns the types and fields that Kubernetes `version` lacks. With `locked`, Cargo.lock does not change. Returns
/// `None` without a version, if the version is not older than the types that the operator is compiled with, or if the
/// operator is compiled without k8s-openapi.
pub(super) fn compare(version: Option<&str>, workspace: &Workspace, locked: bool) -> Result<Option<OldestKubernetes>> {
    let Some(version) = version else { return Ok(None) };
    OldestKubernetes::compare(workspace.root(), minor_version(version)?, locked)
}

fn minor_version(version: &str) -> Result<u32> {
    let selector: Selector = version.parse()?;
    selector.minor().ok_or_else(|| {
        Error::usage(format!("`{version}` does not name a minor version of Kubernetes 1"))
            .hint("opctl manifests --kubernetes 1.34")
    })
}

#[cfg(test)]
mod tests {
    use super::minor_version;

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
            ("1.34.x", Some(34)),
            ("~1.34.2", Some(34)),
            ("<1.34", None),
            ("latest", None),
            ("1.34.2.1", None),
            ("1.-3", None),
            ("1.99999999999", None),
        ] {
            assert_eq!(minor_version(version).ok(), expected, "{version}");
        }
        let error = minor_version("<1.34").unwrap_err();
        assert_eq!(error.message(), "`<1.34` does not name a minor version of Kubernetes 1");
    }
}
