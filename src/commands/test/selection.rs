//! Finds the names of tests in the arguments of `opctl test`, apart from flags and their values.

use std::ffi::OsString;

/// Flags of `cargo test` whose value is the next argument (`cargo help test`).
const OF_CARGO: &[&str] = &[
    "-p",
    "--package",
    "--exclude",
    "--bin",
    "--example",
    "--test",
    "--bench",
    "-F",
    "--features",
    "-j",
    "--jobs",
    "--profile",
    "--target",
    "--target-dir",
    "--message-format",
    "--color",
    "--config",
    "-Z",
    "-C",
    "--manifest-path",
    "--lockfile-path",
];

/// Flags of libtest whose value is the next argument (`cargo test -- --help`).
const OF_TESTS: &[&str] = &["--skip", "--test-threads", "--format", "--color", "--logfile", "--shuffle-seed", "-Z"];

/// Returns the names, or parts of names, that select tests; an empty list if all tests are selected.
pub(super) fn names(cargo: &[OsString], tests: &[&OsString]) -> Vec<String> {
    let mut names = positional_arguments(&cargo.iter().collect::<Vec<_>>(), OF_CARGO);
    names.extend(positional_arguments(tests, OF_TESTS));
    names
}

/// Returns the arguments that are neither flags nor the values that follow the flags `with_value`.
fn positional_arguments(arguments: &[&OsString], with_value: &[&str]) -> Vec<String> {
    let (mut words, mut value) = (Vec::new(), false);
    for argument in arguments.iter().map(|argument| argument.to_string_lossy()) {
        let is_value = std::mem::replace(&mut value, with_value.contains(&argument.as_ref()));
        if !is_value && !argument.starts_with('-') {
            words.push(argument.into_owned());
        }
    }
    words
}
