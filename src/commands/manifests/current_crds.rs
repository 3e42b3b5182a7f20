//! The CRDs of the current types, for commands that read them.

use super::header;
use crate::Result;
use crate::commands::context::Context;
use crate::commands::write::read_ledger;
use crate::manifest::{DEFINITIONS, INPUTS_FILE, Inputs, Manifests, Older, Options, generate};
use crate::model::{Project, ProjectPath};
use crate::report::Console;
use crate::workspace::Workspace;
use serde_json::Value;
use std::path::Path;

/// Returns the CRDs of the project's types with unshortened descriptions. Reads the CRDs from `config/crd/bases` if
/// these
/// files are current; otherwise generates them from the types. Writes only below cargo's target folder.
///
/// # Errors
/// Fails if the types do not compile, or if no CRD can be generated from a type.
pub(in crate::commands) fn current_definitions(
    project: &Project,
    workspace: &Workspace,
    context: &Context,
) -> Result<Vec<Value>> {
    let options = Options { max_description_length: None, ..Options::of(project, header::read(project, workspace)?) };
    let known = generate(workspace.root(), &Options { compile: false, ..options.clone() }, &Console::silent())?;
    if let Some(definitions) = on_disk(&known, workspace)? {
        context.console.detail("the CRDs are current: nothing is compiled");
        return Ok(definitions);
    }
    let made = if known.complete { known } else { generate(workspace.root(), &options, &context.console)? };
    Ok(made.definitions.into_iter().map(|made| made.object).collect())
}

/// Returns the CRDs that `opctl manifests` wrote. Returns `None` if the inputs of the CRDs have changed since then or
/// were not recorded, or if a user edited or removed a CRD.
fn on_disk(manifests: &Manifests, workspace: &Workspace) -> Result<Option<Vec<Value>>> {
    let ledger = read_ledger(workspace)?;
    let paths: Vec<&ProjectPath> = ledger.files.keys().filter(|path| path.starts_with(DEFINITIONS)).collect();
    let snapshot = workspace.snapshot(paths.iter().copied().chain([&INPUTS_FILE.into()]))?;
    let record = snapshot.text(INPUTS_FILE).map(Inputs::parse);
    let Some((now, record)) = manifests.inputs.as_ref().zip(record) else { return Ok(None) };
    if now.change_since(&record).is_some() {
        return Ok(None);
    }
    let mut definitions = Vec::new();
    for path in paths {
        let Some(text) = snapshot.text(path).filter(|text| ledger.is_pristine(path, text)) else { return Ok(None) };
        definitions.extend(Older::read(Path::new(path), text)?.into_iter().map(|(_, definition)| definition));
    }
    Ok(Some(definitions))
}
