//! Checks without compiling that the manifests are up to date with the types and markers.

use super::command::run;
use super::header;
use super::operations::same_but_for_version;
use crate::cluster::Target;
use crate::commands::context::Context;
use crate::commands::manifests::ManifestsArgs;
use crate::commands::write::{read_ledger, read_project};
use crate::error::{Hint, hint};
use crate::finding::Finding;
use crate::manifest::{
    DEFINITIONS, INPUTS_FILE, Inputs, Manifests, Options, ROLE_NAMESPACES_FILE, generate, is_unjudged,
};
use crate::model::ProjectPath;
use crate::plan::Ledger;
use crate::report::{Console, Report};
use crate::source::api_crate::ApiCrate;
use crate::workspace::{Workspace, discover};
use crate::{Error, Result};
use clap::Args;
use std::path::Path;

/// The flag `--regenerate` of the commands that apply or package the manifests.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::commands) struct CurrentArgs {
    /// Run `opctl manifests` first, instead of stopping when the manifests are stale
    #[arg(long, conflicts_with = "dry_run")]
    regenerate: bool,
}

/// Checks that the manifests are current or, with the flag `--regenerate` in `args`, regenerates the manifests. Then
/// calls `hand_on`, which applies or packages the manifests, and returns the report of `hand_on`. If the manifests are
/// stale, a hint tells the user the commands to run: the hint contains `line`, the command line of the current command,
/// and the flags for the cluster `target`.
///
/// Before the call of `hand_on`, prints the findings in the types and markers. With JSON output, instead adds these
/// findings to the report of `hand_on` or, if `hand_on` fails, to the error. Leaves out findings about validation rules
/// that no API server has checked yet, because only `opctl manifests` shows such findings.
///
/// # Errors
/// Fails if the manifests are stale and `args` does not have the flag `--regenerate`, or if `hand_on` fails.
pub(in crate::commands) fn with_current_manifests(
    args: CurrentArgs,
    target: &Target,
    line: &Hint,
    context: &Context,
    hand_on: impl FnOnce() -> Result<Report>,
) -> Result<Report> {
    let mut findings = if args.regenerate { regenerate(context)? } else { check(target, line, context)? };
    findings.retain(|finding| !is_unjudged(finding));
    if !context.console.json() {
        context.console.findings(&findings);
        return hand_on();
    }
    match hand_on() {
        Ok(mut report) => {
            report.findings.splice(0..0, findings);
            Ok(report)
        }
        Err(error) => Err(error.with_findings(findings)),
    }
}

fn regenerate(context: &Context) -> Result<Vec<Finding>> {
    context.console.command("opctl manifests");
    let report = run(&ManifestsArgs::default(), context)?;
    context.console.status("Done", report.summary.as_deref().unwrap_or_default());
    Ok(report.findings)
}

fn check(target: &Target, line: &Hint, context: &Context) -> Result<Vec<Finding>> {
    let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
    let root = workspace.root();
    let project = read_project(&workspace)?;
    let options = Options { compile: false, ..Options::of(&project, header::read(&project, &workspace)?) };
    // A CI pipeline may have config/ alone.
    if !has_sources(root, &options.apis) {
        context.console.detail(
            "the project's Rust sources are not in this folder, so opctl cannot compare the \
                                manifests with them",
        );
        return Ok(Vec::new());
    }
    let manifests = generate(root, &options, &Console::silent())?;
    let ledger = read_ledger(&workspace)?;
    let record = workspace.snapshot([INPUTS_FILE])?.text(INPUTS_FILE).map(Inputs::parse);
    if let Some(why) = staleness_reason(&manifests, record.as_ref(), &ledger, &workspace)? {
        return Err(Error::conflict(format!("the manifests are stale: {why}"))
            .hint(hint!(
                "{}    # or: {}",
                target.opctl_without_cluster("manifests"),
                target.opctl(hint!("{line} --regenerate", line))
            ))
            .with_findings(manifests.findings));
    }
    if !manifests.complete && record.is_none() {
        context.console.note(format!(
            "without `{INPUTS_FILE}` opctl cannot tell whether the CRDs are stale; `opctl manifests` writes it"
        ));
    }
    Ok(manifests.findings)
}

/// Returns true if the project at `root` contains the Rust sources of its manifests. At least one api crate must have a
/// Cargo.toml. In addition, one of two conditions must be met: the project's root has a folder `src`; or an api crate
/// has a folder `src`, and the project's root has a Cargo.toml.
fn has_sources(root: &Path, apis: &[ApiCrate]) -> bool {
    let has = |name: &str| apis.iter().any(|api| root.join(&api.folder).join(name).exists());
    has("Cargo.toml") && (root.join("src").is_dir() || has("src") && root.join("Cargo.toml").is_file())
}

/// Returns the reason why the manifests in the project's files are stale; `None` if they match the current types and
/// markers. Ignores manifests that a user edited.
fn staleness_reason(
    manifests: &Manifests,
    record: Option<&Inputs>,
    ledger: &Ledger,
    workspace: &Workspace,
) -> Result<Option<String>> {
    let generated = ledger.files.keys().filter(|path| path.starts_with(DEFINITIONS));
    let namespaces = ledger.files.keys().find(|path| **path == ROLE_NAMESPACES_FILE);
    let snapshot = workspace.snapshot(manifests.files.keys().chain(generated.clone()).chain(namespaces))?;
    let is_left = |path: &&ProjectPath| !manifests.files.contains_key(*path) && snapshot.text(path).is_some();
    for (path, content) in &manifests.files {
        let why = match snapshot.text(path) {
            None => "is missing",
            Some(text) if !ledger.is_pristine(path, text) => continue,
            Some(text) if same_but_for_version(text, content) => continue,
            Some(_) => "does not match the current types and markers",
        };
        return Ok(Some(format!("`{path}` {why}")));
    }
    if let Some(path) = namespaces.filter(is_left) {
        return Ok(Some(format!("`{path}` was generated from a marker that no longer exists")));
    }
    if manifests.complete {
        return Ok(generated
            .clone()
            .find(is_left)
            .map(|path| format!("the Rust type of the kind in `{path}` no longer exists")));
    }
    let change = manifests.inputs.as_ref().zip(record).and_then(|(now, record)| now.change_since(record));
    Ok(change.map(|change| format!("{change} since the CRDs were generated")))
}
