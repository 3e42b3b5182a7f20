//! The effects of commands, which determine the arguments that an MCP tool call requires.

/// The effect of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The command only shows information.
    Reads,
    /// The command has `--dry-run`. A call without `apply` is a dry run.
    Plans,
    /// The command runs programs, which `--dry-run` does not prevent. A call without `apply` fails.
    Runs,
}

const READS: [&str; 12] = [
    "completion",
    "doctor",
    "envtest env",
    "envtest list",
    "envtest status",
    "explain",
    "health-checks",
    "help",
    "list",
    "logs",
    "status",
    "version",
];

/// The commands that run programs. `explore` is in this list although it has `--dry-run`: that flag works only together
/// with `--remember`, and does not prevent an exploration from running the operator.
const RUNS: [&str; 8] = ["bench", "demo", "envtest load", "envtest start", "envtest stop", "explore", "run", "test"];

/// The commands that change a cluster. A call of such a command must name the cluster's context.
const CHANGE_CLUSTER: [&str; 7] = ["deploy", "install", "migrate", "run", "test", "undeploy", "uninstall"];

/// Returns the effect of a command, such as `create api`.
pub(super) fn effect(command: &str) -> Effect {
    if READS.contains(&command) {
        Effect::Reads
    } else if RUNS.contains(&command) {
        Effect::Runs
    } else {
        Effect::Plans
    }
}

/// Returns true if the command changes a cluster.
pub(super) fn changes_cluster(command: &str) -> bool {
    CHANGE_CLUSTER.contains(&command)
}

/// Returns the commands in [`READS`], [`RUNS`] and [`CHANGE_CLUSTER`].
#[cfg(test)]
pub(super) fn listed_commands() -> impl Iterator<Item = &'static str> {
    READS.into_iter().chain(RUNS).chain(CHANGE_CLUSTER)
}
