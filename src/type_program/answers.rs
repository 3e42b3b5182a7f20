//! Returns the CRDs and schemas of the types, from the last compilation or from a new compilation.

use super::answer::{Answer, parse};
use super::folder::Shim;
use super::request::Request;
use super::{ask, build, cache, narrow, program};
use crate::Result;
use crate::report::Console;

/// Returns the CRD and the schemas of each type, and true if opctl compiled anything to get them.
pub fn answers(request: &Request, console: &Console) -> Result<(Vec<Answer>, bool)> {
    let shim = Shim::of(request);
    shim.write(request)?;
    if !request.force
        && let Some(text) = cache::lookup(&shim.folder, request)
    {
        return Ok((parse(&text)?, false));
    }
    if !request.force
        && let Some(text) = narrow::answers(&shim, request, console)
    {
        return Ok((parse(&text?)?, true));
    }
    let built = match &request.api.program {
        Some(program) => program::build(&shim, request, program, console)?,
        None => build::build(request.root, &shim.folder, &shim.build_folder, console)?,
    };
    let output = shim.folder.join("answers.json");
    let asked = ask::ask(&built.executable, &output, request.types)?;
    let mut answers = parse(&asked.text)?;
    if !asked.endless.is_empty() {
        answers.extend(asked.endless.into_iter().map(|path| Answer { path, endless: true, ..Answer::default() }));
        return Ok((answers, true));
    }
    cache::store(
        &shim.folder,
        request,
        &built.executable,
        &asked.text,
        narrow::names_by_file(request),
        request.api.program.as_ref().map(|program| request.folder().join(program)).into_iter().collect(),
    );
    Ok((answers, true))
}

/// Returns the types' CRDs and schemas from the last compilation if no input has changed since. Writes no file.
pub(crate) fn known_answers(request: &Request) -> Result<Option<Vec<Answer>>> {
    cache::lookup(&Shim::of(request).folder, request).map(|text| parse(&text)).transpose()
}
