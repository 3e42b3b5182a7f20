//! Runs `opctl explore` on a plain operator and on copies with one bug each, and shows which class of faults finds
//! which bug, and when.

use crate::{OPCTL, copy, median};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/explore");

/// The operators without a bug: the plain one, one with a Job for each image and an object with a random name, and one
/// that does what is easily taken for a bug.
const CORRECT: [&str; 3] = ["plain-operator", "releases", "trap"];

/// Explores the operators without a bug, and the plain one with each of the bugs.
pub(crate) fn bugs() {
    let mut patches: Vec<PathBuf> =
        std::fs::read_dir(format!("{DATA}/bugs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    patches.sort();
    println!("{:<32}{:>8}{:>8}{:>9}  {:<14}found by", "operator", "points", "first", "whole", "oracle");
    let alarms = CORRECT.iter().filter_map(|program| explore(program, program, None)).count();
    let found: Vec<Option<Duration>> = patches
        .iter()
        .map(|patch| explore(&patch.file_stem().unwrap().to_string_lossy(), CORRECT[0], Some(patch.as_path())))
        .collect();
    let times: Vec<Duration> = found.iter().copied().flatten().collect();
    let (count, of) = (times.len(), found.len());
    let time = median(times);
    println!("{alarms} of {} operators without a bug raise an alarm", CORRECT.len());
    println!("{count} of {of} bugs found; median time to the first suspicion: {:.0} s", time.as_secs_f64());
}

/// Explores one operator and prints a row. Returns the time of the first suspicion if an error was found.
fn explore(name: &str, program: &str, patch: Option<&Path>) -> Option<Duration> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy(Path::new(DATA), root);
    let must = |command: &mut Command| assert!(command.current_dir(root).status().unwrap().success(), "{command:?}");
    if let Some(patch) = patch {
        must(Command::new("git").args(["apply", "--unsafe-paths"]).arg(patch));
    }
    let target = std::env::temp_dir().join("opctl-explore-bench");
    must(
        Command::new(env!("CARGO"))
            .args(["build", "--locked", "--quiet", "--bin", program])
            .env("CARGO_TARGET_DIR", &target),
    );
    let built = target.join("debug").join(program);
    let program = root.join("operator");
    std::fs::copy(built, &program).unwrap();
    let mut command = Command::new(OPCTL);
    command
        .args(["explore", "--crds", "crds", "--samples", "samples", "--roles", "roles", "-o", "json", "--command"])
        .arg(&program);
    let output = command.current_dir(root).stderr(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let summary = lines.map(|line| line["data"].clone()).find(|data| data["planned"].is_u64()).unwrap_or_default();
    let first = summary["firstSuspicionSeconds"].as_f64();
    let errors: Vec<&Value> =
        summary["findings"].as_array().into_iter().flatten().filter(|finding| finding["severity"] == "error").collect();
    let of = |key: &str| errors.first().and_then(|error| error[key].as_str()).unwrap_or("-").to_owned();
    println!(
        "{name:<32}{:>8}{:>8}{:>9}  {:<14}{}",
        summary["reached"].to_string(),
        first.map_or("-".to_owned(), |first| format!("{first:.0} s")),
        format!("{:.0} s", summary["seconds"].as_f64().unwrap_or_default()),
        of("oracle"),
        errors.iter().filter_map(|error| error["plan"].as_str()).collect::<Vec<_>>().join(" "),
    );
    (!errors.is_empty()).then(|| Duration::from_secs_f64(first.unwrap_or_default()))
}
