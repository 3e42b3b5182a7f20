//! A server of a control plane: a child process with a log.

use super::limits::output_is_wanted;
use super::name::Name;
use super::node_cgroups::MARK;
use super::process::Identity;
use super::state::create_file;
use crate::error::{file_error, hint};
use crate::exec::{self, Guarded};
use crate::reading::{self, Limit};
use crate::system::{self, Signal};
use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The maximum number of log lines that an error shows.
const TAIL: usize = 12;

/// A server process, running or ended. Dropping the value kills the process.
#[derive(Debug)]
pub(super) struct Server {
    name: &'static str,
    child: Guarded,
    log: PathBuf,
    identity: Identity,
}

impl Server {
    /// Starts `program` with its output in the file `<name>.log` in `directory`.
    pub(super) fn start(name: &'static str, program: &Path, arguments: &[String], directory: &Path) -> Result<Self> {
        let log = directory.join(format!("{name}.log"));
        let failed =
            |error: &std::io::Error| Error::environment(format!("cannot start `{}`", program.display())).source(error);
        let mut command = exec::command_for_this_process(program).map_err(|error| failed(&error))?;
        command.args(arguments).stdin(Stdio::null());
        if output_is_wanted() {
            // All output goes to stderr: stdout is for the kubeconfig's path.
            command.stdout(std::io::stderr()).stderr(Stdio::inherit());
        } else {
            let file = create_file(&log)?;
            let other = file.try_clone().map_err(|error| file_error("write", &log, &error))?;
            command.stdout(file).stderr(other);
        }
        let child = exec::spawn(&mut command).map_err(|error| failed(&error))?;
        let pid = child.id();
        // A server that has ended already has no start time to identify it by; `check` reports it.
        let identity = Identity::of(pid).unwrap_or(Identity { pid, started: String::new() });
        Ok(Server { name, child, log, identity })
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Fails, with the last lines of the log, if the server has ended.
    pub(super) fn check(&mut self) -> Result<()> {
        let status = self.child.child().try_wait();
        match status {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(self.exit_error(status)),
            Err(error) => Err(Error::bug(format!("cannot read the exit status of `{}`", self.name)).source(&error)),
        }
    }

    /// Returns the last lines of the log.
    pub(super) fn tail(&self) -> Vec<String> {
        tail(&self.log)
    }

    fn exit_error(&self, status: ExitStatus) -> Error {
        let error = Error::environment(format!("the server `{}` exited unexpectedly: {status}", self.name));
        let error = self.tail().into_iter().fold(error, Error::caused_by);
        if error.causes().iter().any(|cause| cause.contains("no space left on device")) {
            return error.hint("free some space, or use another disk: export XDG_STATE_HOME=/path/to/a/folder");
        }
        let folder = self.log.parent();
        let name = folder.and_then(Path::file_name).and_then(|name| name.to_str()?.parse::<Name>().ok());
        let Some(name) = name else {
            return error.hint(
                "export KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true    # then run the same command again: it shows \
                 the full output of the servers",
            );
        };
        let node = if folder.is_some_and(|folder| folder.join(MARK).exists()) { " --node" } else { "" };
        error.hint(hint!(
            "to see the full output: KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true opctl envtest start --name \
             {name}{node}",
            name = name.as_str(),
            node
        ))
    }

    /// Asks the server to end, waits for its end at most `limit`, and kills the server if it still runs.
    pub(super) fn stop(mut self, limit: Duration) {
        // The server is still a child of this process, so its id cannot be reused.
        system::signal(self.child.id(), Signal::Terminate);
        let begun = Instant::now();
        while begun.elapsed() < limit && matches!(self.child.child().try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Repeats `ask` until it succeeds, and returns its answer. Fails if one of `servers` ends, or if `limit` has
/// passed.
pub(super) fn wait<Answer>(
    servers: &mut [Server],
    limit: Duration,
    ask: impl Fn() -> std::result::Result<Answer, String>,
) -> Result<Answer> {
    let begun = Instant::now();
    loop {
        servers.iter_mut().try_for_each(Server::check)?;
        let reason = match ask() {
            Ok(answer) => return Ok(answer),
            Err(reason) => reason,
        };
        if begun.elapsed() > limit {
            let name = servers.first().map_or("server", Server::name);
            let error = Error::environment(format!("the server `{name}` did not answer within {limit:?}"));
            let error = error.caused_by(reason.lines().last().unwrap_or_default());
            let tail = servers.first().map(Server::tail).unwrap_or_default();
            return Err(tail
                .into_iter()
                .fold(error, Error::caused_by)
                .hint("give a slow machine more time: export KUBEBUILDER_CONTROLPLANE_START_TIMEOUT=3m"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns the last log lines that report problems, or the last lines of the log if no line reports a problem.
pub(super) fn tail(log: &Path) -> Vec<String> {
    let bytes = reading::bytes(log, Limit::Bundle).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    // The stack traces of a Go program that panicked do not help to find the reason.
    let lines = text.lines().take_while(|line| !line.starts_with("goroutine "));
    let all: Vec<_> = lines.filter(|line| !line.trim().is_empty()).collect();
    let trouble: Vec<_> = all.iter().copied().filter(|line| !is_information(line)).collect();
    let lines = if trouble.is_empty() { all } else { trouble };
    lines[lines.len().saturating_sub(TAIL)..].iter().map(|line| shorten_log_line(line)).collect()
}

/// Returns true if a log line reports no error: `I1231 …` from Kubernetes, level `info` or `warn` from etcd.
fn is_information(line: &str) -> bool {
    let date = line.strip_prefix('I').and_then(|rest| rest.get(..5));
    let kubernetes =
        date.is_some_and(|date| date.ends_with(' ') && date[..4].bytes().all(|byte| byte.is_ascii_digit()));
    kubernetes || line.starts_with(r#"{"level":"info""#) || line.starts_with(r#"{"level":"warn""#)
}

/// Returns a log line for messages: shortens etcd's lines, which are JSON.
fn shorten_log_line(line: &str) -> String {
    let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { return line.to_owned() };
    let parts = ["level", "msg", "error"].map(|key| json[key].as_str());
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { line.to_owned() } else { parts.join(": ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_before_information() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let log = "{\"level\":\"info\",\"msg\":\"a\"}\nE1231 00:00:00.0 1 a.go:1] no\nI1231 00:00:00.0 1 a.go:1] yes\n";
        std::fs::write(file.path(), log).unwrap();
        assert_eq!(tail(file.path()), ["E1231 00:00:00.0 1 a.go:1] no"]);
        std::fs::write(file.path(), "I1231 00:00:00.0 1 a.go:1] yes\n").unwrap();
        assert_eq!(tail(file.path()).len(), 1);
        let log = r#"{"level":"panic","msg":"failed to create WAL","error":"no space","stacktrace":"main"}"#;
        std::fs::write(file.path(), log).unwrap();
        assert_eq!(tail(file.path()), ["panic: failed to create WAL: no space"]);
        std::fs::write(file.path(), "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n").unwrap();
        assert_eq!(tail(file.path()), ["panic: no"]);
        assert!(!is_information("Internal error") && !is_information("I"));
    }

    #[test]
    fn a_tail_is_the_last_lines() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(tail(file.path()).is_empty());
        let text = "line\n\n".repeat(50) + "last\n";
        std::fs::write(file.path(), text).unwrap();
        let lines = tail(file.path());
        assert_eq!((lines.len(), lines[TAIL - 1].as_str()), (TAIL, "last"));
    }
}
