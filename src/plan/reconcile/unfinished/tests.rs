//! Tests of merges that git left unfinished, with the files in memory.

use super::finish::Resolved;
use super::{Conflicts, Ledgers, Unfinished, Versions};
use crate::model::PROJECT_FILE;
use crate::plan::{Edit, LEDGER_FILE, Ledger, Operation};
use std::collections::BTreeMap;

const ROLE: &str = "role.yaml";
const MAIN: &str = "main.rs";
const WEBHOOK: &str = "webhook.rs";
const MARKER: &str = "// +opctl:scaffold:controllers";

fn is_generated(path: &str) -> bool {
    path == ROLE
}

fn marked(ours: &str, theirs: &str) -> String {
    format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n")
}

/// Returns a file that git left in conflict, with both sides between markers.
fn unmerged(base: Option<&str>, ours: &str, theirs: &str) -> Versions {
    let [base, ours_text, theirs_text] = [base, Some(ours), Some(theirs)].map(|text| text.map(str::to_owned));
    let text = Some(marked(ours, theirs));
    Versions { text, base, ours: ours_text, theirs: theirs_text, is_unmerged: true, is_removed: false }
}

/// Returns a ledger (the content of `.opctl/files.yaml`) that records these texts as generated.
fn ledger(files: &[(&'static str, &str)]) -> Ledger {
    let mut ledger = Ledger { opctl: "0.1.0".to_owned(), ..Ledger::default() };
    for (path, text) in files {
        ledger.record(*path, text);
    }
    ledger
}

fn resolve(
    files: &[(&'static str, Versions)],
    ours: &[(&'static str, &str)],
    theirs: &[(&'static str, &str)],
) -> Resolved {
    let (ours, theirs) = (ledger(ours).to_text(), ledger(theirs).to_text());
    let mut unfinished: Unfinished = files.iter().map(|(path, of)| ((*path).into(), of.clone())).collect();
    unfinished.insert(LEDGER_FILE.into(), unmerged(None, &ours, &theirs));
    let ledgers = Ledgers::of(&unfinished[LEDGER_FILE]).unwrap();
    let fragment = |name: &str| Edit::AtMarker { marker: MARKER.to_owned(), fragment: format!("{name}();") };
    let operations = ["a", "b"].map(|name| Operation::edit(MAIN, fragment(name)));
    let made = BTreeMap::from([(WEBHOOK.into(), "fn a();\nfn b();\n".to_owned())]);
    Conflicts::find(&unfinished, &ledgers).resolve(&operations, &made, &is_generated).unwrap()
}

/// Returns the content that is written to the file at `path`.
fn after<'a>(resolved: &'a Resolved, path: &str) -> Option<&'a str> {
    resolved.plan.changes.iter().find(|change| change.path == path)?.after.as_deref()
}

fn left(resolved: &Resolved) -> Vec<String> {
    resolved.left.iter().map(|left| format!("{}: {}", left.place(), left.reason)).collect()
}

#[test]
fn insertions_of_both_sides_are_merged() {
    let [base, ours, theirs, both] = ["", "a();\n", "b();\n", "a();\nb();\n"].map(|lines| format!("{lines}{MARKER}\n"));
    let resolved = resolve(&[(MAIN, unmerged(Some(&base), &ours, &theirs))], &[(MAIN, &ours)], &[(MAIN, &theirs)]);
    assert_eq!((after(&resolved, MAIN), left(&resolved)), (Some(both.as_str()), vec![]));
    assert_eq!(after(&resolved, LEDGER_FILE), Some(ledger(&[(MAIN, &both)]).to_text().as_str()));
    assert!(!resolved.stale);
}

/// An entry of `.opctl/files.yaml` that one branch removed stays removed, although git keeps the lines of both branches
/// (`merge=union`).
#[test]
fn an_entry_that_one_side_removed_does_not_come_back() {
    let [base, ours, theirs, union] = [&["a", "b"][..], &["a"], &["a", "b", "c"], &["a", "b", "c"]]
        .map(|paths| ledger(&paths.iter().map(|path| (*path, *path)).collect::<Vec<_>>()).to_text());
    let versions = Versions {
        text: Some(union.clone()),
        base: Some(base),
        ours: Some(ours),
        theirs: Some(theirs),
        ..Versions::default()
    };
    let paths = |versions: &Versions| Ledgers::of(versions).unwrap().merged.files.into_keys().collect::<Vec<_>>();
    assert_eq!(paths(&versions), ["a", "c"]);
    let edited = Versions { text: Some(union.replace("opctl:", "  d: fa\nopctl:")), ..versions };
    assert_eq!(paths(&edited), ["a", "b", "c", "d"]);
}

#[test]
fn user_lines_changed_on_both_sides_are_left_in_conflict() {
    let files = [("notes.md", unmerged(Some("base\n"), "ours\n", "theirs\n"))];
    let resolved = resolve(&files, &[], &[]);
    assert_eq!(left(&resolved), ["`notes.md` at line 1: both sides changed the same lines"]);
    assert_eq!(after(&resolved, "notes.md"), None);
}

#[test]
fn files_generated_on_both_sides_are_generated_again_unless_edited() {
    let (ours, theirs) = ("rules: [a]\n", "rules: [b]\n");
    let file = unmerged(Some("rules: []\n"), ours, theirs);
    let both = (&[(ROLE, ours)], &[(ROLE, theirs)]);
    let resolved = resolve(&[(ROLE, file.clone())], both.0, both.1);
    assert_eq!((after(&resolved, ROLE), resolved.stale, left(&resolved)), (Some(ours), true, vec![]));
    let begun = Versions { text: file.text.as_ref().map(|text| text.replace("[b]", "[b, c]")), ..file.clone() };
    let edited = unmerged(Some("rules: []\n"), ours, "rules: [mine]\n");
    for (what, file) in [("somebody has begun", begun), ("one side was edited", edited)] {
        let resolved = resolve(&[(ROLE, file)], both.0, both.1);
        assert_eq!(left(&resolved), ["`role.yaml` at line 1: both sides changed the same lines"], "{what}");
    }
}

#[test]
fn a_file_that_both_sides_made_is_made_of_what_both_have() {
    let (ours, theirs) = ("fn a();\n", "fn b();\n");
    let file = unmerged(None, ours, theirs);
    let resolved = resolve(&[(WEBHOOK, file.clone())], &[(WEBHOOK, ours)], &[(WEBHOOK, theirs)]);
    let both = "fn a();\nfn b();\n";
    assert_eq!((after(&resolved, WEBHOOK), left(&resolved)), (Some(both), vec![]));
    assert_eq!(after(&resolved, LEDGER_FILE), Some(ledger(&[(WEBHOOK, both)]).to_text().as_str()));
    // opctl does not generate a file again that a user edited on one side.
    let resolved = resolve(&[(WEBHOOK, file)], &[(WEBHOOK, "fn a() {}\n")], &[(WEBHOOK, theirs)]);
    assert_eq!(left(&resolved), ["`webhook.rs` at line 1: both sides changed the same lines"]);
}

#[test]
fn files_without_markers_are_told_apart() {
    let without = |text: &str, is_removed| Versions {
        text: Some(text.to_owned()),
        is_unmerged: true,
        is_removed,
        ..Versions::default()
    };
    let files =
        [("notes.md", without("mine\n", false)), (ROLE, without("rules: []\n", true)), (MAIN, without("", true))];
    let generated = [(ROLE, "rules: []\n")];
    let resolved = resolve(&files, &generated, &generated);
    assert_eq!(left(&resolved), ["`main.rs`: one side removed it and the other one changed it"]);
    assert_eq!((resolved.by_hand, resolved.kept), (vec!["notes.md".into()], vec![ROLE.into()]));
    assert!(resolved.stale);
}

#[test]
fn entries_that_git_mixed_are_put_in_order() {
    let project = |kinds: &[&str]| {
        let entry = |kind: &&str| format!("- controller: true\n  domain: example.com\n  kind: {kind}\n  version: v1\n");
        let entries: String = kinds.iter().map(entry).collect();
        let head = "cliVersion: 0.1.0\ndomain: example.com\nlayout:\n- rust.opctl.dev/v1\nprojectName: shop\n";
        format!("{head}resources:\n{entries}version: \"3\"\n")
    };
    let base = project(&["Base"]);
    let (ours, theirs) = (project(&["Base", "Ours"]), project(&["Base", "Theirs"]));
    let mixed = ours.replace("  kind: Ours\n", "  kind: Ours\n  kind: Theirs\n");
    let [base, ours, theirs] = [base, ours, theirs].map(Some);
    let file = Versions { text: Some(mixed), base, ours, theirs, ..Versions::default() };
    let resolved = resolve(&[(PROJECT_FILE, file)], &[], &[]);
    assert_eq!(left(&resolved), [] as [String; 0]);
    let entries = |text: &str| text.split_once("resources:").unwrap().1.to_owned();
    let expected = project(&["Base", "Ours", "Theirs"]);
    assert_eq!(entries(after(&resolved, PROJECT_FILE).unwrap()), entries(&expected));
}
