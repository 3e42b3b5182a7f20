//! Builds and runs the `cargo test` command for the project's tests.

use super::args::TestArgs;
use super::ignored::Ignored;
use super::selection;
use crate::commands::context::Context;
use crate::exec::{Guarded, cannot_start_cargo, cargo, print_to_stderr, spawn};
use crate::{Error, Result};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// The environment variable with the path of the kubeconfig of the API server's administrator.
pub(super) const ADMINISTRATOR: &str = "OPCTL_TEST_KUBECONFIG";
/// The environment variable with the path of the kubeconfig for the operator's service account, which has exactly the
/// rights of the operator's roles.
pub(super) const OPERATOR: &str = "OPCTL_TEST_OPERATOR_KUBECONFIG";

/// Returns the `cargo test` command. Also returns the tests in `others` that this command skips: `others` are the tests
/// that are ignored for a reason other than `opctl test`.
pub(super) fn cargo_test<'a>(args: &TestArgs, root: &Path, others: &'a [Ignored]) -> (Command, Vec<&'a Ignored>) {
    let mut command = cargo(root);
    let (cargo_arguments, tests) = args.split();
    command.arg("test").args(cargo_arguments).arg("--");
    let asks = |flag: &str| tests.iter().any(|argument| *argument == flag);
    let mut left_out = Vec::new();
    // libtest takes only one of the two flags.
    if !asks("--ignored") && !asks("--include-ignored") {
        let names = selection::names(cargo_arguments, &tests);
        let by_name = |test: &&Ignored| names.is_empty() || names.iter().any(|name| test.name.contains(name));
        left_out = others.iter().filter(by_name).collect();
        command.arg("--include-ignored");
        // With `--exact`, `--skip` leaves out no test whose name only contains the given one; but all other names must
        // be whole, too.
        let whole = names.is_empty() && !asks("--skip") && left_out.iter().all(|test| test.single);
        if whole && !left_out.is_empty() && !asks("--exact") {
            command.arg("--exact");
        }
        for test in &left_out {
            command.args(["--skip", &test.name]);
        }
    }
    command.args(tests).stdin(Stdio::null());
    (command, left_out)
}

pub(super) fn report_ignored_tests(left_out: &[&Ignored], context: &Context) {
    // `opctl test --e2e` runs the others.
    let left_out: Vec<_> = left_out.iter().filter(|test| !test.end_to_end).collect();
    let names: Vec<String> = left_out.iter().take(3).map(|test| format!("`{}`", test.name)).collect();
    let more = if left_out.len() > 3 { format!(" and {} more", left_out.len() - 3) } else { String::new() };
    if !names.is_empty() {
        let text = format!(
            "{}{more}, ignored for reasons other than `opctl test`; to run them: opctl test -- --include-ignored",
            names.join(", ")
        );
        context.console.status("Skipping", text);
    }
}

/// Returns the command as a user would type it.
pub(super) fn command_text(command: &Command) -> String {
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let first = words.iter().position(|word| word == "test").unwrap_or_default();
    format!("cargo {}", words[first..].join(" "))
}

/// Runs the command until it ends, and returns its exit status. `again` is the command line that repeats the tests.
///
/// # Errors
/// Fails if cargo cannot be started, or if the user interrupts.
pub(super) fn in_foreground(command: &mut Command, again: &'static str, context: &Context) -> Result<ExitStatus> {
    if context.console.json() {
        print_to_stderr(command);
    }
    let ended = spawn(command).and_then(Guarded::wait_in_foreground);
    let ended = ended.map_err(|error| cannot_start_cargo(&error))?;
    if ended.interrupted {
        return Err(Error::interrupted("the tests were interrupted").hint(again));
    }
    Ok(ended.status)
}

/// Sets the environment of the tests so that they find their API server and no other API server.
pub(super) fn isolate(command: &mut Command, administrator: &Path, operator: &Path) {
    command.env(ADMINISTRATOR, administrator).env(OPERATOR, operator).env("KUBECONFIG", "/dev/null");
    command.env_remove("KUBERNETES_SERVICE_HOST").env_remove("KUBERNETES_SERVICE_PORT");
    // The API server is on this machine; cargo may need the proxy.
    for name in ["NO_PROXY", "no_proxy"] {
        let others = std::env::var(name).ok().filter(|others| !others.is_empty());
        command.env(name, others.map_or("127.0.0.1".to_owned(), |others| format!("{others},127.0.0.1")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::test::tests::parsed;

    #[test]
    fn arguments_reach_cargo_and_the_tests() {
        for (line, expected) in [
            ("", "cargo test -- --include-ignored"),
            ("--keep-running web", "cargo test web -- --include-ignored"),
            ("--release -p api --test life", "cargo test --release -p api --test life -- --include-ignored"),
            ("-- --nocapture web", "cargo test -- --include-ignored --nocapture web"),
            ("--simulate-nodes=false -p api -- --ignored", "cargo test -p api -- --ignored"),
        ] {
            let args = parsed(line);
            assert_eq!(command_text(&cargo_test(&args, Path::new("."), &[]).0), expected, "{line}");
            assert_eq!(args.keep_running, line.contains("keep"));
        }
    }

    #[test]
    fn tests_that_are_ignored_for_another_reason_stay_so() {
        let others = [("load", true), ("web_server::many", false)];
        let others = others.map(|(name, single)| Ignored { name: name.to_owned(), single, end_to_end: false });
        for (line, number, expected) in [
            ("", 1, "cargo test -- --include-ignored --exact --skip load"),
            ("-p api --test it", 1, "cargo test -p api --test it -- --include-ignored --exact --skip load"),
            ("", 2, "cargo test -- --include-ignored --skip load --skip web_server::many"),
            ("web_server", 2, "cargo test web_server -- --include-ignored --skip web_server::many"),
            ("-- lo --test-threads 1", 2, "cargo test -- --include-ignored --skip load lo --test-threads 1"),
            ("-- --skip a", 1, "cargo test -- --include-ignored --skip load --skip a"),
            ("-- --exact x", 2, "cargo test -- --include-ignored --exact x"),
            ("-- --ignored", 2, "cargo test -- --ignored"),
            ("-- --include-ignored", 2, "cargo test -- --include-ignored"),
        ] {
            let args = parsed(line);
            assert_eq!(command_text(&cargo_test(&args, Path::new("."), &others[..number]).0), expected, "{line}");
        }
    }
}
