//! Downloads the programs that setup-envtest's archives lack, from Kubernetes' own download server or from a mirror.
//!
//! Kubernetes publishes its server programs for Linux only. The project kwok publishes server programs for macOS and
//! Windows, but without checksums. So opctl does not download them: on macOS and Windows, it builds the programs from
//! source.

use super::checksum::Checksum;
use super::failure::Failure;
use super::fetch::{self, Item};
use super::kubernetes_version::Version;
use super::location::Location;
use super::origin::Origin;
use super::partial::Partials;
use crate::report::Console;
use crate::{Error, Result};
use std::path::Path;

/// The maximum size of a program in bytes. The largest program, kube-apiserver, has 90 MB.
const PROGRAM: u64 = 400_000_000;
/// The maximum size in bytes of a checksum file, which contains a SHA-256 checksum and sometimes the program's
/// name.
const CHECKSUM: u64 = 1_000;

/// Returns true if Kubernetes publishes its servers for a platform such as `linux-amd64`.
pub(super) fn is_published(platform: &str) -> bool {
    platform.starts_with("linux-")
}

/// A version of Kubernetes' programs for a platform, and the server, mirror or folder that they come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Release<'a> {
    /// The server, mirror or folder that the programs come from.
    pub(super) origin: &'a Origin,
    /// The version of Kubernetes.
    pub(super) version: Version,
    /// The operating system and architecture, such as `linux-amd64`.
    pub(super) platform: &'a str,
    /// True if http is allowed to machines other than this one.
    pub(super) plain_http: bool,
}

impl Release<'_> {
    /// Returns the location of the program `name`.
    pub(super) fn location(&self, name: &str) -> Location {
        self.origin.program(self.version, self.platform, name)
    }

    /// Reads the published checksum of the program `name`, and returns the item to fetch.
    pub(super) fn item(&self, name: &str) -> Result<Item, Failure> {
        let location = self.origin.checksum(self.version, self.platform, name);
        let text = fetch::small(&location, CHECKSUM, self.plain_http)?;
        let text = String::from_utf8_lossy(&text);
        // The digits alone, or as sha256sum(1) writes them, with the name of the file.
        let checksum = text.split_whitespace().next().and_then(Checksum::sha256);
        let checksum = checksum.ok_or_else(|| Failure::Refused(no_checksum(&location, &text)))?;
        Ok(Item {
            location: self.location(name),
            name: format!("{name}-v{}-{}", self.version, self.platform),
            checksum,
            according_to: format!("`{location}`"),
            limit: PROGRAM,
        })
    }

    /// Fetches the program `name` into the existing folder `folder`.
    pub(super) fn fetch(
        &self,
        name: &str,
        partials: &Partials,
        folder: &Path,
        console: &Console,
    ) -> Result<(), Failure> {
        fetch::download_item(&self.item(name)?, self.plain_http, partials, &folder.join(name), console)
    }
}

fn no_checksum(location: &Location, text: &str) -> Error {
    let error = Error::environment(format!("the file `{location}` does not contain a SHA-256 checksum"));
    let error = match text.split_whitespace().next() {
        Some(word) => error.caused_by(format!("it begins with `{}`", word.chars().take(40).collect::<String>())),
        None => error.caused_by("it is empty"),
    };
    error.hint(
        "run the same command again; if it fails again, build the servers from source instead: opctl envtest \
                setup --from-source",
    )
}
