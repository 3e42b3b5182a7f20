//! Implements `opctl mcp`, which serves opctl's commands to a coding agent as tools.

use super::help;
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::explain;
use crate::error::file_error;
use crate::mcp::serve;
use crate::report::{Outcome, Report};
use crate::{Error, Result};
use clap::Args;
use std::io::IsTerminal;

const EXAMPLES: &str = "\
Examples:
    claude mcp add opctl -- opctl mcp
    codex mcp add opctl -- opctl mcp

An agent starts it, and talks to it on stdin and stdout. See `opctl help agents`.";

/// Serve opctl's commands to a coding agent as tools
///
/// Speaks the Model Context Protocol on stdin and stdout. Each command is a tool, and each page of help a resource. A
/// tool that changes something shows the changes, and makes them if the call says `apply`. No call can name a file
/// outside of the project, and a cluster is changed only if the call names its context.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct McpArgs {}

impl OpctlCommand for McpArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        if std::io::stdin().is_terminal() {
            return Err(Error::usage("`opctl mcp` reads requests from a coding agent, but stdin is a terminal")
                .hint("claude mcp add opctl -- opctl mcp    # for other agents, see: opctl help agents"));
        }
        let directory = &context.directory;
        let root = std::fs::canonicalize(directory).map_err(|error| file_error("find", directory, &error))?;
        let pages = help::pages().chain(explain::pages()).collect();
        serve(&(context.command)(), root, pages)?;
        Ok(Report::new("mcp", Outcome::Shown))
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::command_line::Cli;
    use crate::mcp::faults;

    #[test]
    fn each_command_has_an_effect_and_each_withheld_flag_exists() {
        assert_eq!(faults(&Cli::full_command()), Vec::<String>::new());
    }
}
