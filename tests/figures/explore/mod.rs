//! Runs `opctl explore` on operators with one bug each, and shows which class of faults finds which bug, and when.
//! Also runs `opctl explore` on operators without a bug, in which it must find no errors.

mod baselines;

pub(crate) use baselines::baselines;

use crate::{OPCTL, copy, median};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/explore");

/// The operators without a bug: a plain operator, an operator with a Job for each image and an object with a random
/// name, an operator whose correct behaviour is easily taken for a bug, and operators of further kinds.
const CORRECT: [&str; 9] =
    ["plain-operator", "releases", "trap", "account", "ballot", "cellar", "ledger", "pair", "pipeline"];
/// The golden project that is explored as a further operator without a bug.
const GENERATED: &str = "shop-operator";
/// The minimum number of exploration runs of each operator without a bug.
const RUNS: u64 = 1000;

/// Explores an operator with each of the bugs.
pub(crate) fn bugs() {
    let patches = patches();
    header();
    let (mut times, mut replayed, mut tried, mut reached) = (Vec::new(), 0, 0, 0);
    for patch in &patches {
        let operator = Operator::build(&program(patch), Some(patch));
        let summary = operator.explore(&[]);
        row(&patch.file_stem().unwrap().to_string_lossy(), &summary);
        (tried, reached) = (tried + number(&summary, "tried"), reached + number(&summary, "reached"));
        let Some(error) = errors(&summary).first().copied() else { continue };
        times.push(Duration::from_secs_f64(summary["firstSuspicionSeconds"].as_f64().unwrap_or_default()));
        // A bug that needs no fault shows in the runs without one, which each exploration begins with.
        let again = match error["plan"].as_str() {
            Some(plan) => operator.explore(&["--replay", plan]),
            None => operator.explore(&["--budget", "1s"]),
        };
        replayed += usize::from(errors(&again).iter().any(|found| words(found) == words(error)));
    }
    let (found, of) = (times.len(), patches.len());
    println!("{found} of {of} bugs found; median time to the first suspicion: {:.0} s", median(times).as_secs_f64());
    println!("{replayed} of {found} shown again by one replay; {reached} of {tried} points exercised");
}

/// Returns the message of a finding without its numbers, such as those of generated names, which differ in each run.
fn words(finding: &Value) -> String {
    finding["message"].as_str().unwrap_or_default().chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Returns the patches that each put a bug into one of the correct operators.
fn patches() -> Vec<PathBuf> {
    let mut patches: Vec<PathBuf> =
        std::fs::read_dir(format!("{DATA}/bugs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    patches.sort();
    patches
}

/// Returns the program that a patch changes.
fn program(patch: &Path) -> String {
    let text = std::fs::read_to_string(patch).unwrap();
    let file = text.lines().find_map(|line| line.strip_prefix("+++ b/src/bin/"));
    file.and_then(|file| file.strip_suffix(".rs")).unwrap_or(CORRECT[0]).to_owned()
}

/// Explores each operator without a bug until it has had at least [`RUNS`] runs.
pub(crate) fn alarms() {
    header();
    let mut alarms = 0;
    for program in CORRECT.into_iter().chain([GENERATED]) {
        let operator = if program == GENERATED { Operator::generated() } else { Operator::build(program, None) };
        let mut runs = 0;
        while runs < RUNS {
            let summary = operator.explore(&["--all"]);
            row(program, &summary);
            alarms += errors(&summary).len();
            runs += number(&summary, "tried");
            assert!(number(&summary, "tried") > 0, "{summary:#}");
        }
        println!("{program:<32}{runs:>8} runs");
    }
    println!("{alarms} alarms of operators without a bug");
}

/// An operator in a temporary folder, with its arguments for `opctl explore`.
struct Operator {
    folder: tempfile::TempDir,
    arguments: Vec<String>,
}

impl Operator {
    fn build(program: &str, patch: Option<&Path>) -> Operator {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        copy(Path::new(DATA), root);
        let must =
            |command: &mut Command| assert!(command.current_dir(root).status().unwrap().success(), "{command:?}");
        if let Some(patch) = patch {
            must(Command::new("git").args(["apply", "--unsafe-paths"]).arg(patch));
        }
        must(
            Command::new(env!("CARGO"))
                .args(["build", "--locked", "--quiet", "--bin", program])
                .env("CARGO_TARGET_DIR", target()),
        );
        std::fs::copy(target().join("debug").join(program), root.join("operator")).unwrap();
        let kind = format!("kinds/{program}");
        let samples = format!("{kind}/samples");
        let folders = if root.join(&kind).is_dir() {
            vec!["--crds", &kind, "--samples", &samples]
        } else {
            vec!["--crds", "crds", "--samples", "samples", "--roles", "roles"]
        };
        let arguments = folders.into_iter().chain(["--command", "./operator"]).map(str::to_owned).collect();
        Operator { folder, arguments }
    }

    fn generated() -> Operator {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/golden").join(GENERATED), folder.path());
        Operator { folder, arguments: Vec::new() }
    }

    /// Returns the summary of an exploration.
    fn explore(&self, arguments: &[&str]) -> Value {
        let mut command = Command::new(OPCTL);
        command.args(["explore", "-o", "json"]).args(&self.arguments).args(arguments);
        command.current_dir(self.folder.path()).env("CARGO_TARGET_DIR", target()).stderr(Stdio::null());
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let summary = lines.map(|line| line["data"].clone()).find(|data| data["planned"].is_u64());
        summary.unwrap_or_else(|| panic!("{text}"))
    }
}

fn target() -> PathBuf {
    std::env::temp_dir().join("opctl-explore-bench")
}

fn header() {
    println!("{:<32}{:>8}{:>8}{:>9}  {:<14}found by", "operator", "points", "first", "whole", "oracle");
}

fn row(name: &str, summary: &Value) {
    let errors = errors(summary);
    let first = summary["firstSuspicionSeconds"].as_f64().map_or("-".to_owned(), |first| format!("{first:.0} s"));
    let whole = format!("{:.0} s", summary["seconds"].as_f64().unwrap_or_default());
    let oracle = errors.first().and_then(|error| error["oracle"].as_str()).unwrap_or("-");
    let plans: Vec<&str> = errors.iter().filter_map(|error| error["plan"].as_str()).collect();
    let points = number(summary, "reached");
    println!("{name:<32}{points:>8}{first:>8}{whole:>9}  {oracle:<14}{}", plans.join(" "));
}

fn errors(summary: &Value) -> Vec<&Value> {
    let findings = summary["findings"].as_array().into_iter().flatten();
    findings.filter(|finding| finding["severity"] == "error").collect()
}

fn number(summary: &Value, key: &str) -> u64 {
    summary[key].as_u64().unwrap_or_default()
}
