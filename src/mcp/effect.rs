//! The effects of commands, which decide what a call must say.

/// The effect of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It only shows something.
    Reads,
    /// It has `--dry-run`, which a call gets unless it says `apply`.
    Plans,
    /// It runs programs, and has no `--dry-run` for them: a call must say `apply`.
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

/// `explore` has a `--dry-run` for the file that it writes, not for the operator that it runs.
const RUNS: [&str; 8] = ["bench", "demo", "envtest load", "envtest start", "envtest stop", "explore", "run", "test"];

/// Commands that change a cluster, which a call must name by its context.
const CHANGE_CLUSTER: [&str; 7] = ["deploy", "install", "migrate", "run", "test", "undeploy", "uninstall"];

/// Returns the effect of the command with these words, such as `create api`.
pub(super) fn effect(command: &str) -> Effect {
    if READS.contains(&command) {
        Effect::Reads
    } else if RUNS.contains(&command) {
        Effect::Runs
    } else {
        Effect::Plans
    }
}

/// Returns true for a command that changes a cluster.
pub(super) fn changes_cluster(command: &str) -> bool {
    CHANGE_CLUSTER.contains(&command)
}

/// Returns the commands that the tables name.
#[cfg(test)]
pub(super) fn named() -> impl Iterator<Item = &'static str> {
    READS.into_iter().chain(RUNS).chain(CHANGE_CLUSTER)
}
