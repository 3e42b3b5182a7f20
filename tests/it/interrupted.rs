//! Checks Ctrl+C while `opctl` runs an operator or tests: opctl exits with 130, whatever the exit code of its child
//! process is. Scripts replace cargo in these tests.

use crate::support::{Machine, text, with_servers};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

/// Returns a script that runs until it is interrupted, and then exits with this code.
fn until_interrupted(code: u8) -> String {
    format!("trap 'exit {code}' INT; echo up >&2; while :; do /bin/sleep 0.05; done")
}

/// Runs `command` until its stderr contains `sign`, and then sends `signal` to it. Returns its exit code, stderr and
/// stdout.
fn interrupted(command: &mut Command, sign: &str, signal: Signal) -> (Option<i32>, String, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stderr, mut said) = (BufReader::new(child.stderr.take().unwrap()), String::new());
    while !said.contains(sign) {
        assert!(stderr.read_line(&mut said).unwrap() > 0, "it does not say `{sign}`:\n{said}");
    }
    kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), signal).unwrap();
    stderr.read_to_string(&mut said).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), said, text(&output.stdout))
}

#[test]
fn an_operator_that_is_interrupted_gives_130() {
    let machine = Machine::new(&[]);
    let run = |script: &str, words: &[&str]| {
        let program = machine.program("cargo", script);
        let mut command = machine.command(words);
        command.env("CARGO", program);
        command
    };
    for (script, signal, told) in [
        (until_interrupted(0), Signal::INT, "the operator has stopped"),
        (until_interrupted(0), Signal::TERM, "the operator has stopped"),
        (until_interrupted(3), Signal::INT, "interrupted: `cargo run` ended with exit status: 3"),
        ("echo up >&2; exec /bin/sleep 60".to_owned(), Signal::INT, "interrupted: `cargo run` ended with signal: 2"),
    ] {
        let (code, said, _) = interrupted(&mut run(&script, &["run"]), "up\n", signal);
        assert_eq!(code, Some(130), "{script}\n{said}");
        assert!(said.contains(told), "{script}\n{said}");
    }
    let (code, said, reports) =
        interrupted(&mut run(&until_interrupted(0), &["run", "-o", "json"]), "up\n", Signal::INT);
    let last: Value = serde_json::from_str(reports.lines().last().unwrap()).unwrap();
    assert_eq!((code, &last["outcome"]), (Some(130), &"interrupted".into()), "{said}");

    // Without an interrupt, the result is that of the operator.
    assert!(run("exit 0", &["run"]).status().unwrap().success());
    let output = run("exit 3", &["run", "--kubeconfig", "my file"]).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: the operator failed"), "{said}");
    assert!(said.contains("hint: opctl run --kubeconfig 'my file' -- --log-level debug"), "{said}");
}

#[test]
fn tests_that_are_interrupted_give_130() {
    let test = |script: &str, sign: &str| {
        let machine = Machine::new(&[]);
        let program = machine.program("cargo", script);
        let mut command = with_servers(&machine, &["test", "--keep-running"]);
        interrupted(command.env("CARGO", program), sign, Signal::INT)
    };
    let failing = "echo up >&2; exit 101";
    let (stopped, failed) = std::thread::scope(|scope| {
        let failed = scope.spawn(|| test(failing, "export OPCTL_TEST_OPERATOR_KUBECONFIG="));
        (test("echo up >&2; exec /bin/sleep 60", "up\n"), failed.join().unwrap())
    });
    assert_eq!(stopped.0, Some(130), "{}", stopped.1);
    assert!(stopped.1.contains("error: the tests were interrupted"), "they are not kept: {}", stopped.1);
    assert_eq!(failed.0, Some(130), "{}", failed.1);
    let (before, after) = failed.1.split_once("until Ctrl+C").expect("it goes on");
    assert!(before.contains("error: tests failed") && after.contains("some tests failed"), "{}", failed.1);
}
