//! `opctl delete api --against cluster`: checks if a cluster may store objects in the versions to be deleted.

use crate::Result;
use crate::cluster::{self, Removal, Target};
use crate::commands::context::Context;
use crate::model::{Project, Resource};
use crate::scaffold::{DeleteIntent, Deleted};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The value of `--against`, which names what a deletion is checked against.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Place {
    /// The cluster of the kubeconfig
    Cluster,
}

/// The flags that choose a cluster to check before a version is deleted. Only `--against` enables the check.
#[derive(Args, Debug, Default)]
pub(super) struct AgainstArgs {
    /// Ask the cluster if objects may still be stored in the version; if so, delete nothing and exit with code 3
    #[arg(long, value_name = "cluster")]
    against: Option<Place>,
    /// Use this kubeconfig for `--against cluster` [default: $KUBECONFIG, or ~/.kube/config]
    #[arg(long, value_name = "FILE", requires = "against")]
    kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig [default: the current context]
    #[arg(long, value_name = "NAME", requires = "against")]
    context: Option<String>,
}

impl AgainstArgs {
    /// Fails if the named cluster may store objects in the versions to be deleted. Does nothing if no cluster is named.
    pub(super) fn check(
        &self,
        intent: &DeleteIntent,
        project: &Project,
        left: &Deleted,
        context: &Context,
    ) -> Result<()> {
        if self.against.is_none() {
            return Ok(());
        }
        let directory = (context.directory != Path::new(".")).then(|| context.directory.clone());
        let target = Target {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            directory,
            ..Target::default()
        };
        let own: Vec<&Resource> = left.resources.iter().filter(|one| one.has_types()).collect();
        let Some(first) = own.first() else { return Ok(()) };
        let removal = Removal {
            definition: format!("{}.{}", first.plural, first.api_group(&project.domain)),
            versions: own.iter().map(|one| one.key.version.to_string()).collect(),
            is_whole: is_whole(first, left),
            migrate: intent.migrate_arguments(),
        };
        cluster::check_removal(&removal, &target, Duration::from_secs(60), &context.console)
    }
}

/// Returns true if the deletion, with the result `left`, leaves no version of the kind in the project.
pub(super) fn is_whole(resource: &Resource, left: &Deleted) -> bool {
    !left.project.resources.iter().any(|other| other.api && other.is_of_kind_of(resource))
}
