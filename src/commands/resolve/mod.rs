//! Implements `opctl resolve`, which finishes a merge in the files that opctl writes.

mod insertions;
mod made;
mod merge_files;

use super::command::{BOOL, OpctlCommand};
use super::context::{Context, show};
use super::manifest_files::{self, is_json_schema};
use super::write::{VERSION, WriteArgs, carry_out};
use crate::error::{Hint, hint};
use crate::exec::GitState;
use crate::model::ProjectPath;
use crate::plan::{Action, Conflicts, UnresolvedFile};
use crate::report::{Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result};
use clap::{ArgAction, Args};
use std::collections::BTreeMap;

const EXAMPLES: &str = "\
Examples:
    git merge other-branch || opctl resolve
    opctl resolve --dry-run --diff
    git rebase main || { opctl resolve && git rebase --continue; }";

/// Finish a merge in the files that opctl writes
///
/// Works on an unfinished merge, rebase or cherry-pick of git: takes the files and lines that opctl made on both sides,
/// stages them (`git add`), and regenerates the manifests that both sides changed. Conflicts in your own files stay
/// marked: they are listed, and the exit code is 3.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResolveArgs {
    /// Run `opctl manifests` if both sides changed its files
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    manifests: bool,
    #[command(flatten)]
    write: WriteArgs,
}

impl OpctlCommand for ResolveArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = self.write.open(&discover(&context.directory)?, context)?;
        let git = GitState::of(workspace.root()).filter(GitState::is_open);
        let (files, ledgers) = merge_files::read(&workspace, git.as_ref())?;
        let conflicts = Conflicts::find(&files, &ledgers);
        if conflicts.is_empty() && git.is_none() {
            return Ok(Report::new("resolve", Outcome::Unchanged).summary("nothing to do: no file is in conflict"));
        }
        let projects = conflicts.projects()?;
        projects.iter().try_for_each(|project| project.check_opctl(VERSION))?;
        let operations = insertions::insertions(&projects, &ledgers)?;
        let schemas: Vec<&ProjectPath> = projects.iter().filter_map(|project| project.json_schema.as_ref()).collect();
        let is_schema = |path: &str| schemas.iter().any(|folder| is_json_schema(folder, path));
        let made = conflicts
            .merged_project()
            .map_or_else(|| Ok(BTreeMap::new()), |project| made::generated_texts(&workspace, &project))?;
        let resolved =
            conflicts.resolve(&operations, &made, &|path| manifest_files::is_manifest(path) || is_schema(path))?;
        let mut report = carry_out("resolve", &workspace, &resolved.plan, self.write)?;
        drop(workspace);
        let add = |paths: &[&str]| match &git {
            Some(git) if !self.write.dry_run => git.add(paths),
            _ => Ok(()),
        };
        let finished = |path: &str| resolved.left.iter().all(|left| left.path != path);
        let written: Vec<&str> = resolved.plan.effective().map(|change| change.path.as_str()).collect();
        let kept = resolved.kept.iter().map(ProjectPath::as_str);
        add(&written.iter().copied().filter(|path| finished(path)).chain(kept).collect::<Vec<_>>())?;
        if !resolved.left.is_empty() {
            show(&resolved.plan, context);
            return Err(still_in_conflict(&resolved.left, git.as_ref()));
        }
        let mut next = Vec::new();
        if resolved.stale && !self.write.dry_run {
            if self.manifests {
                let made = manifests(context)?;
                let changed = made.changes.iter().filter(|change| change.action != Action::Unchanged.name());
                add(&changed.map(|change| change.path.as_str()).collect::<Vec<_>>())?;
                report.changes.retain(|change| made.changes.iter().all(|newer| newer.path != change.path));
                report.changes.extend(made.changes);
                report.findings.extend(made.findings);
            } else {
                next.push("opctl manifests".into());
            }
        }
        next.extend(resolved.by_hand.iter().map(|path| hint!("git add {path}", path)));
        next.extend(git.iter().map(|git| Hint::from(git.next())));
        // Git waits for its commands even where opctl has nothing left to do.
        if !self.write.dry_run {
            report.next = next;
        }
        Ok(report)
    }
}

fn manifests(context: &Context) -> Result<Report> {
    context.console.command("opctl manifests");
    (context.run)(context, &["opctl", "manifests"])
}

fn still_in_conflict(left: &[UnresolvedFile], git: Option<&GitState>) -> Error {
    let what = match left {
        [only] => format!("`{}` is", only.path),
        several => format!("{} files are", several.len()),
    };
    let error = Error::conflict(format!("{what} still in conflict"));
    let error = left.iter().fold(error, |error, left| error.caused_by(format!("{}: {}", left.place(), left.reason)));
    let paths: Vec<&str> = left.iter().map(|left| left.path.as_str()).collect();
    let next = git.map(|git| hint!(", then run:\ngit add {} && {}", Hint::join(&paths, " "), Hint::from(git.next())));
    let next = next.unwrap_or_default();
    error.hint(hint!("resolve the conflicts{next}", next))
}
