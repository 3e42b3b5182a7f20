//! The crate of the types and the operator's program: chosen by flags, or taken from an earlier `opctl adopt`.

use super::packages::{self, Definer};
use crate::Result;
use crate::exec::{Metadata, Package};
use crate::model::Adopted;

/// The flags that choose the package of the types, its features and the operator's program.
#[derive(Clone, Copy)]
pub(super) struct Flags<'a> {
    pub(super) package: Option<&'a str>,
    pub(super) features: &'a [String],
    pub(super) program: Option<&'a str>,
}

/// Returns the crate that defines the kinds, and the features that it was read with. Without flags it is the crate that
/// `known` records, so that a command that is run again finds the same crate. If that crate has no types any more, all
/// packages are searched: the types may have moved into another crate.
///
/// # Errors
/// No crate, several crates, and sources that cannot be read.
pub(super) fn definer<'m>(
    flags: Flags<'_>,
    metadata: &'m Metadata,
    known: Option<&Adopted>,
) -> Result<(Definer<'m>, Vec<String>)> {
    let known = known.and_then(|known| Some((known, package_of(known, metadata)?)));
    let known = known.filter(|(_, package)| flags.package.is_none_or(|named| named == package.name));
    if let Some((known, package)) = known {
        let features = if flags.features.is_empty() { known.features.as_slice() } else { flags.features };
        let there = packages::definers(metadata, Some(package.name.as_str()), features)?;
        if there.iter().any(|definer| !definer.types.is_empty()) {
            return Ok((packages::only(there, Some(package.name.as_str()))?, features.to_owned()));
        }
    }
    let all = packages::definers(metadata, flags.package, flags.features)?;
    Ok((packages::only(all, flags.package)?, flags.features.to_owned()))
}

/// Returns the name of the program that a flag names, else the name of the operator that was recorded before, if that
/// program still exists.
pub(super) fn program<'a>(flags: Flags<'a>, metadata: &Metadata, known: Option<&'a Adopted>) -> Option<&'a str> {
    let before = known.and_then(|known| known.operator.as_ref());
    let before = before.filter(|program| packages::has(metadata, program));
    flags.program.or(before.map(|program| program.name.as_str()))
}

fn package_of<'m>(known: &Adopted, metadata: &'m Metadata) -> Option<&'m Package> {
    let is_its_folder = |package: &&Package| {
        let folder = package.manifest_path.parent();
        folder.and_then(|folder| folder.strip_prefix(&metadata.workspace_root).ok()) == Some(known.folder())
    };
    metadata.packages.iter().find(is_its_folder)
}
