//! Implements `opctl create`, which adds a kind, a controller, webhooks or a policy to the project.

mod api;
mod external;
mod policy;
mod webhook;

use super::command::OpctlCommand;
use super::context::Context;
use super::operator_program::refuse_adopted;
use crate::Result;
use crate::report::Report;
use api::ApiArgs;
use clap::{Args, Subcommand};
use policy::PolicyArgs;
use webhook::WebhookArgs;

/// Add a kind, a controller, webhooks or a policy to the project
///
/// Lines inserted into your files are sorted and stand above the marker lines `+opctl:scaffold`: the order of commands
/// makes no difference. Existing lines keep their order.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n    opctl create api --kind WebServer\n    opctl create webhook --kind WebServer --defaulting --validation\n    opctl create policy --kind WebServer"
)]
pub(crate) struct CreateArgs {
    #[command(subcommand)]
    command: CreateCommand,
}

#[derive(Debug, Subcommand)]
enum CreateCommand {
    Api(Box<ApiArgs>),
    Webhook(WebhookArgs),
    Policy(PolicyArgs),
}

impl OpctlCommand for CreateArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        refuse_adopted(self.full_name("create"), context)?;
        match &self.command {
            CreateCommand::Api(args) => api::run(args, context),
            CreateCommand::Webhook(args) => webhook::run(args, context),
            CreateCommand::Policy(args) => policy::run(args, context),
        }
    }

    fn full_name(&self, _: &'static str) -> &'static str {
        match self.command {
            CreateCommand::Api(_) => "create api",
            CreateCommand::Webhook(_) => "create webhook",
            CreateCommand::Policy(_) => "create policy",
        }
    }
}
