//! The arguments of a line, for the tests of this room.

use super::args::TestArgs;
use clap::{Args, FromArgMatches};

/// Returns the arguments in a line.
pub(super) fn parsed(line: &str) -> TestArgs {
    let command = TestArgs::augment_args(clap::Command::new("test"));
    let matches = command.try_get_matches_from(["test"].into_iter().chain(line.split_whitespace())).unwrap();
    TestArgs::from_arg_matches(&matches).unwrap()
}
