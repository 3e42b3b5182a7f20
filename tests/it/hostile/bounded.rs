//! Commands with limits of time and memory.

use crate::support::{text, tool};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a command with a limit of 40 seconds and of 3 GB of memory. Returns its exit code and its stderr.
#[track_caller]
pub(super) fn ended(command: &Command) -> (Option<i32>, String) {
    let mut limited = tool("/bin/sh");
    limited.args(["-c", "ulimit -v 3000000; exec \"$@\"", "sh"]).arg(command.get_program()).args(command.get_args());
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = limited.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let said = std::thread::spawn(move || {
        let mut said = Vec::new();
        std::io::Read::read_to_end(&mut stderr, &mut said).unwrap();
        said
    });
    end_within(&mut child, Duration::from_secs(40), &format!("{command:?}"));
    (child.wait().unwrap().code(), text(&said.join().unwrap()))
}

/// Returns true for the exit codes 0 to 5: the command succeeded or refused its input, and did not crash.
pub(super) fn is_answer(code: Option<i32>) -> bool {
    matches!(code, Some(0..=5))
}

/// Waits for a process to end, and fails if it takes longer than `limit`.
#[track_caller]
pub(super) fn end_within(child: &mut Child, limit: Duration, what: &str) {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > limit {
            child.kill().unwrap();
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
