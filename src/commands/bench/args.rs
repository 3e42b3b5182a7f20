//! The arguments of `opctl bench`.

use crate::commands::command::BOOL;
use crate::commands::explore::ForeignArgs;
use crate::commands::time_limit::time_limit;
use crate::error::{Hint, hint};
use clap::Args;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
    opctl bench
    opctl bench --objects 1000,5000,10000 --forecast 50000
    opctl bench --kind Shop    # one kind of several
    opctl bench --debug --objects 100    # a first look, without a release build
    opctl bench -o json > bench.json
    opctl bench --command ./operator --crds crds --samples cr --roles rbac";

/// Measure the operator with many objects, forecast its memory
///
/// For each number of objects, starts a control plane, creates that many copies of the sample in `config/samples`,
/// and starts the operator with the rights of its roles, behind a proxy that counts requests and bytes. When each
/// object has a status, measures the operator at rest, then starts it again, as an update would: the peak covers
/// both runs. No pods run, unless `--simulate-nodes` is given: then each object must be Ready. The forecast is a
/// line through the measurements; with a single number of objects, through this measurement and the operator
/// without objects. Your cluster is not used: see `opctl help deploying`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// The numbers of objects; each number is measured separately
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', default_value = "1000,5000", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) objects: Vec<u32>,
    /// Copy the sample of this kind, such as `Shop` or `Shop.example.com`; create the other samples once [default: the
    /// only kind]
    #[arg(long, value_name = "KIND")]
    pub(super) kind: Option<String>,
    /// Forecast the memory with this number of objects
    #[arg(long, value_name = "NUMBER", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(super) forecast: u32,
    /// Measure the operator at rest for this long, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_limit)]
    pub(super) steady: Duration,
    /// Wait this long until the operator is done with all objects of a measurement
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = time_limit)]
    pub(super) timeout: Duration,
    /// Let pods run, and wait until each object is Ready, which takes longer
    #[arg(long, default_value_t = false, action = clap::ArgAction::Set, value_name = BOOL)]
    pub(super) simulate_nodes: bool,
    /// Build with cargo's dev profile instead of release: the build is faster, and the program larger
    #[arg(long, conflicts_with = "command")]
    pub(super) debug: bool,
    #[command(flatten)]
    pub(super) foreign: ForeignArgs,
}

impl BenchArgs {
    /// Returns the command line that measures the same operator again, for hints. It does not have `--objects`, so that
    /// a hint can add other numbers of objects.
    pub(super) fn repeat_command(&self) -> Hint {
        let mut line = Hint::from("opctl bench");
        line.push(self.foreign.line());
        if let Some(kind) = &self.kind {
            line.push(hint!(" --kind {kind}", kind));
        }
        for (flag, is_given) in [(" --debug", self.debug), (" --simulate-nodes", self.simulate_nodes)] {
            if is_given {
                line.push(flag);
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    fn args(arguments: &[&str]) -> Result<BenchArgs, clap::Error> {
        let command = BenchArgs::augment_args(clap::Command::new("bench"));
        let matches = command.try_get_matches_from([&["bench"], arguments].concat())?;
        BenchArgs::from_arg_matches(&matches)
    }

    #[test]
    fn the_line_names_the_same_operator() {
        let line = |arguments: &[&str]| args(arguments).unwrap().repeat_command().as_str().to_owned();
        assert_eq!(line(&["--objects", "7"]), "opctl bench");
        assert_eq!(line(&["--kind", "Shop", "--debug"]), "opctl bench --kind Shop --debug");
        assert_eq!(
            line(&["--command", "./run it", "--crds", "crds"]),
            "opctl bench --command './run it' --crds crds --samples config/samples"
        );
    }

    #[test]
    fn numbers_have_limits() {
        assert_eq!(args(&[]).unwrap().objects, [1000, 5000]);
        assert_eq!(args(&["--objects", "5,20"]).unwrap().objects, [5, 20]);
        for wrong in ["0", "abc", "-1", "100001", "1.5", "99999999999", "", "5,,6"] {
            assert!(args(&["--objects", wrong]).is_err(), "{wrong}");
        }
        assert!(args(&["--forecast", "0"]).is_err() && args(&["--crds", "x"]).is_err());
        assert!(args(&["--debug", "--command", "x", "--crds", "y"]).is_err());
    }
}
