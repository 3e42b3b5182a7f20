//! The first step of `opctl manifests`: reads the sources and the hand-written roles of the project once.

use super::lint;
use super::options::Options;
use crate::Result;
use crate::finding::Finding;
use crate::permissions::rights::{self, Rights};
use crate::source::crate_sources::{self, GeneratedFiles, Source};
use crate::source::places::LazyPlaces;
use crate::template::verbatim;
use std::path::Path;

/// The sources of a project.
pub(super) struct Sources {
    /// The files of all crates.
    pub(super) files: Vec<Source>,
    /// The texts of `files`, and the locations of types and fields in these files.
    pub(super) located: LazyPlaces,
    /// The rights that hand-written roles grant.
    pub(super) by_hand: Rights,
    /// The findings about attributes in the api crates.
    pub(super) findings: Vec<Finding>,
}

/// Reads the sources of the project at `root`, an absolute path.
///
/// # Errors
/// Fails if a source file or a role cannot be read or has conflict markers.
pub(super) fn read_sources(root: &Path, options: &Options) -> Result<Sources> {
    let texts = verbatim("project").map(|(path, text)| (Path::new(path), text)).collect();
    let apis: Vec<&Path> = options.apis.iter().map(|api| api.folder.as_path()).collect();
    let files = crate_sources::read_sources(root, &apis, &GeneratedFiles { texts, read: rights::NEED_RIGHTS })?;
    let of_apis = files.iter().filter(|source| apis.iter().any(|api| source.file.starts_with(api)));
    let findings = of_apis.filter_map(|one| Some(lint::attributes(&one.file, &one.text, one.syntax.as_ref()?)));
    Ok(Sources {
        findings: findings.flatten().collect(),
        located: LazyPlaces::new(files.iter().map(|one| (one.file.clone(), one.text.clone())).collect()),
        by_hand: rights::by_hand(root)?,
        files,
    })
}
