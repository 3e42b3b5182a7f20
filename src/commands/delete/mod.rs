//! Implements `opctl delete`, which removes a kind, a controller, webhooks or policies from the project.

mod admission;
mod against;
mod common;
mod run;
mod uses;

use super::command::OpctlCommand;
use super::context::Context;
use super::operator_program::refuse_adopted;
use crate::Result;
use crate::model::{ControllerName, Group, Kind, Policies, Version, Webhooks};
use crate::report::Report;
use crate::scaffold::{DeleteIntent, DeletedPart};
use against::AgainstArgs;
use clap::{Args, Subcommand};
use common::Common;

const EXAMPLES: &str = "\
Examples:
    opctl delete api --kind WebServer
    opctl delete api --group apps --kind Database --version v1alpha1 --diff
    opctl delete api --kind WebServer --version v1alpha1 --against cluster
    opctl delete webhook --kind WebServer --validation
    opctl delete policy --kind WebServer --dry-run
    opctl delete controller --kind WebServer";

const API_EXAMPLES: &str = "\
Examples:
    opctl delete api --kind WebServer
    opctl delete api --kind WebServer --version v1alpha1 --diff
    # Not while objects may be stored in it:
    opctl delete api --kind WebServer --version v1alpha1 \\
        --against cluster --context production";

/// Remove a kind, a controller, webhooks or policies
///
/// Removes what `opctl create` added: files, lines in other files, and entries of PROJECT. A file that you have edited
/// is removed with `--force` only. No cluster is changed, and a cluster is read only with `--against`. The report lists
/// the objects that a cluster may still have.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DeleteArgs {
    #[command(subcommand)]
    command: DeleteCommand,
}

#[derive(Debug, Subcommand)]
enum DeleteCommand {
    /// Remove the types of a kind, and its controllers
    ///
    /// Refuses to remove the storage version while the kind has another version, and refuses to remove a version that
    /// is
    /// named in a conversion. With `--against cluster`, also refuses to remove a version that the cluster lists in
    /// `status.storedVersions`.
    #[command(after_help = API_EXAMPLES)]
    Api {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        against: AgainstArgs,
    },
    /// Remove webhooks of a kind: without a flag, all of them
    #[command(
        after_help = "Examples:\n    opctl delete webhook --kind WebServer\n    opctl delete webhook --kind WebServer --validation --diff"
    )]
    Webhook {
        #[command(flatten)]
        common: Common,
        /// Remove the function that fills in fields
        #[arg(long)]
        defaulting: bool,
        /// Remove the function that refuses objects
        #[arg(long, alias = "programmatic-validation")]
        validation: bool,
        /// Remove the conversion of all versions
        #[arg(long)]
        conversion: bool,
    },
    /// Remove policies of a kind: without a flag, all of them
    #[command(
        after_help = "Examples:\n    opctl delete policy --kind WebServer\n    opctl delete policy --group apps --kind Deployment --validating"
    )]
    Policy {
        #[command(flatten)]
        common: Common,
        /// Remove the `ValidatingAdmissionPolicy`
        #[arg(long)]
        validating: bool,
        /// Remove the `MutatingAdmissionPolicy`
        #[arg(long)]
        mutating: bool,
    },
    /// Remove a controller of a kind
    #[command(
        after_help = "Examples:\n    opctl delete controller --kind WebServer\n    opctl delete controller --kind WebServer \\\n        --controller-name web-server-backup"
    )]
    Controller {
        #[command(flatten)]
        common: Common,
        /// The controller's name, if the kind has several controllers
        #[arg(long, value_name = "NAME")]
        controller_name: Option<String>,
    },
}

impl OpctlCommand for DeleteArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        refuse_adopted(self.full_name("delete"), context)?;
        let nowhere = AgainstArgs::default();
        let against = if let DeleteCommand::Api { against, .. } = &self.command { against } else { &nowhere };
        let (common, part) = match &self.command {
            DeleteCommand::Api { common, .. } => (common, DeletedPart::Api),
            DeleteCommand::Webhook { common, defaulting, validation, conversion } => {
                let all = !(*defaulting || *validation || *conversion);
                let webhooks = Webhooks { defaulting: all || *defaulting, validation: all || *validation };
                (common, DeletedPart::Webhook(webhooks, all || *conversion))
            }
            DeleteCommand::Policy { common, validating, mutating } => {
                let all = !(*validating || *mutating);
                let policies = Policies { validating: all || *validating, mutating: all || *mutating };
                (common, DeletedPart::Policy(policies))
            }
            DeleteCommand::Controller { common, controller_name } => {
                let name = controller_name.as_deref().map(ControllerName::parse).transpose()?;
                (common, DeletedPart::Controller(name))
            }
        };
        let intent = DeleteIntent {
            group: common.group.as_deref().map_or(Ok(Group::none()), Group::parse)?,
            version: common.version.as_deref().map(Version::parse).transpose()?,
            kind: Kind::parse(&common.kind)?,
            part,
        };
        run::run(self.full_name("delete"), &intent, common, against, context)
    }

    fn full_name(&self, _: &'static str) -> &'static str {
        match self.command {
            DeleteCommand::Api { .. } => "delete api",
            DeleteCommand::Webhook { .. } => "delete webhook",
            DeleteCommand::Policy { .. } => "delete policy",
            DeleteCommand::Controller { .. } => "delete controller",
        }
    }
}
