//! `testdata/corpus/<area>/<case>`: Rust types, each for one rule that the first line of their file states.
//!
//! | file | contents |
//! |---|---|
//! | `types.rs` | a module of an api crate: `//! Rule: ..`, then the types |
//! | `resource.yaml` | valid objects, in one or more documents; without this file, opctl must refuse the types |
//! | `refused.yaml` | invalid objects |
//! | `crd.yaml` | the CRD that `opctl manifests` writes |
//! | `findings` | the findings of `opctl manifests` about the types, word for word |
//! | `refusals` | the API server's message for each document of `refused.yaml` |
//! | `warnings` | the API server's warnings for the documents of `resource.yaml` |
//!
//! The first three files are written by hand. `SNAPSHOTS=overwrite` writes the other files. All cases that opctl
//! accepts are modules of one crate, and all cases that it refuses are modules of another crate. opctl runs once
//! over each crate, as a user runs it.

pub(crate) mod cases;
pub(crate) mod project;
mod random;
mod random_types;
mod schema;
mod server;

use cases::{Case, cases};
use project::Project;
use std::collections::BTreeMap;

#[test]
fn every_case_names_its_own_rule() {
    let mut rules = BTreeMap::new();
    for case in cases() {
        let rule = case.rule();
        if let Some(other) = rules.insert(rule.to_lowercase(), case.name.clone()) {
            panic!("{} and {other} have the same rule: {rule}", case.name);
        }
    }
    assert!(rules.len() >= 200, "only {} cases", rules.len());
}

#[test]
fn types_that_are_accepted_make_the_definitions_beside_them() {
    let all: Vec<Case> = cases().into_iter().filter(Case::accepted).collect();
    let project = Project::lay("accepted", &all);
    let run = project.manifests();
    assert_eq!(run.code, Some(0), "{}", run.said);
    let mut definitions = project.definitions(&all);
    let mut faults = Vec::new();
    for case in &all {
        let definition = definitions.remove(&case.name).unwrap_or_default();
        if definition.is_empty() {
            faults.push(format!("{}: no definition", case.name));
        }
        faults.extend(case.compare("crd.yaml", &definition));
        faults.extend(case.compare("findings", run.findings.get(&case.name).map_or("", String::as_str)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn types_that_are_refused_are_refused_with_the_words_beside_them() {
    let all: Vec<Case> = cases().into_iter().filter(|case| !case.accepted()).collect();
    let project = Project::lay("refused", &all);
    let run = project.manifests();
    assert!(run.code == Some(1) && !run.findings.is_empty(), "{}", run.said);
    let mut faults = Vec::new();
    for case in &all {
        let said = run.findings.get(&case.name).map_or("", String::as_str);
        if !said.contains("error[") {
            faults.push(format!("{}: no error is found\n{said}", case.name));
        }
        faults.extend(case.compare("findings", said));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
