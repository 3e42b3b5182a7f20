//! Readers of what a repository brings. Each takes the text of a file, and may refuse it; that is no failure. It fails if
//! it panics, or says that opctl has a defect.
//!
//! Each fuzz target is one of these functions, and tests call them with mutations of real files.

use opctl::parts::{access, adopt, cluster, conflict, edit, explore, model, plan, scaffold, source, workspace};
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

/// Separates the texts of one input.
const NEXT: &str = "\n----8<----\n";

/// Fails on an error that says that opctl has a defect.
fn judge<T>(result: Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) if error.category().exit_code() == 70 => panic!("{error}\n{:?}", error.causes()),
        Err(_) => None,
    }
}

/// `PROJECT`: it is written back as it was read, and the files that it asks for can be made.
fn project(text: &str) {
    let Some(project) = judge(model::Project::parse(text)) else { return };
    let written = project.to_text();
    let again = model::Project::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_text(), written, "it changes by being written");
    judge(scaffold::generated(&project));
}

/// `.opctl/files.yaml`: it is written back as it was read.
fn ledger(text: &str) {
    let Some(ledger) = judge(plan::Ledger::parse(text)) else { return };
    let written = ledger.to_text();
    let again = plan::Ledger::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, ledger, "it changes by being written\n{written}");
}

/// A list of `.opctl/journal`: no path of it leads out of the project.
fn journal(text: &str) {
    for path in judge(workspace::journal_paths(text)).into_iter().flatten() {
        let inside = |part: Component| matches!(part, Component::Normal(name) if name != ".git");
        assert!(Path::new(path.as_str()).components().all(inside), "{}", path.as_str());
    }
}

/// `tests/explore.toml`.
fn remembered_plans(text: &str) {
    for plan in judge(explore::remembered_plans(text)).into_iter().flatten() {
        assert_eq!(plan.parse::<explore::Plan>().map(|again| again.to_string()).ok().as_ref(), Some(&plan));
    }
}

/// Markers in comments of Rust.
fn markers(text: &str) {
    access::markers(text);
}

/// The types of an api crate of one file.
fn sources(text: &str) {
    let read = |path: &Path| match path.to_str() {
        Some("src/lib.rs") => Ok(Some(text.to_owned())),
        _ => Ok(None),
    };
    judge(source::discover::types(Path::new("src/lib.rs"), &read, &source::discover::Features::default()));
    edit::paths(text);
}

/// CRDs that `opctl adopt` makes types of.
fn definitions(text: &str) {
    let mut file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    judge(adopt::types_of(file.path()));
}

/// Files with conflict markers, as `opctl resolve` takes them apart.
fn conflicts(text: &str) {
    let Some(sides) = conflict::sides(text) else { return };
    assert!(sides.line > 0);
    let base = sides.base.as_deref();
    judge(model::merge_projects(base, &sides.ours, &sides.theirs));
    edit::merge_locks(base, &sides.ours, &sides.theirs);
    judge(plan::Ledger::parse(&sides.ours));
}

/// A kustomization, and an entry that is removed from it.
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

/// Returns what tells one outcome from another.
#[allow(dead_code, reason = "for the tests")]
pub(crate) fn outcome(name: &str, text: &str) -> String {
    let said = |error: Error| format!("{} {:?}", error.message(), error.causes());
    match name {
        "project" => model::Project::parse(text).err().map(said),
        "ledger" => plan::Ledger::parse(text).err().map(said),
        "journal" => workspace::journal_paths(text).err().map(said),
        "explore" => explore::remembered_plans(text).err().map(said),
        "markers" => Some(access::markers(text).join("\n")),
        "kustomization" => cluster::is_simple_kustomization(text).err().map(said),
        _ => None,
    }
    .unwrap_or_default()
}
