//! The git command for all queries. It runs no program that the configuration of a repository names.
//!
//! A folder from an archive or from a network share may contain a `.git` folder, whose configuration can name
//! programs: file system monitors, hooks, filters, converters, signature checkers, transports, pagers. git has no
//! single option against all of them, so this module disables each kind that a query could run.

use std::path::Path;
use std::process::Command;

/// Settings that prevent git from running programs that a repository configures, from fetching objects, and from
/// changing the format of its output. They take precedence over all configuration files of git.
const SETTINGS: [&str; 7] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "diff.external=",
    "log.showSignature=false",
    // No question fetches anything: that would run a transport.
    "protocol.allow=never",
    // A repository in the working tree, whose folder is not called `.git`, is none.
    "safe.bareRepository=explicit",
];

/// Returns a git command that works in `root` and starts no other program.
pub(super) fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.args(["--no-pager", "--literal-pathspecs"]);
    for setting in SETTINGS {
        git.args(["-c", setting]);
    }
    git.arg("-C").arg(root);
    // Missing objects of a partial clone are not fetched; versions of git before 2.44 know only the second variable,
    // which takes precedence over the `protocol` settings.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none").env("GIT_OPTIONAL_LOCKS", "0");
    git.env_remove("GIT_EXTERNAL_DIFF").env("GIT_TERMINAL_PROMPT", "0");
    git
}
