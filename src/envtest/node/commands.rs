//! Runs programs to completion, inside and outside of the namespaces of the node.

use crate::exec;
use crate::{Error, Result};
use std::process::Stdio;

/// Returns the arguments for nsenter to run a program in the namespaces of the process `init`.
pub(super) fn entering(init: u32) -> Vec<String> {
    ["--target", &init.to_string(), "--mount", "--pid", "--net", "--"].map(str::to_owned).into()
}

/// Runs a program in the namespaces of the process `init`. Returns the program's stdout.
pub(super) fn inside(init: u32, arguments: &[&str]) -> Result<String> {
    let all = entering(init);
    let all: Vec<_> = all.iter().map(String::as_str).chain(arguments.iter().copied()).collect();
    run("nsenter", &all)
}

/// Runs a program until it ends. Returns the program's stdout.
pub(super) fn run(program: &str, arguments: &[&str]) -> Result<String> {
    let failed = || Error::environment(format!("`{program} {}` failed", arguments.join(" ")));
    let mut command = exec::command_for_this_process(program).map_err(|error| failed().source(&error))?;
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = exec::spawn(&mut command).and_then(exec::Guarded::output).map_err(|error| failed().source(&error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(said.lines().filter(|line| !line.trim().is_empty()).fold(failed(), Error::caused_by))
}

/// Returns the error for an archive of images that the node rejects; `said` is the output of the rejecting program.
pub(super) fn refused_archive(said: &str) -> Error {
    let error = if said.contains("no space left on device") {
        disk_full()
    } else {
        Error::user("the node rejects the image archive")
    };
    said.lines().filter(|line| !line.trim().is_empty()).fold(error, Error::caused_by)
}

/// Returns the error for a node whose disk has no space for an image.
pub(super) fn disk_full() -> Error {
    Error::environment("the disk of the node is full")
        .hint("free some space, or keep the node on another disk: export XDG_STATE_HOME=/path/to/a/folder")
}
