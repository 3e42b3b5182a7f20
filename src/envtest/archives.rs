//! Finds the published archives of setup-envtest, and chooses one of them.

use super::failure::Failure;
use super::fetch::{self, Item};
use super::index::{Archive, Index};
use super::kubernetes_version::{PINNED, Selector, Version};
use super::location::Location;
use super::origin::Origin;
use crate::error::hint;
use crate::report::Console;
use crate::{Error, Result};

/// The maximum size of the index. The published index has 300 kB.
const INDEX: u64 = 8_000_000;
/// The maximum size of an archive. The largest published archive has 100 MB.
const ARCHIVE: u64 = 400_000_000;

/// Returns the archives at `origin` for `platform`, such as `linux-amd64`, oldest first.
pub(super) fn archives(
    origin: &Origin,
    platform: &str,
    plain_http: bool,
    console: &Console,
) -> Result<Vec<Archive>, Failure> {
    let location = origin.index();
    let _spinner = console.spinner("Fetching", format!("`{location}`"));
    let text = fetch::small(&location, INDEX, plain_http)?;
    let index = Index::parse(&location, &String::from_utf8_lossy(&text)).map_err(Failure::Refused)?;
    let mut archives = index.archives(platform);
    // A folder need not have everything that its index lists.
    archives.retain(|archive| match origin.archive(archive) {
        Location::File(path) => path.symlink_metadata().is_ok(),
        Location::Url(_) => true,
    });
    Ok(archives)
}

/// Returns the newest archive that `selector` selects.
pub(super) fn newest(archives: &[Archive], selector: &Selector, platform: &str) -> Result<Archive> {
    let newest = selector.newest(archives.iter().map(|archive| archive.version));
    let found = newest.and_then(|version| archives.iter().find(|archive| archive.version == version));
    found.cloned().ok_or_else(|| {
        let versions: Vec<_> = archives.iter().map(|archive| archive.version).collect();
        unpublished_error(selector, &versions, platform)
    })
}

/// Returns the file to fetch for an archive: its location, and the checksum and maximum size to verify.
pub(super) fn item(archive: &Archive, origin: &Origin) -> Result<Item> {
    let index = origin.index();
    Ok(Item {
        location: origin.archive(archive),
        name: archive.name.clone(),
        checksum: archive.checksum(&index)?,
        according_to: format!("`{index}`"),
        limit: ARCHIVE,
    })
}

fn unpublished_error(selector: &Selector, versions: &[Version], platform: &str) -> Error {
    let newest: Vec<_> = versions.iter().rev().take(5).map(|version| format!("`{version}`")).collect();
    let error = Error::environment(format!("no archive of Kubernetes `{selector}` is published for {platform}"));
    match versions.last() {
        Some(last) => error.caused_by(format!("the newest are {}", newest.join(", "))).hint(hint!(
            "opctl envtest setup {last}\nor, with Go: opctl envtest setup {PINNED} --from-source",
            last,
            PINNED
        )),
        None => error
            .hint(hint!("if Go is installed, build from source: opctl envtest setup {PINNED} --from-source", PINNED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_an_unpublished_version_lists_the_newest_first() {
        let versions = ["1.34.0", "1.35.0", "1.36.2"].map(|text| Version::parse(text).unwrap());
        let error = unpublished_error(&Selector::exactly(PINNED), &versions, "linux-amd64");
        assert_eq!(error.causes(), ["the newest are `1.36.2`, `1.35.0`, `1.34.0`"]);
        assert!(error.hint_text().is_some_and(|hint| hint.starts_with("opctl envtest setup 1.36.2")));
    }
}
