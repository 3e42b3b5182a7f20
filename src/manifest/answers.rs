//! The third step of `opctl manifests`: compiles the types of each api crate into a small program, and runs this
//! program, which prints the CRDs and schemas of the types.

use super::find_types::Types;
use super::options::Options;
use crate::report::Console;
use crate::type_program::{self, Answer, Request};
use crate::{Error, Result, exec};
use std::path::{Path, PathBuf};

/// The answers of all compiled types: the CRD and the schemas of each type.
#[derive(Default)]
pub(super) struct Answers {
    /// One answer for each type, in the order of the types.
    pub(super) all: Vec<Answer>,
    /// True if a crate was compiled.
    pub(super) compiled: bool,
    /// The cache folder that stores the CRDs and schemas of the types between runs of opctl.
    pub(super) memory: PathBuf,
}

/// Returns the CRDs and schemas of the types in each api crate, as printed by the program that opctl compiles for the
/// crate. Returns `None` if `options.compile` is false and the stored output for a crate is missing or outdated.
///
/// # Errors
/// Fails if the types do not compile, after showing the compiler's messages, or if cargo is not installed.
pub(super) fn ask(root: &Path, options: &Options, types: &Types, console: &Console) -> Result<Option<Answers>> {
    if types.all.is_empty() {
        return Ok(Some(Answers::default()));
    }
    let target = &exec::target_folder(root);
    let mut asked = Answers { memory: type_program::folder(root, target), ..Answers::default() };
    let crates = options.apis.iter().zip(&types.crates).enumerate();
    for (index, (api, types)) in crates.filter(|(_, (_, types))| !types.is_empty()) {
        let paths: Vec<String> = types.iter().map(|found| found.path.clone()).collect();
        let roots: Vec<(PathBuf, String)> =
            types.iter().map(|found| (found.file.clone(), found.resource.root.clone())).collect();
        let first = index == 0;
        let request = Request { root, api, first, target, types: &paths, roots: &roots, force: options.force };
        let mut answers = if options.compile {
            let (answers, compiled) = type_program::answers(&request, console)?;
            asked.compiled |= compiled;
            answers
        } else {
            let Some(answers) = type_program::known_answers(&request)? else { return Ok(None) };
            answers
        };
        for path in paths {
            let at = answers.iter().position(|answer| answer.path == path);
            let at = at.ok_or_else(|| {
                Error::bug(format!(
                    "the output of the program that opctl compiled from the API types \
                                                     does not contain the type `{path}`"
                ))
            })?;
            asked.all.push(answers.swap_remove(at));
        }
    }
    if options.compile && !asked.compiled {
        console.detail("nothing has changed since the last run, so nothing is compiled");
    }
    Ok(Some(asked))
}
