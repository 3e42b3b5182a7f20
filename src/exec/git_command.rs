//! The command that every question to git is asked with: nothing that a folder's own configuration names is run.
//!
//! A folder that comes in an archive, or lies on a share, may bring a `.git` with it, whose configuration names programs:
//! monitors of the file system, hooks, filters, converters, signature checkers, transports, pagers. git has no switch
//! against all of them, so each kind that a question could reach is turned off here.

use std::path::Path;
use std::process::Command;

/// Settings that take precedence over all configuration files of git.
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
