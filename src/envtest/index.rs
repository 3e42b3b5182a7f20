//! Reads the index of published archives, `envtest-releases.yaml` of controller-tools.

use super::version::Version;
use crate::error::hint;
use crate::{Error, Result, yaml};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The URL of the index of published archives, which is setup-envtest's default.
pub const DEFAULT_INDEX: &str =
    "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/// The index, as in its YAML file.
#[derive(Debug, Deserialize)]
pub(super) struct Index {
    releases: BTreeMap<String, BTreeMap<String, Listed>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    hash: String,
    self_link: String,
}

/// An archive of one version for one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Archive {
    /// The version of Kubernetes.
    pub(super) version: Version,
    /// The name of the file.
    pub(super) name: String,
    /// The URL of the file.
    pub(super) url: String,
    /// The SHA-512 of the file, in lower-case hexadecimal digits.
    pub(super) sha512: String,
}

impl Index {
    /// Parses the index that came from `url`.
    pub(super) fn parse(url: &str, text: &str) -> Result<Self> {
        serde_yaml::from_str(text).map_err(|error| {
            Error::environment(format!("`{url}` is not an index of envtest archives"))
                .caused_by(yaml::cause(&error))
                .hint(hint!("opctl envtest setup --index {DEFAULT_INDEX}", DEFAULT_INDEX))
        })
    }

    /// Returns the archives for `platform`, such as `linux-amd64`, oldest first, without pre-releases.
    pub(super) fn archives(&self, platform: &str) -> Vec<Archive> {
        let mut archives = Vec::new();
        for (name, listed) in self.releases.values().flatten() {
            let version =
                name.strip_prefix("envtest-v").and_then(|rest| rest.strip_suffix(&format!("-{platform}.tar.gz")));
            if let Some(version) = version.and_then(Version::parse) {
                let (name, url) = (name.clone(), listed.self_link.clone());
                archives.push(Archive { version, name, url, sha512: listed.hash.to_lowercase() });
            }
        }
        archives.sort_by_key(|archive| archive.version);
        archives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "releases:
  v1.36.2:
    envtest-v1.36.2-linux-amd64.tar.gz:
      hash: ABCD
      selfLink: https://example.com/envtest-v1.36.2-linux-amd64.tar.gz
    envtest-v1.36.2-darwin-arm64.tar.gz: {hash: ef, selfLink: https://example.com/d}
  v1.9.0:
    envtest-v1.9.0-linux-amd64.tar.gz: {hash: ef, selfLink: https://example.com/o}
  v1.37.0-rc.0:
    envtest-v1.37.0-rc.0-linux-amd64.tar.gz: {hash: ef, selfLink: https://example.com/r}
";

    #[test]
    fn archives_of_one_platform_are_in_the_order_of_their_versions() {
        let archives = Index::parse("index", INDEX).unwrap().archives("linux-amd64");
        let versions: Vec<_> = archives.iter().map(|archive| archive.version.to_string()).collect();
        assert_eq!(versions, ["1.9.0", "1.36.2"]);
        assert_eq!(archives[1].sha512, "abcd");
        assert_eq!(archives[1].url, "https://example.com/envtest-v1.36.2-linux-amd64.tar.gz");
    }

    #[test]
    fn something_else_is_not_an_index() {
        let error = Index::parse("https://example.com", "<html>no</html>").unwrap_err();
        assert_eq!(error.category().exit_code(), 4);
        assert!(error.hint_text().is_some());
        assert!(error.causes().iter().all(|cause| cause.starts_with("line 1 ")), "{:?}", error.causes());
        let entries: Vec<String> = (0..60_000).map(|number| format!("b{number}: {{hash: h, selfLink: l}}")).collect();
        let many = format!("releases: {{a: {{{}}}}}", entries.join(", "));
        let error = Index::parse("https://example.com", &many).unwrap_err();
        assert!(error.causes()[0].ends_with("it is larger, or nested more deeply, than any manifest"));
    }
}
