//! The command `opctl status`: shows the operator in the cluster, its CRDs and its objects.

use super::command::OpctlCommand;
use super::context::Context;
use super::install::TargetArgs;
use super::write::read_project;
use crate::Result;
use crate::cluster::{self, StatusOptions};
use crate::commands::time_limit::time_limit;
use crate::model::Resource;
use crate::report::Report;
use crate::workspace::{Workspace, discover};
use clap::Args;
use std::time::Duration;

const EXAMPLES: &str = "Examples:
    opctl status
    opctl status --check    # in CI, after `opctl deploy`
    opctl status --namespace shop    # an operator installed by a chart
    opctl status --context production -o json";

/// Show the operator in the cluster, its CRDs and its objects
///
/// Shows the parts that you may read, and names the unreadable parts. Counts the first 10000 objects of each kind.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Look for the operator in this namespace [default: the namespace of `config/default`]
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,
    /// Wait this long for the cluster, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time_limit)]
    timeout: Duration,
    /// Exit with code 3 if the status shows a problem
    #[arg(long)]
    check: bool,
}

impl OpctlCommand for StatusArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::look(&discover(&context.directory)?, &context.console);
        let project = read_project(&workspace)?;
        let options = StatusOptions {
            target: self.target.target(context),
            namespace: self.namespace.clone(),
            timeout: self.timeout,
            check: self.check,
            has_kinds: project.resources.iter().any(Resource::has_types),
        };
        cluster::status(project.name.as_str(), workspace.root(), &options, &context.console)
    }
}
