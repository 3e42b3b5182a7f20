//! The answers of the compiled types, crate by crate.

use super::options::Options;
use crate::report::Console;
use crate::shim::{self, Answer, Request};
use crate::source::discover::ApiType;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The answers of all types.
pub(super) struct Asked {
    /// One answer for each type, in the order of the crates and of their types.
    pub(super) answers: Vec<Answer>,
    /// True if anything was compiled.
    pub(super) compiled: bool,
}

/// Asks the types of each api crate; `found` has the types of each. Returns `None` if nothing may be compiled and the
/// last answers of a crate are no longer true.
pub(super) fn ask(
    root: &Path,
    options: &Options,
    target: &Path,
    found: &[Vec<ApiType>],
    console: &Console,
) -> Result<Option<Asked>> {
    let mut asked = Asked { answers: Vec::new(), compiled: false };
    for (index, (api, types)) in options.apis.iter().zip(found).enumerate().filter(|(_, (_, types))| !types.is_empty())
    {
        let paths: Vec<String> = types.iter().map(|found| found.path.clone()).collect();
        let roots: Vec<(PathBuf, String)> =
            types.iter().map(|found| (found.file.clone(), found.resource.root.clone())).collect();
        let first = index == 0;
        let request = Request { root, api, first, target, types: &paths, roots: &roots, force: options.force };
        let mut answers = if options.compile {
            let (answers, compiled) = shim::answers(&request, console)?;
            asked.compiled |= compiled;
            answers
        } else {
            let Some(answers) = shim::known(&request)? else { return Ok(None) };
            answers
        };
        for path in paths {
            let at = answers.iter().position(|answer| answer.path == path);
            let at = at.ok_or_else(|| Error::bug(format!("the compiled types do not name `{path}`")))?;
            asked.answers.push(answers.swap_remove(at));
        }
    }
    if options.compile && !asked.compiled {
        console.detail("nothing changed since the last time, nothing is compiled");
    }
    Ok(Some(asked))
}
