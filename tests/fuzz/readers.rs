//! Readers of untrusted files in a repository. Each reader takes the text of a file, and may reject the text. A
//! reader fails only if it panics or reports a defect of opctl.
//!
//! Each fuzz target calls one of these functions, and tests call them with mutations of real files.

use opctl::test_api::{adopt, cluster, conflict, edit, explore, markers, model, plan, scaffold, source, workspace};
use opctl::{Error, Result};
use std::io::Write;
use std::path::{Component, Path};

/// A reader of a text.
pub(crate) type Reader = fn(&str);

/// The readers, by name.
pub(crate) const READERS: [(&str, Reader); 9] = [
    ("project", project),
    ("ledger", ledger),
    ("journal", journal),
    ("explore", remembered_plans),
    ("markers", markers),
    ("sources", sources),
    ("definitions", definitions),
    ("conflicts", conflicts),
    ("kustomization", kustomization),
];

/// The separator between the texts of one input.
const NEXT: &str = "\n----8<----\n";

/// Returns the value, or `None` for an error. Panics if the error reports a defect of opctl.
fn judge<T>(result: Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) if error.category().exit_code() == 70 => panic!("{error}\n{:?}", error.causes()),
        Err(_) => None,
    }
}

/// Parses `PROJECT`, checks that it is unchanged after it is written and parsed again, and generates its files.
fn project(text: &str) {
    let Some(project) = judge(model::Project::parse(text)) else { return };
    let written = project.to_text();
    let again = model::Project::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_text(), written, "it changes by being written");
    judge(scaffold::generate_project(&project));
}

/// Parses `.opctl/files.yaml`, and checks that writing and parsing the list again does not change it.
fn ledger(text: &str) {
    let Some(ledger) = judge(plan::Ledger::parse(text)) else { return };
    let written = ledger.to_text();
    let again = plan::Ledger::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, ledger, "it changes by being written\n{written}");
}

/// Parses a list of `.opctl/journal`, and checks that none of its paths leads out of the project.
fn journal(text: &str) {
    for path in judge(workspace::journal_paths(text)).into_iter().flatten() {
        let inside = |part: Component| matches!(part, Component::Normal(name) if name != ".git");
        assert!(Path::new(path.as_str()).components().all(inside), "{}", path.as_str());
    }
}

/// Parses `tests/explore.toml`, and checks that parsing and writing each plan does not change it.
fn remembered_plans(text: &str) {
    for plan in judge(explore::remembered_plans(text)).into_iter().flatten() {
        assert_eq!(plan.parse::<explore::Plan>().map(|again| again.to_string()).ok().as_ref(), Some(&plan));
    }
}

/// Reads the markers in the comments of Rust source code.
fn markers(text: &str) {
    markers::markers(text);
}

/// Reads the types of an api crate that consists of a single file.
fn sources(text: &str) {
    let read = |path: &Path| match path.to_str() {
        Some("src/lib.rs") => Ok(Some(text.to_owned())),
        _ => Ok(None),
    };
    judge(source::discover::types(Path::new("src/lib.rs"), &read, &source::discover::Features::default()));
    edit::paths(text);
}

/// Reads CRDs from which `opctl adopt` makes Rust types.
fn definitions(text: &str) {
    let mut file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    judge(adopt::types_of(file.path()));
}

/// Splits a file with conflict markers and merges its sides, like `opctl resolve`.
fn conflicts(text: &str) {
    let Some(sides) = conflict::sides(text) else { return };
    assert!(sides.line > 0);
    let base = sides.base.as_deref();
    judge(model::merge_projects(base, &sides.ours, &sides.theirs));
    edit::merge_locks(base, &sides.ours, &sides.theirs);
    judge(plan::Ledger::parse(&sides.ours));
}

/// Reads a kustomization and edits it: removes an entry, and adds missing lines.
fn kustomization(text: &str) {
    let (text, entry) = text.split_once(NEXT).unwrap_or((text, "- ../crd"));
    judge(cluster::is_simple_kustomization(text));
    let path = entry.trim_start_matches("- ");
    if let Ok(rest) = edit::remove_entry(text, entry, path) {
        assert!(rest.len() <= text.len());
    }
    edit::ensure_lines(text, entry);
}

/// Calls the reader of this name with the bytes as text.
#[allow(dead_code, reason = "for the fuzz targets")]
pub(crate) fn check(name: &str, bytes: &[u8]) {
    let (_, reader) = READERS.iter().find(|(known, _)| *known == name).expect("a reader");
    reader(&String::from_utf8_lossy(bytes));
}

/// Returns a text that distinguishes one outcome of a reader from another, such as the error message.
#[allow(dead_code, reason = "for the tests")]
pub(crate) fn outcome(name: &str, text: &str) -> String {
    let said = |error: Error| format!("{} {:?}", error.message(), error.causes());
    match name {
        "project" => model::Project::parse(text).err().map(said),
        "ledger" => plan::Ledger::parse(text).err().map(said),
        "journal" => workspace::journal_paths(text).err().map(said),
        "explore" => explore::remembered_plans(text).err().map(said),
        "markers" => Some(markers::markers(text).join("\n")),
        "kustomization" => cluster::is_simple_kustomization(text).err().map(said),
        _ => None,
    }
    .unwrap_or_default()
}
