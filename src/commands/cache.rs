//! `opctl cache`: removes files that opctl keeps on this machine and can create again.

use super::command::OpctlCommand;
use super::context::Context;
use super::sizes::{human, size};
use crate::envtest::{self, Entry, Places, Store};
use crate::error::{file_error, hint};
use crate::exec::{cache_folder, is_cache_folder, remove_cache_folder, target_folder};
use crate::report::{ChangeLine, Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result};
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Remove files that opctl keeps on this machine
#[derive(Args, Debug)]
#[command(after_help = "Example:\n    opctl cache clean --dry-run")]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    command: CacheCommand,
}

#[derive(Debug, Subcommand)]
enum CacheCommand {
    /// Remove the compiled types of the project, and with `--servers` the control planes' programs
    ///
    /// `opctl manifests` compiles the types again, and `opctl envtest setup` installs the programs again. The types are
    /// below cargo's target folder, even if that folder is outside of the project: projects with a common target folder
    /// lose their types together. A folder that opctl did not make stays. The store of the programs is shared with
    /// setup-envtest. `opctl doctor` shows the sizes.
    #[command(
        after_help = "Examples:\n    opctl cache clean\n    opctl cache clean --servers --dry-run    # the sizes, and nothing is removed"
    )]
    Clean(CleanArgs),
}

#[derive(Args, Debug)]
struct CleanArgs {
    /// Also remove the programs of control planes, in every version
    #[arg(long)]
    servers: bool,
    /// Show what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

impl OpctlCommand for CacheArgs {
    fn full_name(&self, _: &'static str) -> &'static str {
        "cache clean"
    }

    fn run(&self, context: &Context) -> Result<Report> {
        let CacheCommand::Clean(args) = &self.command;
        clean(args, context)
    }
}

fn clean(args: &CleanArgs, context: &Context) -> Result<Report> {
    let root = discover(&context.directory).ok();
    let types = root.as_deref().map(types).transpose()?;
    if types.is_none() && !args.servers {
        return Err(Error::usage("this folder is not in an opctl project, so opctl has no build cache to remove here")
            .hint("opctl cache clean --servers    # removes the installed programs of local control planes"));
    }
    let store = Store::new(Places::of_this_process()?.store);
    let servers = if args.servers { removable_programs(&store, context)? } else { Vec::new() };
    let folders = types.iter().map(PathBuf::as_path).chain(servers.iter().map(|entry| entry.directory.as_path()));
    let found: Vec<(&Path, u64)> = folders.filter(|folder| folder.exists()).map(|at| (at, size(at))).collect();
    if !args.dry_run {
        if let Some(types) = &types {
            remove(types)?;
        }
        store.remove(&servers, &context.console)?;
    }
    Ok(report(&found, args.dry_run))
}

/// Returns the installed versions of the control planes' programs, which `opctl cache clean --servers` removes. Fails
/// if a control plane runs, because this control plane could not start again after the removal.
fn removable_programs(store: &Store, context: &Context) -> Result<Vec<Entry>> {
    match envtest::list(&context.console)?.first() {
        Some(name) => Err(Error::conflict(format!("control plane `{name}` runs"))
            .caused_by("if opctl removed the programs of control planes, this control plane could not start again")
            .hint("opctl envtest stop --all && opctl cache clean --servers")),
        None => Ok(store.entries()),
    }
}

/// Returns the path of the folder, below cargo's target folder, in which `opctl manifests` compiles a project's types.
/// The folder need not exist.
///
/// # Errors
/// Fails if the folder exists and is not marked as created by opctl, or if its path has a symlink: other programs
/// may own the files.
fn types(root: &Path) -> Result<PathBuf> {
    let folder = cache_folder(&target_folder(root));
    let is_link = |path: &&Path| path.starts_with(root) && path.is_symlink();
    let reason = match folder.ancestors().find(is_link) {
        Some(link) => Some(format!("`{}` is a symlink", link.display())),
        None => (std::fs::symlink_metadata(&folder).is_ok() && !is_cache_folder(&folder))
            .then(|| "opctl marks the folders that it makes, and this one has no mark".to_owned()),
    };
    match reason {
        Some(reason) => {
            Err(Error::conflict(format!("cannot tell whether opctl created the folder `{}`", folder.display()))
                .caused_by(reason)
                .hint(hint!(
                    "rm -r {}    # deletes the folder; run this only if you need none of its files",
                    folder.display()
                )))
        }
        None => Ok(folder),
    }
}

fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    remove_cache_folder(folder).map_err(|error| file_error("remove", folder, &error))
}

fn report(found: &[(&Path, u64)], dry_run: bool) -> Report {
    let outcome = match (found, dry_run) {
        ([], _) => Outcome::Unchanged,
        (_, true) => Outcome::DryRun,
        (_, false) => Outcome::Changed,
    };
    let bytes: u64 = found.iter().map(|(_, bytes)| bytes).sum();
    let mut report = Report::new("cache clean", outcome).summary(match outcome {
        Outcome::Unchanged => "there is nothing to remove".to_owned(),
        Outcome::DryRun => format!("{} would be freed", human(bytes)),
        _ => format!("{} freed", human(bytes)),
    });
    let line = |(folder, _): &(&Path, u64)| ChangeLine {
        action: "remove".to_owned(),
        path: folder.display().to_string(),
        diff: None,
    };
    report.changes = found.iter().map(line).collect();
    let folders = found.iter().map(|(folder, bytes)| json!({"path": folder, "bytes": bytes}));
    report.data = Some(json!({"folders": folders.collect::<Vec<_>>(), "bytes": bytes}));
    report
}
