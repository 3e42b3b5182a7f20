//! Runs the program kind, which creates and deletes Kubernetes clusters in containers.

use super::{Guarded, spawn};
use std::process::{Command, Output, Stdio};

/// Runs the program kind, waits for its end, and returns its output.
///
/// # Errors
/// Fails if the program is not installed, or cannot be run.
pub fn kind(arguments: &[&str]) -> std::io::Result<Output> {
    let mut command = Command::new("kind");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    spawn(&mut command).and_then(Guarded::output)
}
