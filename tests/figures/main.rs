//! `cargo bench`: measures how long opctl's commands take, compares `opctl manifests` with controller-gen on the
//! same types, and compares the generated operator with an operator in Go. The comparisons need Go.
//!
//! `-- compare` and `-- operators` run only one of these comparisons. `-- big` compares `opctl manifests` on a
//! large api crate with `cargo check`, and `-- tests` compares the tests of many kinds with the tests of one kind.
//! The following measurements run only on request: `-- memory` gives an operator 50,000 objects, `-- webhooks`
//! compares webhooks with webhooks in Go under load for some minutes, `-- controllers` compares three controllers
//! that own the same kinds with three in Go, `-- explore` shows the bugs that explorations
//! find, `-- baselines` shows the bugs that other methods find, and `-- alarms` explores operators without a bug
//! for hours. `API_SERVER_CPUS=0` runs the API server of the operators on the first processor.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program for people who watch it")]

mod big;
mod compare;
mod cost;
mod explore;
mod kinds;
mod operators;
mod tests;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const OPCTL: &str = env!("CARGO_BIN_EXE_opctl");

fn main() {
    // `cargo test --benches` and clippy pass no `--bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    if asked("compare") {
        return compare::with_controller_gen();
    }
    if asked("big") {
        return big::beside_cargo_check();
    }
    if asked("tests") {
        return tests::of_many_kinds();
    }
    if asked("explore") {
        return explore::bugs();
    }
    if asked("baselines") {
        return explore::baselines();
    }
    if asked("alarms") {
        return explore::alarms();
    }
    if asked("memory") {
        return operators::of_many_objects();
    }
    if asked("webhooks") {
        return operators::beside_go_webhooks();
    }
    if asked("controllers") {
        return operators::beside_go_controllers();
    }
    if asked("operators") {
        return operators::beside_a_go_manager();
    }
    println!("{:<58}{:>12}{:>12}", "figure", "measured", "at most");
    let size = std::fs::metadata(OPCTL).unwrap().len();
    row("opctl's binary", &format!("{:.1} MB", bytes_to_mb(size)), "15 MB");
    scaffold();
    manifests();
    compare::with_controller_gen();
    big::beside_cargo_check();
    tests::of_many_kinds();
    envtest_start();
    demo();
    operators::beside_a_go_manager();
}

/// Copies a folder and everything below it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        // The runtime of a golden project is a link to its folder.
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn bytes_to_mb(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1000).unwrap()) / 1000.0
}

fn row(figure: &str, measured: &str, limit: &str) {
    println!("{figure:<58}{measured:>12}{limit:>12}");
}

fn text(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{:.1} ms", duration.as_secs_f64() * 1000.0),
        _ => format!("{:.1} s", duration.as_secs_f64()),
    }
}

fn run(command: &mut Command) -> Duration {
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let took = start.elapsed();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    took
}

fn opctl(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(OPCTL);
    command.args(arguments).current_dir(root).env_remove("CARGO_TARGET_DIR");
    command
}

fn median(mut durations: Vec<Duration>) -> Duration {
    durations.sort();
    durations[durations.len() / 2]
}

fn project() -> (tempfile::TempDir, PathBuf, Duration) {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("webserver-operator");
    std::fs::create_dir(&root).unwrap();
    let took = run(&mut opctl(&root, &["init", "--domain", "example.com"]))
        + run(&mut opctl(&root, &["create", "api", "--kind", "WebServer"]));
    (temporary, root, took)
}

fn scaffold() {
    let took = median((0..20).map(|_| project().2).collect());
    row("init and create api, together", &text(took), "30 ms");
}

fn manifests() {
    let (_temporary, root, _) = project();
    row("manifests, first time", &text(run(&mut opctl(&root, &["manifests"]))), "40 s");
    let unchanged = median((0..20).map(|_| run(&mut opctl(&root, &["manifests"]))).collect());
    row("manifests, nothing changed", &text(unchanged), "50 ms");
}

fn envtest_start() {
    let state = tempfile::tempdir().unwrap();
    let envtest = |command: &str| run(opctl(state.path(), &["envtest", command]).env("XDG_STATE_HOME", state.path()));
    let mut starts = Vec::new();
    for _ in 0..5 {
        starts.push(envtest("start"));
        envtest("stop");
    }
    row("envtest start to a served API", &text(median(starts)), "5 s");
}

fn demo() {
    let folder = tempfile::tempdir().unwrap();
    let output = opctl(folder.path(), &["demo", "-o", "json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    let last = serde_json::Deserializer::from_str(&said).into_iter::<serde_json::Value>().last().unwrap().unwrap();
    let seconds = |value: &serde_json::Value| Duration::from_secs_f64(value["seconds"].as_f64().unwrap());
    let total = seconds(&last["data"]);
    let steps = last["data"]["steps"].as_array().unwrap().iter();
    let cargos = ["opctl manifests", "cargo run"];
    let cargo: Duration = steps.filter(|step| cargos.iter().any(|cargo| step["command"] == *cargo)).map(seconds).sum();
    row("demo, everything compiled anew", &text(total), "180 s");
    row("  of which not in cargo", &text(total.saturating_sub(cargo)), "15 s");
}
