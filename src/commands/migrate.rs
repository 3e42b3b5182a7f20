//! Implements `opctl migrate`, which stores all objects in the storage version.

use super::command::OpctlCommand;
use super::context::Context;
use super::install::TargetArgs;
use super::write::read_project;
use crate::cluster::{self, MigrateOptions, Target, read_definitions};
use crate::commands::time_limit::time_limit;
use crate::error::{Hint, hint};
use crate::model::{Project, Resource, most_like};
use crate::report::Report;
use crate::workspace::{Workspace, discover};
use crate::{Error, Result};
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const EXAMPLES: &str = "Examples:
    opctl migrate
    opctl migrate WebServer --dry-run    # reports what the server would refuse
    opctl migrate --check    # in CI, before a version is removed
    opctl migrate Database --group apps --parallel 32";

/// Store all objects in the storage version
///
/// An object keeps its stored version until it is written again, and the API server refuses to remove a version from a
/// CRD while objects may be stored in this version. opctl writes each object again without a change, or lets the
/// cluster
/// do this if it can, and sets `status.storedVersions` of the CRD. opctl lists and skips objects that the server
/// refuses.
/// A killed command can be run again.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MigrateArgs {
    /// Migrate only this kind [default: all kinds that the project defines]
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    /// The kind's group, if several groups have a kind of this name
    #[arg(long, requires = "kind")]
    group: Option<String>,
    #[command(flatten)]
    target: TargetArgs,
    /// Stop after this time, such as `5m` [default: 1h, with --check 1m]
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    timeout: Option<Duration>,
    /// Rewrite this many objects at a time
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u16).range(1..=256))]
    parallel: u16,
    /// Change nothing, and exit with code 3 if there is something to migrate
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,
    /// Let the server check every object, and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl OpctlCommand for MigrateArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
        let project = read_project(&workspace)?;
        let target = self.target.target(context);
        let chosen =
            self.kind.as_deref().map(|kind| api_group(kind, self.group.as_deref(), &project, &target)).transpose()?;
        let mut definitions = read_definitions(workspace.root())?;
        if let (Some(kind), Some(group)) = (&self.kind, chosen) {
            definitions.retain(|definition| definition.kind == *kind && definition.group == group);
            if definitions.is_empty() {
                return Err(Error::user(format!("`config/crd` has no CRD of `{kind}` in the group `{group}`"))
                    .hint(hint!("{} && {}", target.opctl_without_cluster("manifests"), target.opctl("install"))));
            }
        }
        let options = MigrateOptions {
            target,
            timeout: self.timeout.unwrap_or(Duration::from_secs(if self.check { 60 } else { 3600 })),
            parallel: usize::from(self.parallel),
            check: self.check,
            dry_run: self.dry_run,
            arguments: self.kind.as_ref().map(|kind| kind_arguments(kind, self.group.as_deref())).unwrap_or_default(),
        };
        cluster::migrate(&definitions, &options, &context.console)
    }
}

fn kind_arguments(kind: &str, group: Option<&str>) -> Hint {
    hint!(" {kind}{}", group.map(|group| hint!(" --group {group}", group)).unwrap_or_default(), kind)
}

/// Returns the API group of a kind that the project defines.
fn api_group(kind: &str, wanted: Option<&str>, project: &Project, target: &Target) -> Result<String> {
    let own: Vec<&Resource> = project.resources.iter().filter(|resource| resource.has_types()).collect();
    let of_kind = own.iter().filter(|resource| resource.key.kind.as_str() == kind);
    let groups: BTreeMap<String, &str> =
        of_kind.map(|resource| (resource.api_group(&project.domain), resource.key.group.as_str())).collect();
    let is_wanted = |api_group: &str, group: &str| wanted.is_none_or(|wanted| wanted == group || wanted == api_group);
    let mut found = groups.iter().filter(|(api_group, group)| is_wanted(api_group, group));
    match (found.next(), found.next()) {
        (Some((api_group, _)), None) => Ok(api_group.clone()),
        (Some((first, _)), Some(_)) => {
            let all: Vec<String> = groups.keys().map(|group| format!("`{group}`")).collect();
            Err(Error::user(format!("`{kind}` exists in several groups"))
                .caused_by(format!("the project defines this kind in the API groups {}", all.join(", ")))
                .hint(target.opctl(hint!("migrate{}", kind_arguments(kind, Some(first))))))
        }
        (None, _) => Err(unknown_kind_error(kind, wanted, &own, project, target)),
    }
}

fn unknown_kind_error(kind: &str, group: Option<&str>, own: &[&Resource], project: &Project, target: &Target) -> Error {
    let within = group.map(|group| format!(" in the group `{group}`")).unwrap_or_default();
    let place = |resource: &&Resource| format!("`{}` in `{}`", resource.key.kind, resource.api_group(&project.domain));
    let kinds: Vec<String> = own.iter().map(place).collect::<BTreeSet<_>>().into_iter().collect();
    let error = Error::user(format!("the project defines no kind `{kind}`{within}"));
    let error = if kinds.is_empty() { error } else { error.caused_by(format!("it has {}", kinds.join(", "))) };
    match most_like(kind, own.iter().map(|resource| resource.key.kind.as_str())) {
        Some(near) => error.hint(target.opctl(hint!("migrate {near}", near))),
        None => error.hint(target.opctl_without_cluster("list")),
    }
}
