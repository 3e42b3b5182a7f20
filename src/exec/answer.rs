//! Runs a program and returns its output. The program may be missing, fail or hang.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::process::Command;

/// The path of an empty kubeconfig, for programs that are run without a cluster: with the user's kubeconfig,
/// kubectl would run the credential plugin.
pub const NO_KUBECONFIG: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// The result of running a program for its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program printed this text on stdout.
    Said(String),
    /// The program failed, and gave this reason.
    Failed(String),
    /// The program is not installed.
    Missing,
    /// The program did not end in time, and was killed.
    Silent,
}

/// Starts `program` in `directory` with an empty kubeconfig, and waits for its output, at most for `limit`.
pub async fn answer(program: impl AsRef<OsStr>, arguments: &[&str], directory: &Path, limit: Duration) -> Answer {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).env("KUBECONFIG", NO_KUBECONFIG);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = match tokio::time::timeout(limit, command.output()).await {
        Err(_) => return Answer::Silent,
        Ok(Err(error)) if error.kind() == ErrorKind::NotFound => return Answer::Missing,
        Ok(Err(error)) => return Answer::Failed(error.to_string()),
        Ok(Ok(output)) => output,
    };
    if output.status.success() {
        return Answer::Said(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Answer::Failed(failure_reason(&output))
}

/// Returns the reason that a failed program printed: the last line on stderr. Before version 23, `docker info` prints
/// its reason on stdout, as a line that begins with `ERROR:`.
pub(super) fn failure_reason(output: &Output) -> String {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let reason = stdout.lines().find_map(|line| line.strip_prefix("ERROR:"));
    let reason = reason.or_else(|| stderr.lines().rfind(|line| !line.trim().is_empty()));
    reason.unwrap_or("the program gives no reason").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_answers_fails_hangs_or_is_not_there() {
        let here = Path::new(".");
        let ask = async |script: &str| answer("sh", &["-c", script], here, Duration::from_secs(2)).await;
        assert_eq!(ask("echo a").await, Answer::Said("a\n".to_owned()));
        assert_eq!(ask("echo why >&2; echo; exit 1").await, Answer::Failed("why".to_owned()));
        let docker = "echo Server:; echo ERROR: why; echo errors pretty printing info >&2; exit 1";
        assert_eq!(ask(docker).await, Answer::Failed("why".to_owned()));
        assert_eq!(ask("exit 1").await, Answer::Failed("the program gives no reason".to_owned()));
        assert_eq!(answer("sleep", &["60"], here, Duration::from_millis(50)).await, Answer::Silent);
        assert_eq!(answer("no-such-program", &[], here, Duration::from_secs(1)).await, Answer::Missing);
    }
}
