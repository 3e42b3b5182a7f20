//! The sources of programs: published downloads of Kubernetes and controller-tools, a mirror of them, or a folder.
//!
//! A mirror and a folder share a layout, which `opctl help testing` describes and [`Origin::program`] implements.
//! The URLs in their index are ignored, so that the index can be a copy of the published index.

use super::index::{Archive, DEFAULT_INDEX};
use super::kubernetes_version::Version;
use super::location::Location;
use super::places::variable;
use std::path::PathBuf;

/// The environment variable that contains the URL of a mirror.
const MIRROR_VARIABLE: &str = "OPCTL_ENVTEST_MIRROR";
/// The file name of the index of archives in a mirror or a folder.
pub(super) const INDEX: &str = "envtest-releases.yaml";
/// The URL of Kubernetes' own downloads, whose layout a mirror copies.
const RELEASES: &str = "https://dl.k8s.io";

/// A source of programs to download or copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The archives in a published index, and Kubernetes' own downloads for the programs that the archives lack.
    Published {
        /// The URL of the index; `None` for the index of controller-tools.
        index: Option<String>,
    },
    /// The URL of a mirror of the archives and of Kubernetes' own downloads.
    Mirror(String),
    /// A folder with the same layout as a mirror.
    Folder(PathBuf),
}

impl Origin {
    /// Returns the mirror that the environment variable names, or the published downloads if the variable is not set.
    pub(super) fn of_this_process() -> Self {
        match variable(MIRROR_VARIABLE) {
            Some(mirror) => Origin::Mirror(mirror.to_string_lossy().into_owned()),
            None => Origin::Published { index: None },
        }
    }

    /// Returns true if the user has chosen the origin. If a chosen origin fails, nothing is built from source instead.
    pub(super) fn is_chosen(&self) -> bool {
        *self != Origin::Published { index: None }
    }

    /// Returns the location of the index of archives.
    pub(super) fn index(&self) -> Location {
        match self {
            Origin::Published { index } => Location::Url(index.clone().unwrap_or_else(|| DEFAULT_INDEX.to_owned())),
            Origin::Mirror(_) | Origin::Folder(_) => self.location_below(INDEX),
        }
    }

    /// Returns the location of an archive.
    pub(super) fn archive(&self, archive: &Archive) -> Location {
        match self {
            Origin::Published { .. } => Location::Url(archive.url.clone()),
            Origin::Mirror(_) | Origin::Folder(_) => self.location_below(&archive.name),
        }
    }

    /// Returns the location of a program, such as kubelet, that setup-envtest archives lack.
    pub(super) fn program(&self, version: Version, platform: &str, name: &str) -> Location {
        self.location_below(&program_path(version, platform, name))
    }

    /// Returns the location of the checksum of a program, such as kubelet, that setup-envtest archives lack.
    pub(super) fn checksum(&self, version: Version, platform: &str, name: &str) -> Location {
        self.location_below(&format!("{}.sha256", program_path(version, platform, name)))
    }

    fn location_below(&self, path: &str) -> Location {
        match self {
            Origin::Published { .. } => Location::Url(format!("{RELEASES}/{path}")),
            Origin::Mirror(base) => Location::Url(format!("{}/{path}", base.trim_end_matches('/'))),
            Origin::Folder(folder) => Location::File(folder.join(path)),
        }
    }
}

/// Returns the path of the program `name`, relative to the base URL of Kubernetes' own downloads or of a mirror.
/// `platform` is, for example, `linux-amd64`.
pub(super) fn program_path(version: Version, platform: &str, name: &str) -> String {
    format!("release/v{version}/bin/{}/{name}", platform.replacen('-', "/", 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envtest::PINNED;

    #[test]
    fn each_place_has_its_files_where_the_help_says() {
        let archive = Archive {
            version: PINNED,
            name: "envtest-v1.36.4-linux-amd64.tar.gz".to_owned(),
            url: "https://example.com/elsewhere".to_owned(),
            sha512: String::new(),
        };
        let files = |origin: Origin| {
            let program = origin.program(PINNED, "linux-arm64", "kubelet");
            let checksum = origin.checksum(PINNED, "linux-arm64", "kubelet");
            [origin.index(), origin.archive(&archive), program, checksum].map(|location| location.to_string())
        };
        let layout = |base: &str| {
            [
                "envtest-releases.yaml",
                "envtest-v1.36.4-linux-amd64.tar.gz",
                "release/v1.36.4/bin/linux/arm64/kubelet",
                "release/v1.36.4/bin/linux/arm64/kubelet.sha256",
            ]
            .map(|path| format!("{base}/{path}"))
        };
        assert_eq!(files(Origin::Mirror("https://mirror.example/k8s/".into())), layout("https://mirror.example/k8s"));
        assert_eq!(files(Origin::Folder("/media/stick".into())), layout("/media/stick"));
        let published = files(Origin::Published { index: None });
        assert_eq!(published[..2], [DEFAULT_INDEX, "https://example.com/elsewhere"]);
        assert_eq!(published[2..], layout("https://dl.k8s.io")[2..]);
        let help = include_str!("../cli/help/testing.md");
        for path in layout("URL").map(|path| path.replace("1.36.4", "X.Y.Z")) {
            let path = path.replace("linux-amd64", "OS-ARCH").replace("arm64", "ARCH").replace("kubelet", "NAME");
            assert!(help.contains(&path), "{path}");
        }
    }
}
