//! Parses command lines of `opctl test`, for the unit tests of this command.

use super::args::TestArgs;
use clap::{Args, FromArgMatches};

/// Parses `line`, the arguments of `opctl test` separated by blanks.
pub(super) fn parsed(line: &str) -> TestArgs {
    let command = TestArgs::augment_args(clap::Command::new("test"));
    let matches = command.try_get_matches_from(["test"].into_iter().chain(line.split_whitespace())).unwrap();
    TestArgs::from_arg_matches(&matches).unwrap()
}
