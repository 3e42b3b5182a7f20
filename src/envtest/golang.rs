//! Runs the Go tool, and checks that it is installed and new enough.

use crate::error::hint;
use crate::exec;
use crate::system;
use crate::{Error, Result};
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of lines of the Go tool's output that an error shows.
const TAIL: usize = 8;

/// The major and the minor version of Go.
pub(super) type GoVersion = (u32, u32);

/// Returns the version of the Go tool on the `PATH`; `None` if there is no Go tool.
pub(super) fn version() -> Option<GoVersion> {
    // GOTOOLCHAIN=local: the installed version, not one that Go would download.
    let mut command = Command::new("go");
    command
        .arg("version")
        .env("GOTOOLCHAIN", "local")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let output = exec::spawn(system::run_as_served_user(&mut command, &[])).ok()?.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    parse(text.split_whitespace().find_map(|word| word.strip_prefix("go1.").map(|_| &word[2..]))?)
}

/// Parses a version of Go, such as `1.26`, `1.26.8` or `1.26rc1`; `None` if `text` has no major and minor version.
pub(super) fn parse(text: &str) -> Option<GoVersion> {
    let (major, rest) = text.split_once('.')?;
    let minor = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Fails unless the Go tool is installed and at least as new as `needed`.
pub(super) fn require(needed: GoVersion) -> Result<()> {
    let (major, minor) = needed;
    match version() {
        None => Err(Error::environment("building servers from source needs Go, and `go` is not on the PATH")
            .hint(hint!("install Go {major}.{minor} or newer: https://go.dev/doc/install", major, minor))),
        Some(there) if there < needed => Err(Error::environment(format!(
            "Go {}.{} is too old: this version of Kubernetes needs {major}.{minor}",
            there.0, there.1
        ))
        .hint(hint!("install Go {major}.{minor} or newer: https://go.dev/doc/install", major, minor))),
        Some(_) => Ok(()),
    }
}

/// Runs the Go tool in the folder `module` and returns its stdout. The Go tool is killed if this process ends.
pub(super) fn run(module: &Path, arguments: &[&str]) -> Result<String> {
    let words: Vec<_> = arguments.iter().take(2).take_while(|word| !word.starts_with('-')).copied().collect();
    let failed = || Error::environment(format!("`go {}` failed", words.join(" ")));
    let mut command = exec::command_for_this_process("go").map_err(|error| failed().source(&error))?;
    command.args(arguments).current_dir(module);
    command.env("CGO_ENABLED", "0").env("GOTOOLCHAIN", "local").env("GOWORK", "off");
    // Build for this machine, whatever target the shell sets.
    command.env_remove("GOOS").env_remove("GOARCH");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = exec::spawn(system::run_as_served_user(&mut command, &[module]));
    let output = child.and_then(exec::Guarded::output).map_err(|error| failed().source(&error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    // Some commands of Go report on stdout.
    let all = [output.stdout, output.stderr].concat();
    Err(explain(failed(), &String::from_utf8_lossy(&all)))
}

/// Adds the last lines of the Go tool's output to the error, and a hint for common causes.
fn explain(error: Error, messages: &str) -> Error {
    let lines: Vec<_> = messages.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = &lines[lines.len().saturating_sub(TAIL)..];
    let error = tail.iter().fold(error, |error, line| error.caused_by(line.trim_end()));
    let said = |any: &[&str]| any.iter().any(|text| messages.contains(text));
    if said(&["no space left on device", "disk quota exceeded"]) {
        error.hint(
            "a build needs 4 GB for Go's caches; free some space, for example with `go clean -cache`, and run the \
             same command again",
        )
    } else if said(&[
        "dial tcp",
        "no such host",
        "i/o timeout",
        "proxyconnect",
        "module lookup disabled",
        "connection refused",
    ]) {
        error.hint("Go's module proxy cannot be reached; look at: go env GOPROXY GOSUMDB")
    } else if said(&["SECURITY ERROR", "checksum mismatch"]) {
        error.hint("the checksum of a module does not match; look at: go env GOPROXY GOSUMDB")
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_go_are_read() {
        for (text, version) in [("1.26", (1, 26)), ("1.26.8", (1, 26)), ("1.27rc1", (1, 27))] {
            assert_eq!(parse(text), Some(version));
        }
        assert_eq!(parse("devel"), None);
    }

    #[test]
    fn the_end_of_the_messages_and_a_mend_are_told() {
        let messages = "line\n".repeat(20) + "write: no space left on device\n";
        let error = explain(Error::environment("`go build` failed"), &messages);
        assert_eq!(error.causes().len(), TAIL);
        assert!(error.hint_text().is_some_and(|hint| hint.contains("4 GB")));
        assert!(explain(Error::environment("x"), "undefined: y").hint_text().is_none());
    }
}
