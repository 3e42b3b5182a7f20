//! The arguments of `opctl explore`.

use crate::error::{Hint, hint};
use crate::{Result, duration};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
    opctl explore
    opctl explore --all               # every point, however long it takes
    opctl explore --only crash,lag    # two classes of faults
    opctl explore --depth 2 --budget 10m    # pairs of faults too
    opctl explore --list              # the plans, without trying them
    opctl explore --replay 'down@change' --keep
    opctl explore --html found.html
    opctl explore --remember 'down@change'    # `opctl test` plays it
    opctl explore --from v1.2.0       # the upgrade from that version, and back
    opctl explore --from v1.1.0,v1.2.0    # v1.1.0 makes the objects
    opctl explore --command ./operator --crds crds --samples cr --roles rbac";

/// Find the operator's bugs with the faults of real clusters
///
/// Starts a control plane with simulated nodes and runs the operator behind a proxy, with one sample of each kind from
/// `config/samples`. Two runs without a fault are recorded; then each run has one fault at one point: a crash after a
/// write, a lost answer, a refusal, a conflict, a watch that lags or ends, a restart, a deleted child. Each run must
/// end with the same objects as the runs without a fault. A run that ends with other objects is repeated three times
/// with the fault and three times without a fault, before it is an error: see `opctl help exploring`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct ExploreArgs {
    /// Begin new runs for this long, such as `90s` or `5m` [default: until the whole command has taken 100s]
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "all")]
    pub(super) budget: Option<Duration>,
    /// Try all faults at all points, however long this takes
    #[arg(long)]
    pub(super) all: bool,
    /// With 2, also try pairs of faults: the second fault interrupts a write that only the first fault causes
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=2), conflicts_with_all = ["list", "replay", "remember"])]
    pub(super) depth: u8,
    /// Try only fault plans whose names contain one of these texts, such as `crash` or `services`
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Use only the samples of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(super) kind: Vec<String>,
    /// List the fault plans for this operator, and try no plan
    #[arg(long, conflicts_with_all = ["all", "replay"])]
    pub(super) list: bool,
    /// Replay only this fault plan, once
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["all", "only"])]
    pub(super) replay: Option<String>,
    /// Write a page for browsers that shows each finding beside a run without a fault
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "remember"])]
    pub(super) html: Option<PathBuf>,
    /// Have `opctl test` replay this fault plan from now on: the plan is written to tests/explore.toml
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["all", "only", "list", "replay"])]
    pub(super) remember: Option<String>,
    /// Show what `--remember` would write, and do nothing
    #[arg(long, requires = "remember")]
    pub(super) dry_run: bool,
    /// Show what `--remember` writes as a unified diff on stdout
    #[arg(long, requires = "remember")]
    pub(super) diff: bool,
    /// Keep the API server after the replay, until Ctrl+C
    #[arg(long, requires = "replay")]
    pub(super) keep: bool,
    /// Number of runs in parallel; use 1 for an operator that listens on a fixed port [default: 8; 1 in an adopted
    /// project]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(super) jobs: Option<u8>,
    /// Wait at least this long for the operator to come to rest after a fault
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub(super) patience: Duration,
    #[command(flatten)]
    pub(super) foreign: ForeignArgs,
    #[command(flatten)]
    pub(super) from: FromArgs,
}

/// The flags that choose the old versions for the test of an upgrade and of the return to the old version.
#[derive(Args, Debug)]
#[command(next_help_heading = "Upgrades")]
pub(super) struct FromArgs {
    /// Test the upgrade from this version of the project, a tag or another git reference, and the return to this
    /// version; of several versions, the first creates the objects, and each later version takes over from the version
    /// before it
    #[arg(long, value_name = "REF", value_delimiter = ',', conflicts_with_all = ["command", "budget", "all", "remember", "keep", "patience", "depth"])]
    pub(super) from: Vec<String>,
    /// The shell command that starts the old version; for a chain of versions, repeat `--from-command` and the flags of
    /// the
    /// folders for each version
    #[arg(long, value_name = "LINE", requires = "from_crds", conflicts_with_all = ["from", "budget", "all", "remember", "keep", "patience", "depth"])]
    pub(super) from_command: Vec<String>,
    /// The folder of the old version's CRDs
    #[arg(long, value_name = "DIR", requires = "from_command")]
    pub(super) from_crds: Vec<PathBuf>,
    /// The folder of the old version's roles; without this flag, the old version may do everything
    #[arg(long, value_name = "DIR", requires = "from_command")]
    pub(super) from_roles: Vec<PathBuf>,
    /// The folder of samples that the first old version accepts [default: the samples of the new version]
    #[arg(long, value_name = "DIR", requires = "from_command")]
    pub(super) from_samples: Option<PathBuf>,
}

impl FromArgs {
    /// Returns true if a flag names an old version to upgrade from.
    pub(super) fn is_given(&self) -> bool {
        !self.from.is_empty() || !self.from_command.is_empty()
    }
}

/// The flags for an operator that opctl did not scaffold, written in any programming language. The operator must take
/// the server and the namespace from `KUBECONFIG`.
#[derive(Args, Debug)]
#[command(next_help_heading = "An operator that is not an opctl project")]
pub(in crate::commands) struct ForeignArgs {
    /// The shell command that starts the operator
    #[arg(long, value_name = "LINE", requires = "crds")]
    pub(in crate::commands) command: Option<String>,
    /// The folder of the operator's CRDs
    #[arg(long, value_name = "DIR", requires = "command")]
    pub(in crate::commands) crds: Option<PathBuf>,
    /// The folder of samples
    #[arg(long, value_name = "DIR", requires = "command", default_value = "config/samples")]
    pub(in crate::commands) samples: PathBuf,
    /// The folder of the operator's roles; without this flag, the operator may do everything
    #[arg(long, value_name = "DIR", requires = "command")]
    pub(in crate::commands) roles: Option<PathBuf>,
}

impl ForeignArgs {
    /// Returns the flags that name the operator, to paste into a command line; empty without `--command`.
    pub(in crate::commands) fn line(&self) -> Hint {
        let (Some(command), Some(crds)) = (&self.command, &self.crds) else { return Hint::from("") };
        let mut line = hint!(
            " --command {command} --crds {crds} --samples {samples}",
            command,
            crds = crds.display(),
            samples = self.samples.display()
        );
        if let Some(roles) = &self.roles {
            line.push(hint!(" --roles {roles}", roles = roles.display()));
        }
        line
    }
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    duration::parse(text).ok_or_else(|| format!("`{text}` is not a time such as `90s` or `5m`"))
}
