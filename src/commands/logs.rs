//! Implements `opctl logs`, which prints the logs of the operator in the cluster.

use super::command::OpctlCommand;
use super::context::Context;
use super::install::TargetArgs;
use super::write::read_project;
use crate::cluster::{self, LogsOptions};
use crate::commands::time_limit::time_limit;
use crate::report::Report;
use crate::workspace::{Workspace, discover};
use crate::{Result, duration};
use clap::Args;
use std::time::Duration;

const EXAMPLES: &str = "Examples:
    opctl logs --tail 20
    opctl logs --follow --since 10m
    opctl logs --previous    # the log before a crash";

/// Print the logs of the operator in the cluster
///
/// Each line begins with the pod's name if there are several pods. `--follow` continues with restarted containers and
/// with the pods of a new deployment, until the operator is undeployed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LogsArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Look for the operator in this namespace [default: the namespace of `config/default`]
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,
    /// Wait this long for each answer of the cluster, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time_limit)]
    timeout: Duration,
    /// Print new lines until Ctrl+C
    #[arg(short, long, conflicts_with = "previous")]
    follow: bool,
    /// Print only lines that are at most this old, such as `30s`, `10m` or `2h`
    #[arg(long, value_name = "TIME", value_parser = parse_age)]
    since: Option<Duration>,
    /// Print only the last N lines of each pod [default: all lines]
    #[arg(long, value_name = "N")]
    tail: Option<u32>,
    /// Print the logs of the previous containers
    #[arg(short, long)]
    previous: bool,
    /// Print the logs of this container [default: `manager`]
    #[arg(long, value_name = "NAME")]
    container: Option<String>,
}

fn parse_age(text: &str) -> Result<Duration, String> {
    let parsed = duration::parse(text).filter(|duration| !duration.is_zero());
    parsed.ok_or_else(|| "expected a number with a unit, such as 30s, 10m or 2h".to_owned())
}

impl OpctlCommand for LogsArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::look(&discover(&context.directory)?, &context.console);
        let options = LogsOptions {
            target: self.target.target(context),
            project: read_project(&workspace)?.name.as_str().to_owned(),
            namespace: self.namespace.clone(),
            timeout: self.timeout,
            follow: self.follow,
            since: self.since,
            tail: self.tail,
            previous: self.previous,
            container: self.container.clone(),
        };
        cluster::logs(workspace.root(), &options, &context.console)
    }
}
