//! A version of the project at a git reference: its files are written into a folder below cargo's target folder, and its
//! operator is built once.

use super::again::repeat_command;
use super::args::ExploreArgs;
use super::stage::{self, Belong, Kinds, Subject};
use crate::commands::context::Context;
use crate::commands::operator_program::adoption_record;
use crate::commands::steps;
use crate::error::{file_error, hint};
use crate::exec;
use crate::explore::Launch;
use crate::system;
use crate::workspace::discover;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The name of the folder with all checked-out versions, below opctl's folder in cargo's target folder.
const FOLDER: &str = "from";

/// The checked-out sources of an older version of the operator, from which [`build`] builds that version.
pub(super) struct Sources {
    reference: String,
    /// The project's folder in the checked-out version.
    root: PathBuf,
    /// The folder that contains all checked-out versions.
    place: PathBuf,
}

/// Writes the files that the project has at the git reference `reference` into a folder below cargo's target folder.
pub(super) fn check_out(reference: &str, context: &Context) -> Result<Sources> {
    let root = discover(&context.directory)?;
    let cache = exec::cache_folder(&exec::target_folder(&root));
    exec::make_cache_folder(&cache).map_err(|error| file_error("write", &cache, &error))?;
    let place = cache.join(FOLDER);
    let old = exec::checkout(&root, reference, &place)?;
    context.console.status("Checked out", format!("{reference} into `{}`", old.display()));
    if !old.join("PROJECT").is_file() && adoption_record(&old).is_none() {
        return Err(Error::user(format!("`{reference}` does not contain an opctl project"))
            .caused_by("the commit has no file `PROJECT` in the folder of the project")
            .hint(hint!(
                "opctl explore --from-command ./old --from-crds old/crds    # for a version that is already built"
            )));
    }
    Ok(Sources { reference: reference.to_owned(), root: old, place })
}

/// Builds the operator from the checked-out sources of an older version, and returns the operator with the samples and
/// the flags of that version.
pub(super) fn build(sources: Sources, args: &ExploreArgs, context: &Context) -> Result<Subject> {
    let Sources { reference, root: old, place } = sources;
    let samples = stage::samples(&old.join(stage::SAMPLES), &args.kind, Belong::Project)?;
    let arguments = stage::arguments(&old)?;
    let program = program(&reference, &old, &place, context)?;
    let by_hand = hint!("cd {} && opctl run --envtest    # shows the operator's output", old.display());
    let launch =
        Launch { program, arguments, directory: old.clone(), by_hand, again: repeat_command(args), remembers: false };
    Ok(Subject { launch, samples, kinds: Kinds::Project(old) })
}

/// Returns the path of the operator's program at the git reference `reference`. Builds the program if it was not built
/// before. `old` is the project's folder in the checked-out version, and `place` is the folder with all checked-out
/// versions.
fn program(reference: &str, old: &Path, place: &Path, context: &Context) -> Result<PathBuf> {
    let commit = old.strip_prefix(place).ok().and_then(|path| path.iter().next()).unwrap_or(old.as_os_str());
    let kept = place.join("programs").join(commit);
    if kept.is_file() {
        return Ok(kept);
    }
    // In the folder of the project, cargo would mix up the files of the two versions: it knows a package by its path in
    // the workspace, and a change by its time.
    let target = system::create_temporary(place, "target-");
    let target = target.map_err(|error| file_error("write", place, &error))?;
    let further = target.path().to_string_lossy();
    let built = steps::build_operator_with(old, &["--target-dir", &further], &context.console).map_err(|error| {
        Error::user(format!("the operator does not compile at `{reference}`"))
            .caused_by(error.message())
            .hint(hint!("cd {} && cargo build    # shows the compiler errors again", old.display()))
    })?;
    let failed = |error: std::io::Error| file_error("write", &kept, &error);
    system::create_folders(kept.parent().unwrap_or(place)).map_err(failed)?;
    let partial = kept.with_extension("partial");
    system::copy_file(&built, &partial).map_err(failed)?;
    std::fs::rename(&partial, &kept).map_err(failed)?;
    Ok(kept)
}
