//! Reads the index of published archives, `envtest-releases.yaml` of controller-tools.

use super::checksum::Checksum;
use super::kubernetes_version::Version;
use super::location::Location;
use crate::error::hint;
use crate::{Error, Result, yaml};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The URL of the index of published archives, as in setup-envtest.
pub const DEFAULT_INDEX: &str =
    "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/// The content of the YAML file that lists the archives.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Index {
    releases: BTreeMap<String, BTreeMap<String, Listed>>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    hash: String,
    self_link: String,
}

/// A listed archive with the programs of one version for one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Archive {
    /// The version of Kubernetes.
    pub(super) version: Version,
    /// The file name of the archive.
    pub(super) name: String,
    /// The URL of the archive.
    pub(super) url: String,
    /// The SHA-512 checksum of the archive, in lower-case hexadecimal digits.
    pub(super) sha512: String,
}

impl Archive {
    /// Returns the checksum that the archive must have; `index` is the location of the index, for the error.
    pub(super) fn checksum(&self, index: &Location) -> Result<Checksum> {
        Checksum::sha512(&self.sha512).ok_or_else(|| {
            Error::environment(format!(
                "the index `{}` has no valid SHA-512 checksum for the archive `{}`",
                index, self.name
            ))
            .caused_by("a SHA-512 checksum has 128 hexadecimal digits")
            .hint("build the servers from source instead: opctl envtest setup --from-source")
        })
    }
}

impl Index {
    /// Parses the index that was read from `location`.
    pub(super) fn parse(location: &Location, text: &str) -> Result<Self> {
        serde_yaml::from_str(text).map_err(|error| {
            Error::environment(format!("`{location}` is not an index of envtest archives"))
                .caused_by(yaml::cause(&error))
                .hint(hint!("opctl envtest setup --index {DEFAULT_INDEX}", DEFAULT_INDEX))
        })
    }

    /// Adds an archive to the index.
    pub(super) fn add(&mut self, archive: &Archive) {
        let listed = Listed { hash: archive.sha512.clone(), self_link: archive.url.clone() };
        self.releases.entry(format!("v{}", archive.version)).or_default().insert(archive.name.clone(), listed);
    }

    /// Returns the index as YAML.
    pub(super) fn text(&self) -> Result<String> {
        serde_yaml::to_string(self)
            .map_err(|error| Error::bug("the index of archives cannot be converted to YAML").source(&error))
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

    fn location() -> Location {
        Location::Url("https://example.com".to_owned())
    }

    #[test]
    fn an_index_is_written_as_it_is_read() {
        let mut written = Index::default();
        let archives = Index::parse(&location(), INDEX).unwrap().archives("linux-amd64");
        for archive in &archives {
            written.add(archive);
        }
        let read = Index::parse(&location(), &written.text().unwrap()).unwrap();
        assert_eq!(read.archives("linux-amd64"), archives);
        let error = archives[1].checksum(&location()).unwrap_err();
        assert_eq!(
            error.message(),
            "the index `https://example.com` has no valid SHA-512 checksum for the archive `envtest-v1.36.2-linux-amd64.tar.gz`"
        );
    }

    #[test]
    fn archives_of_one_platform_are_in_the_order_of_their_versions() {
        let archives = Index::parse(&location(), INDEX).unwrap().archives("linux-amd64");
        let versions: Vec<_> = archives.iter().map(|archive| archive.version.to_string()).collect();
        assert_eq!(versions, ["1.9.0", "1.36.2"]);
        assert_eq!(archives[1].sha512, "abcd");
        assert_eq!(archives[1].url, "https://example.com/envtest-v1.36.2-linux-amd64.tar.gz");
    }

    #[test]
    fn something_else_is_not_an_index() {
        let error = Index::parse(&location(), "<html>no</html>").unwrap_err();
        assert_eq!(error.category().exit_code(), 4);
        assert!(error.hint_text().is_some());
        assert!(error.causes().iter().all(|cause| cause.starts_with("line 1 ")), "{:?}", error.causes());
        let entries: Vec<String> = (0..60_000).map(|number| format!("b{number}: {{hash: h, selfLink: l}}")).collect();
        let many = format!("releases: {{a: {{{}}}}}", entries.join(", "));
        let error = Index::parse(&location(), &many).unwrap_err();
        assert!(error.causes()[0].ends_with("the YAML is too large or too deeply nested for a manifest"));
    }
}
