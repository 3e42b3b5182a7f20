//! Tests of `opctl demo`: an interrupted demo leaves neither processes nor files, and a demo can report in JSON.

// The tests find the processes of a demo in /proc.
#![cfg(target_os = "linux")]

use crate::support::{opctl, separate_target_folder, temporary};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running demo. Its processes and files are identified by its temporary folder.
struct Demo {
    child: Child,
    temporary: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Demo {
    fn command(temporary: &Path, state: &Path) -> Command {
        let mut command = opctl(&["demo"]);
        command.env("TMPDIR", temporary).env("XDG_STATE_HOME", state);
        command.env("CARGO_TARGET_DIR", separate_target_folder("demo"));
        command.stdin(Stdio::null());
        command
    }

    /// Starts a demo and waits until a line of its output contains `text`.
    fn until(text: &str, flags: &[&str]) -> Self {
        let (temporary, state) = (temporary(), temporary());
        let mut command = Self::command(temporary.path(), state.path());
        let child = command.args(flags).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut demo = Demo { child, temporary, state };
        let mut said = String::new();
        for line in BufReader::new(demo.child.stderr.take().unwrap()).lines() {
            said.push_str(&line.unwrap());
            said.push('\n');
            if said.contains(text) {
                return demo;
            }
        }
        panic!("the demo does not say `{text}`:\n{said}");
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.child.id().try_into().unwrap()).unwrap(), signal).unwrap();
    }

    /// Returns the processes that have the demo's temporary folder in their environment.
    fn processes(&self) -> Vec<String> {
        let mark = format!("TMPDIR={}", self.temporary.path().display());
        let read = |folder: &Path, file: &str| {
            String::from_utf8_lossy(&std::fs::read(folder.join(file)).unwrap_or_default()).replace('\0', " ")
        };
        let entries = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        entries
            .filter(|folder| read(folder, "environ").contains(&mark))
            .map(|folder| format!("{} {}", folder.display(), read(&folder, "cmdline")))
            .collect()
    }

    fn no_process_is_left(&self) {
        let begun = Instant::now();
        while !self.processes().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(5), "left: {:#?}", self.processes());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn an_interrupted_demo_leaves_nothing() {
    for phase in
        ["Playing the demo, for about ", "Compiling the API types", "opctl envtest start", "Building the operator"]
    {
        let mut demo = Demo::until(phase, &[]);
        // Interrupt in the middle of the phase, not at its start.
        std::thread::sleep(Duration::from_millis(100));
        let begun = Instant::now();
        demo.signal(Signal::INT);
        assert_eq!(demo.child.wait().unwrap().code(), Some(130), "{phase}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{phase}: {:?}", begun.elapsed());
        demo.no_process_is_left();
        for folder in [demo.temporary.path(), &demo.state.path().join("opctl/envtest")] {
            let left = std::fs::read_dir(folder).into_iter().flatten().count();
            assert_eq!(left, 0, "{phase}: {}", folder.display());
        }
    }
}

/// Checks that a demo with `--keep-running` runs until it is interrupted, that a demo with `--explore` finds its
/// planted bug, and that a demo with `--webhooks` refuses a change. One test runs the three demos, because they build
/// their operator in the same folder.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn demos_come_to_their_ends() {
    a_demo_that_is_kept_goes_on_until_it_is_interrupted();
    a_bug_that_is_planted_is_found();
    an_object_is_filled_in_and_a_change_refused();
}

fn a_demo_that_is_kept_goes_on_until_it_is_interrupted() {
    let mut demo = Demo::until("until Ctrl+C", &["--keep-running"]);
    assert!(demo.processes().len() > 4, "servers, the operator and opctl run: {:#?}", demo.processes());
    demo.signal(Signal::INT);
    assert_eq!(demo.child.wait().unwrap().code(), Some(130));
    demo.no_process_is_left();
    assert_eq!(std::fs::read_dir(demo.temporary.path()).unwrap().count(), 0);
}

#[test]
fn a_killed_demo_leaves_no_process_and_the_next_one_sweeps() {
    let mut demo = Demo::until("Compiling the API types", &[]);
    std::thread::sleep(Duration::from_millis(100));
    demo.signal(Signal::KILL);
    demo.child.wait().unwrap();
    demo.no_process_is_left();
    let folders = || std::fs::read_dir(demo.temporary.path()).unwrap().count();
    assert_eq!(folders(), 1);

    let mut next = Demo::command(demo.temporary.path(), demo.state.path());
    // A proxy must not be used for a server on this machine.
    let output = next.args(["-o", "json"]).env("HTTPS_PROXY", "http://127.0.0.1:9").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let reports: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(reports.iter().all(|report| report["kind"] == "Report" && report["apiVersion"] == "opctl.dev/v1alpha1"));
    let commands: Vec<&str> = reports.iter().map(|report| report["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["init", "create api", "manifests", "install", "demo"]);
    let steps = reports[4]["data"]["steps"].as_array().unwrap();
    let steps: Vec<&str> = steps.iter().map(|step| step["command"].as_str().unwrap()).collect();
    for shown in ["kubectl scale webserver webserver-sample --replicas=3", "kubectl delete service webserver-sample"] {
        assert!(steps.contains(&shown), "{steps:?}");
    }
    assert_eq!(steps, crate::picture::commands_of("demo")[1..], "the picture in README is of another demo");
    assert_eq!(folders(), 0);
}

fn a_bug_that_is_planted_is_found() {
    let (temporary, state) = (temporary(), temporary());
    let mut demo = Demo::command(temporary.path(), state.path());
    let output = demo.args(["--explore", "-o", "json"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    let finding = &report["data"]["finding"];
    assert_eq!((&finding["heals"], &finding["severity"]), (&"never".into(), &"error".into()), "{report:#}");
    assert!(finding["message"].as_str().unwrap().ends_with("services/webserver-sample is missing"), "{finding:#}");
    let steps = report["data"]["steps"].as_array().unwrap();
    let steps: Vec<&str> = steps.iter().map(|step| step["command"].as_str().unwrap()).collect();
    let mut shown = crate::picture::commands_of("finding").split_off(1);
    // These steps belong to `opctl explore`.
    shown.retain(|line| !["opctl manifests", "opctl install"].contains(&line.as_str()));
    assert_eq!(steps, shown, "the picture in README is of another demo");
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0);
}

fn an_object_is_filled_in_and_a_change_refused() {
    let (temporary, state) = (temporary(), temporary());
    let mut demo = Demo::command(temporary.path(), state.path());
    let output = demo.args(["--webhooks", "-o", "json"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let reports: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let commands: Vec<&str> = reports.iter().map(|report| report["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["init", "create api", "create webhook", "manifests", "install", "demo"]);
    let data = &reports[5]["data"];
    let refusal = "The WebServer \"webserver-sample\" is invalid: metadata.annotations: Forbidden: the creator stays";
    assert_eq!(data["refusal"], refusal);
    let steps = data["steps"].as_array().unwrap();
    let steps: Vec<&str> = steps.iter().map(|step| step["command"].as_str().unwrap()).collect();
    let shown = [
        "opctl run",
        "kubectl annotate --local -f config/samples/v1alpha1_webserver.yaml example.com/created-by= -o yaml | kubectl apply -f -",
        "kubectl get webserver webserver-sample -o jsonpath='{.metadata.annotations}'",
        "kubectl annotate webserver webserver-sample example.com/created-by=mallory --overwrite",
        "kubectl get webservers",
    ];
    assert_eq!(steps[4..], shown);
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let folder = temporary();
    std::fs::write(folder.path().join("mine.txt"), "").unwrap();
    let mut command = Demo::command(folder.path(), folder.path());
    let output = command.arg(folder.path()).args(["-o", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["error"]["message"].as_str().unwrap().contains("is not empty"), "{report}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}
