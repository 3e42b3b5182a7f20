//! Generates all files that `opctl manifests` writes, as contents by path.

use super::answers::ask;
use super::find_types::find_types;
use super::findings::{apply_allow_markers, compare, has_errors, in_order, refuse};
use super::generate_crds::{Definitions, define};
use super::generated_files::files;
use super::inputs::Inputs;
use super::judged::without_judged;
use super::manifests::Manifests;
use super::options::Options;
use super::sources::read_sources;
use super::verified::remembered_warnings;
use crate::Result;
use crate::error::file_error;
use crate::permissions::rights;
use crate::report::Console;
use crate::source::newer_types;
use std::path::Path;

/// Generates the manifests of the project at `root`. Writes only below cargo's target folder.
///
/// # Errors
/// Fails if the types do not compile, after showing the compiler's messages, or if cargo is not installed. Also fails
/// if a finding is an error; the returned error then contains all findings.
pub fn generate(root: &Path, options: &Options, console: &Console) -> Result<Manifests> {
    let root = std::path::absolute(root).map_err(|error| file_error("find", root, &error))?;
    let sources = read_sources(&root, options)?;
    // If types cannot be read or do not compile, what the markers say is still checked.
    let (types, outcome) = find_types(&root, options, &sources.files, console);
    let answers = outcome.and_then(|()| ask(&root, options, &types, console));
    let (definitions, outcome) = match answers {
        Ok(answers) => define(&root, options, &sources, &types, answers),
        Err(error) => (Definitions::default(), Err(error)),
    };
    let files = files(options, &sources.files, &types.all, &definitions.generated);
    let read_inputs = || Inputs::read(&root, options, &sources.files, &types.converted);
    let inputs = (!types.all.is_empty()).then(read_inputs).transpose()?;

    let mut findings = [types.findings, definitions.findings, sources.findings, files.findings].concat();
    // The unreadable marker may be the very one that grants the rights that seem to be missing.
    if !has_errors(&findings) {
        let rights = sources.by_hand.with(&files.grants);
        findings.extend(rights::check(&sources.files, &types.all, &options.external, &rights));
    }
    findings.extend(rights::check_caches(&sources.files, &types.all, &options.external));
    if let Some(oldest) = &options.oldest {
        findings.extend(newer_types::check(&sources.files, &oldest.version, &oldest.lacks));
    }
    if let Err(error) = outcome {
        return Err(error.with_findings(in_order(findings)));
    }
    let older = options.against.as_ref().filter(|_| !has_errors(&findings));
    findings.extend(compare(&root, older, &definitions.generated, &types.all, &sources.located));
    findings.extend(remembered_warnings(&definitions.memory, &definitions.generated, &sources.located));
    let findings = in_order(apply_allow_markers(findings, options, &sources.located, definitions.complete));
    refuse(&findings, options.against.is_some())?;
    Ok(Manifests {
        files: files.contents,
        types: types.all,
        findings: without_judged(findings, &definitions.memory, &definitions.generated),
        compiled: definitions.compiled,
        complete: definitions.complete,
        inputs,
        definitions: definitions.generated,
        sources: sources.located,
        memory: definitions.memory,
    })
}
