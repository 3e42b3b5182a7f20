//! `testdata/explore/evaluation.json`: the result of a default run of `opctl explore` for each operator with a
//! seeded bug and for each correct operator. A bug without a run counts as not found.

use super::data;
use crate::support::{must, temporary, tool};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Evaluation {
    /// A description of the machine on which the runs were made, and of their settings.
    about: String,
    bugs: Vec<Bug>,
    correct: Vec<Correct>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Bug {
    #[serde(rename = "bug")]
    name: String,
    found: bool,
    /// The first finding, or the reason why the bug was missed.
    headline: String,
    /// The seconds until the first error was confirmed; `None` if no error was confirmed.
    seconds: Option<f64>,
    /// The duration of the whole run in seconds; `None` if the file records no run for the bug.
    whole: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Correct {
    operator: String,
    errors: usize,
    warnings: Vec<String>,
    tried: usize,
    planned: usize,
}

fn evaluation() -> Evaluation {
    serde_json::from_str(&std::fs::read_to_string(data().join("evaluation.json")).unwrap()).unwrap()
}

/// Returns the names of the files in a folder that end in `ending`, without that ending.
fn names(folder: &Path, ending: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    files.filter_map(|file| Some(file.strip_suffix(ending)?.to_owned())).collect()
}

#[test]
fn each_bug_has_a_result() {
    let Evaluation { about, bugs, .. } = evaluation();
    assert!(!about.is_empty());
    let recorded: BTreeSet<String> = bugs.iter().map(|bug| bug.name.clone()).collect();
    assert_eq!(recorded.len(), bugs.len());
    assert_eq!(recorded, names(&data().join("bugs"), ".patch"));
    for Bug { name: bug, found, headline, seconds, whole } in &bugs {
        assert!(!headline.is_empty(), "{bug}");
        let confirmed = seconds.is_some_and(|seconds| whole.is_some_and(|whole| 0.0 < seconds && seconds <= whole));
        assert_eq!(*found, confirmed, "{bug}");
    }
}

#[test]
fn each_bug_is_one_change_of_a_correct_operator() {
    let folder = temporary();
    for bug in names(&data().join("bugs"), ".patch") {
        let patch = data().join(format!("bugs/{bug}.patch"));
        crate::support::lay(&data(), &folder.path().join(&bug));
        must(tool("git").args(["apply", "--unsafe-paths"]).arg(&patch).current_dir(folder.path().join(&bug)));
        let text = std::fs::read_to_string(&patch).unwrap();
        assert!(text.lines().next().is_some_and(|line| line.ends_with('.') && !line.starts_with("diff")), "{bug}");
    }
}

#[test]
fn each_operator_without_a_bug_has_a_result() {
    let Evaluation { correct, .. } = evaluation();
    let recorded: BTreeSet<String> = correct.iter().map(|operator| operator.operator.clone()).collect();
    let mut operators = names(&data().join("src/bin"), ".rs");
    operators.insert("plain-operator".to_owned());
    // The operator of pairs of versions has results of its own.
    operators.remove("upgrades");
    assert_eq!(recorded, operators);
    for Correct { operator, errors, warnings, tried, planned } in &correct {
        assert_eq!(*errors, 0, "{operator}");
        assert!(tried <= planned && warnings.iter().all(|warning| !warning.is_empty()), "{operator}");
    }
}
