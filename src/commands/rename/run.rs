//! Plans a renaming, carries it out, and warns about old names that stay.

use crate::Result;
use crate::commands::context::Context;
use crate::commands::generated::generated_files;
use crate::commands::manifest_files::is_manifest;
use crate::commands::write::{VERSION, WriteArgs, carry_out, read_ledger};
use crate::model::ProjectPath;
use crate::plan::reconcile::{Renaming, paths};
use crate::plan::{BASES, PlanContext};
use crate::report::{Outcome, Report};
use crate::scaffold::{RenameIntent, RenamedProject, apply_rename, renamed_before};
use crate::workspace::Workspace;
use std::path::Path;

/// The Cargo.toml files of the packages that have Rust code of the user.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "api/Cargo.toml"];
/// The folders with a user's own Rust and YAML files.
const FOLDERS: [&str; 5] = ["src", "api", "tests", "config", "benches"];
/// The file with the fault plans that `opctl explore --remember` stores, which contain the names of objects.
const PLANS: &str = "tests/explore.toml";
/// Folders whose files contain the names of kinds, each with the command that generates the files again.
const WRITTEN: [(&str, &str); 3] =
    [("docs/", "opctl docs"), ("dist/", "opctl build-installer"), ("bundle/", "opctl bundle")];
/// Folders whose files other commands of opctl write, so that a renaming does not replace names in these files.
const OTHERS: [&str; 3] = ["config/crd/bases/", "dist/", "bundle/"];

pub(super) fn run(name: &'static str, intent: &RenameIntent, write: WriteArgs, context: &Context) -> Result<Report> {
    let (workspace, project) = write.open_project(context)?;
    if let Some(before) = renamed_before(intent, &project) {
        return Ok(Report::new(name, Outcome::Unchanged).summary(format!("nothing to do: {before}")));
    }
    let manifests = workspace.snapshot(MANIFESTS)?;
    let after = apply_rename(intent, &project, MANIFESTS.iter().filter_map(|path| manifests.text(path)))?;
    let ledger = read_ledger(&workspace)?;
    let made = generated_files(&workspace, &project, &ledger)?;
    let others = users_files(&workspace, project.json_schema.as_ref());
    let stored = workspace.files_below(BASES);
    let renaming = Renaming {
        after: generated_files(&workspace, &after.project, &ledger)?,
        before: made,
        names: (&after.names, &after.unshared),
        folders: &after.folders,
        files: &after.files,
        others: &others,
    };
    let known = paths(&renaming.before, &ledger).into_iter().chain(paths(&renaming.after, &ledger));
    let once = after.files.iter().flat_map(|(from, to)| [from.clone(), to.clone()]);
    let snapshot = workspace.snapshot(known.chain(once).chain(stored).chain(others.iter().cloned()))?;
    let plan_context = PlanContext { version: VERSION, force: None };
    let mut stored = after.project.clone();
    stored.sort_like(&project);
    let renamed = renaming.plan((&ledger, &snapshot), &stored, &plan_context)?;
    let mut report = carry_out(name, &workspace, &renamed.plan, write)?;
    let edited = renamed
        .edited
        .iter()
        .map(|path| format!("`{path}` contains lines that you wrote, and names in them were replaced"));
    report.warnings.extend(edited);
    report.warnings.extend(leftover_name_warnings(intent, &after, project.name.as_str()));
    let written = WRITTEN.iter().filter(|(folder, _)| ledger.files.keys().any(|path| path.starts_with(folder)));
    report.warnings.extend(
        written.map(|(folder, command)| format!("`{folder}` contains the old names until you run `{command}`")),
    );
    if matches!(intent, RenameIntent::Project { .. }) {
        report = report.next("cargo update --workspace    # Cargo.lock has the packages' names");
    }
    let report = report.next("opctl manifests");
    // A new name can change the order of `use` lines, which rustfmt sorts by the alphabet.
    Ok(if renamed.edited.is_empty() { report.next("cargo test") } else { report.next("cargo fmt && cargo test") })
}

/// Returns the files in which a renaming replaces names: the Rust and YAML files in `FOLDERS`, and
/// `tests/explore.toml`. Leaves out the files that opctl's commands write, and all files below `schemas`, the project's
/// folder of JSON schemas.
fn users_files(workspace: &Workspace, schemas: Option<&ProjectPath>) -> Vec<ProjectPath> {
    let files = FOLDERS.iter().flat_map(|folder| workspace.files_below(folder));
    let is_text = |path: &ProjectPath| {
        Path::new(path).extension().is_some_and(|one| one == "rs" || one == "yaml" || one == "yml")
    };
    let is_others = |path: &ProjectPath| {
        is_manifest(path)
            || OTHERS.iter().any(|folder| path.starts_with(folder))
            || schemas.is_some_and(|folder| path.starts_with(folder.as_str()))
    };
    files.filter(|path| (is_text(path) || *path == PLANS) && !is_others(path)).collect()
}

/// Returns warnings about old names that a renaming does not replace, in the files of other kinds or in clusters.
fn leftover_name_warnings(intent: &RenameIntent, after: &RenamedProject, before: &str) -> Vec<String> {
    let shared = after.names.types.iter().filter(|name| !after.unshared.types.contains(name)).map(|(old, _)| {
        format!(
            "`{old}` is also the name of other kinds: it was replaced only in the files of the renamed kind, and \
             `cargo check` shows where else it must change"
        )
    });
    let definitions = after.definitions.iter().map(|(old, new)| {
        if old == new {
            return format!(
                "a cluster keeps the old kind of the CRD `{old}`: delete this CRD there, with all its objects, before \
                 `opctl install`"
            );
        }
        format!(
            "for a cluster, `{old}` and `{new}` are two CRDs: existing objects are not moved to the new CRD, see \
             opctl help renaming"
        )
    });
    let operator = matches!(intent, RenameIntent::Project { .. }).then(|| {
        format!(
            "in a cluster, the operator of `{before}` keeps running next to the new operator: before `opctl deploy`, \
             run `opctl undeploy` in the project as it was before the rename"
        )
    });
    shared.chain(definitions).chain(operator).collect()
}
