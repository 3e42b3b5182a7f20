//! Tests of updates, with a few files in memory.

use super::super::{Action, Edit, Existing, LEDGER_FILE, Operation, Plan, PlanContext, Snapshot};
use super::*;
use crate::model::{Domain, PROJECT_FILE, Project, ProjectName, ProjectPath};
use crate::plan::{Entry, Ledger, hash};
use std::collections::BTreeMap;

const MARKER: &str = "// +opctl:scaffold:controllers";

fn project(version: &str) -> Project {
    Project::new(ProjectName::parse("shop").unwrap(), Domain::parse("example.com").unwrap(), version)
}

/// A project's files in memory, with the ledger (the hashes of the generated files).
struct Tree {
    files: BTreeMap<ProjectPath, String>,
}

impl Tree {
    fn generated(generated: &Rendering) -> Self {
        let mut tree = Tree { files: BTreeMap::new() };
        tree.files.insert(LEDGER_FILE.into(), Ledger { opctl: "0.1.0".to_owned(), ..Ledger::default() }.to_text());
        tree.files.insert(PROJECT_FILE.into(), project("0.1.0").to_text());
        let updated = tree.update(generated, &Bases::new());
        assert_eq!(updated.conflicts, []);
        tree
    }

    fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for (path, text) in &self.files {
            snapshot.insert(path, Entry::Text(text.clone()));
        }
        snapshot
    }

    fn ledger(&self) -> Ledger {
        Ledger::parse(&self.files[LEDGER_FILE]).unwrap()
    }

    /// Updates the tree; `bases` are the generated texts that the git history contains, by the path of the file.
    fn update(&mut self, generated: &Rendering, bases: &Bases) -> Updated {
        let (ledger, snapshot) = (self.ledger(), self.snapshot());
        let update = Update::new(generated, &ledger, &snapshot).unwrap();
        assert_eq!(update.unresolved_conflicts(), []);
        let missing = update.missing_bases();
        let found = missing.into_iter().filter_map(|(path, hashes)| {
            let text = bases.get(&path).filter(|text| hashes.contains(&hash(text)))?;
            Some((path, text.clone()))
        });
        let context = PlanContext { version: "0.2.0", force: None };
        let updated = update.decide(&found.collect(), &project("0.2.0"), &context).unwrap();
        self.commit(&updated.plan);
        updated
    }

    fn commit(&mut self, plan: &Plan) {
        for change in plan.effective() {
            assert_eq!(self.files.get(&change.path), change.before.as_ref(), "{}", change.path);
            self.files.remove(&change.path);
            self.files.extend(change.after.clone().map(|text| (change.path.clone(), text)));
        }
    }

    fn edit(&mut self, path: &str, from: &str, to: &str) {
        let text = self.files.get_mut(path).unwrap();
        assert!(text.contains(from), "{text}");
        *text = text.replace(from, to);
    }

    fn stored(&self) -> Vec<&str> {
        self.files.keys().filter_map(|path| path.strip_prefix(".opctl/generated/")).collect()
    }
}

fn made(files: &[(&'static str, &str)]) -> Rendering {
    let create = |(path, text): &(&'static str, &str)| Operation::create(*path, *text, Existing::Conflict);
    Rendering { made: files.iter().map(create).collect(), ..Rendering::default() }
}

fn with(mut generated: Rendering, path: &'static str, fragment: &str) -> Rendering {
    let edit = Edit::AtMarker { marker: MARKER.to_owned(), fragment: fragment.to_owned() };
    generated.added.push(Operation::edit(path, edit));
    generated
}

/// Returns the path and the action of each change of an update, except for the ledger and `PROJECT`.
fn actions(updated: &Updated) -> Vec<(&str, Action)> {
    let changes =
        updated.plan.effective().filter(|change| ![LEDGER_FILE, PROJECT_FILE].contains(&change.path.as_str()));
    changes.map(|change| (change.path.as_str(), change.action)).collect()
}

const BEFORE: &str = "one\ntwo\nthree\nfour\nfive\n";

#[test]
fn files_that_nobody_edited_become_what_is_generated() {
    let mut tree = Tree::generated(&made(&[("a", "1\n"), ("gone", "1\n"), ("same", "1\n")]));
    let now = made(&[("a", "2\n"), ("new", "2\n"), ("same", "1\n")]);
    let updated = tree.update(&now, &Bases::new());
    assert_eq!(actions(&updated), [("a", Action::Update), ("gone", Action::Remove), ("new", Action::Create)]);
    let ledger = tree.ledger();
    assert_eq!(ledger.files.keys().collect::<Vec<_>>(), ["a", "new", "same"]);
    assert_eq!((ledger.opctl.as_str(), tree.files[PROJECT_FILE].contains("0.2.0")), ("0.2.0", true));
    assert!(tree.update(&now, &Bases::new()).plan.is_empty());
}

#[test]
fn the_base_of_a_forgotten_file_is_removed() {
    let mut tree = Tree::generated(&made(&[("a", BEFORE), ("b", "1\n")]));
    tree.edit("a", "one\n", "one\nmine\n");
    let (bases, now) = (Bases::from([("a".into(), BEFORE.to_owned())]), BEFORE.replace("five", "5"));
    tree.update(&made(&[("a", &now), ("b", "1\n")]), &bases);
    assert_eq!(tree.stored(), [hash(&now)]);
    let updated = tree.update(&made(&[("b", "1\n")]), &Bases::new());
    assert_eq!(updated.conflicts.len(), 1);
    assert_eq!((tree.stored(), tree.files.contains_key("a")), (vec![], true));
}

#[test]
fn edited_files_are_merged_and_their_base_is_kept() {
    let mut tree = Tree::generated(&made(&[("a", BEFORE)]));
    tree.edit("a", "one\n", "one\nmine\n");
    let bases = Bases::from([("a".into(), BEFORE.to_owned())]);
    let now = BEFORE.replace("five", "5");
    let updated = tree.update(&made(&[("a", &now)]), &bases);
    assert_eq!(updated.conflicts, []);
    assert_eq!(tree.files["a"], "one\nmine\ntwo\nthree\nfour\n5\n");
    assert_eq!(tree.stored(), [hash(&now)]);
    assert!(tree.update(&made(&[("a", &now)]), &Bases::new()).plan.is_empty());
    // No commit has the generated text, and the next update needs it.
    let later = now.replace('5', "V");
    let updated = tree.update(&made(&[("a", &later)]), &Bases::new());
    assert_eq!((updated.conflicts, tree.files["a"].as_str()), (vec![], "one\nmine\ntwo\nthree\nfour\nV\n"));
    assert_eq!(tree.stored(), [hash(&later)]);
    // Once the user reverts the edit, the file is as generated.
    tree.edit("a", "mine\n", "");
    assert!(tree.update(&made(&[("a", &later)]), &Bases::new()).plan.is_empty());
    tree.update(&made(&[("a", BEFORE)]), &Bases::new());
    assert_eq!((tree.files["a"].as_str(), tree.stored()), (BEFORE, vec![]));
}

#[test]
fn conflicts_are_marked_until_they_are_solved() {
    let mut tree = Tree::generated(&made(&[("a", BEFORE)]));
    tree.edit("a", "two", "mine");
    let bases = Bases::from([("a".into(), BEFORE.to_owned())]);
    let now = made(&[("a", &BEFORE.replace("two", "2"))]);
    let updated = tree.update(&now, &bases);
    assert_eq!((updated.conflicts[0].path.as_str(), updated.conflicts[0].lines.as_slice()), ("a", &[2][..]));
    assert_eq!(actions(&updated)[1], ("a", Action::Conflict));
    let marked = "<<<<<<< yours\nmine\n||||||| generated before\ntwo\n=======\n2\n>>>>>>> opctl 0.2.0\n";
    assert_eq!(tree.files["a"], BEFORE.replace("two\n", marked));
    let (ledger, snapshot) = (tree.ledger(), tree.snapshot());
    assert_eq!(Update::new(&now, &ledger, &snapshot).unwrap().unresolved_conflicts().len(), 1);
    tree.edit("a", marked, "both\n");
    assert_eq!(tree.update(&now, &Bases::new()).solved, 1);
    assert!(tree.update(&now, &Bases::new()).plan.is_empty());
    let later = made(&[("a", &BEFORE.replace("two", "2").replace("five", "5"))]);
    assert_eq!(tree.update(&later, &Bases::new()).conflicts, []);
    assert_eq!(tree.files["a"], BEFORE.replace("two", "both").replace("five", "5"));
}

#[test]
fn without_a_base_nothing_is_lost() {
    let mut tree = Tree::generated(&made(&[("a", BEFORE), ("same", BEFORE)]));
    tree.edit("a", "one\n", "one\nmine\n");
    tree.edit("same", "one", "mine");
    let now = made(&[("a", &BEFORE.replace("five", "5")), ("same", BEFORE)]);
    let updated = tree.update(&now, &Bases::new());
    assert_eq!(updated.conflicts.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a"]);
    assert!(tree.files["a"].contains("<<<<<<< yours\nmine\n||||||| generated before\n=======\n>>>>>>> opctl 0.2.0\n"));
}

#[test]
fn fragments_already_in_an_edited_file_are_not_inserted_again() {
    let text = format!("fn main() {{\n    {MARKER}\n    run();\n}}\n");
    let start = made(&[("main.rs", &text)]);
    let mut tree = Tree::generated(&start);
    tree.edit("main.rs", "    run();", "    let own = 1;\n    run(own);");
    // As `create api` does it: the ledger keeps the hash of the text that opctl generated.
    tree.edit("main.rs", &format!("    {MARKER}"), &format!("    b();\n    a();\n    {MARKER}"));
    let both = |generated: Rendering| with(with(generated, "main.rs", "a();"), "main.rs", "b();");
    let mut unchanged = Tree { files: tree.files.clone() };
    assert_eq!(actions(&unchanged.update(&both(start), &Bases::new())), [], "the same opctl has nothing to do");
    let now = both(made(&[("main.rs", &format!("use x;\n{text}"))]));
    let updated = tree.update(&now, &Bases::from([("main.rs".into(), text.clone())]));
    assert_eq!(updated.conflicts, []);
    let expected =
        format!("use x;\nfn main() {{\n    b();\n    a();\n    {MARKER}\n    let own = 1;\n    run(own);\n}}\n");
    assert_eq!(tree.files["main.rs"], expected);
    // The fragments keep the order that they have in the file.
    let mut pristine = Tree::generated(&both(made(&[("main.rs", &text)])));
    pristine.edit("main.rs", "    a();\n    b();\n", "    b();\n    a();\n");
    assert_eq!(actions(&pristine.update(&both(made(&[("main.rs", &text)])), &Bases::new())), []);
}

#[test]
fn a_fragment_that_a_user_took_out_stays_out() {
    let text = format!("list:\n{MARKER}\nend\n");
    let generated =
        |text: &str| ["a", "b", "c"].iter().fold(made(&[("list", text)]), |all, name| with(all, "list", name));
    let mut tree = Tree::generated(&generated(&text));
    let history = tree.files.clone();
    tree.edit("list", "a\n", "");
    let updated = tree.update(&generated(&format!("new\n{text}")), &history);
    assert_eq!(
        (updated.conflicts, tree.files["list"].as_str()),
        (vec![], format!("new\nlist:\nb\nc\n{MARKER}\nend\n").as_str())
    );
}

#[test]
fn fragments_new_in_every_project_are_inserted_into_edited_files() {
    let text = format!("list:\n{MARKER}\nend\n");
    let mut tree = Tree::generated(&made(&[("list", &text)]));
    tree.edit("list", "end", "mine");
    let mut now = with(made(&[("list", &text)]), "list", "new");
    let user_took_it_out = Tree { files: tree.files.clone() }.update(&now, &Bases::new());
    assert_eq!(actions(&user_took_it_out), []);
    now.made.append(&mut now.added);
    assert_eq!(tree.update(&now, &Bases::new()).conflicts, []);
    assert_eq!(tree.files["list"], format!("list:\nnew\n{MARKER}\nmine\n"));
    assert!(tree.update(&now, &Bases::new()).plan.is_empty());
}

#[test]
fn deleted_files_stay_deleted_unless_another_file_names_them() {
    let files = [("src/mod.rs", "mod a;\nmod b;\n"), ("src/a.rs", "1\n"), ("src/b.rs", "1\n"), ("notes.md", "1\n")];
    let mut tree = Tree::generated(&made(&files));
    for path in ["src/a.rs", "src/b.rs", "notes.md"] {
        tree.files.remove(path);
    }
    tree.edit("src/mod.rs", "mod a;\n", "");
    let updated = tree.update(&made(&files), &Bases::new());
    assert_eq!(actions(&updated), [("src/b.rs", Action::Create)]);
    assert_eq!(updated.deleted, ["notes.md", "src/a.rs"]);
    assert!(tree.update(&made(&files), &Bases::new()).plan.is_empty());
}

#[test]
fn files_of_the_user_are_not_touched() {
    let mut tree = Tree::generated(&made(&[("a", "1\n")]));
    tree.files.insert("new".into(), "mine\n".to_owned());
    tree.files.insert("README.md".into(), "mine\n".to_owned());
    let mut now = made(&[("a", "2\n"), ("new", "2\n")]);
    now.made.push(Operation::create("README.md", "2\n", Existing::Skip));
    let (ledger, snapshot) = (tree.ledger(), tree.snapshot());
    let context = PlanContext { version: "0.2.0", force: None };
    let update = Update::new(&now, &ledger, &snapshot).unwrap();
    let error = update.decide(&Bases::new(), &project("0.2.0"), &context).unwrap_err();
    assert_eq!(error.message(), "`new` is in the way");
    tree.files.remove("new");
    let updated = tree.update(&now, &Bases::new());
    assert_eq!(actions(&updated), [("a", Action::Update), ("new", Action::Create)]);
}

#[test]
fn an_edited_file_that_is_not_generated_any_more_is_left_to_the_user() {
    let mut tree = Tree::generated(&made(&[("a", "1\n"), ("b", "1\n")]));
    tree.edit("b", "1", "mine");
    let now = made(&[("a", "1\n")]);
    let updated = tree.update(&now, &Bases::new());
    assert_eq!((updated.conflicts.len(), tree.files["b"].as_str()), (1, "mine\n"));
    assert_eq!(tree.update(&now, &Bases::new()).solved, 1);
    assert!(tree.update(&now, &Bases::new()).plan.is_empty());
}

#[test]
fn a_file_that_has_moved_keeps_its_edits() {
    let mut tree = Tree::generated(&made(&[("tests/a.rs", BEFORE), ("tests/b.rs", BEFORE), ("tests/c.rs", BEFORE)]));
    tree.edit("tests/a.rs", "one", "mine");
    tree.files.remove("tests/c.rs");
    let now = BEFORE.replace("five", "5");
    let mut generated = made(&[("tests/it/a.rs", &now), ("tests/it/b.rs", &now), ("tests/it/c.rs", &now)]);
    let path = |path: String| ProjectPath::parse(path).unwrap();
    let moved = |name: &str| (path(format!("tests/{name}.rs")), path(format!("tests/it/{name}.rs")));
    generated.moved = ["a", "b", "c"].map(moved).into();
    let updated = tree.update(&generated, &Bases::from([("tests/a.rs".into(), BEFORE.to_owned())]));
    assert_eq!(
        (updated.conflicts.as_slice(), updated.deleted.as_slice()),
        (&[][..], &[ProjectPath::from("tests/it/c.rs")][..])
    );
    let tests: Vec<&ProjectPath> = tree.files.keys().filter(|path| path.starts_with("tests")).collect();
    assert_eq!(tests, ["tests/it/a.rs", "tests/it/b.rs"]);
    assert_eq!(tree.files["tests/it/a.rs"], now.replace("one", "mine"));
    assert!(tree.update(&generated, &Bases::new()).plan.is_empty());
}

#[test]
fn line_ends_stay_as_they_are() {
    let mut tree = Tree::generated(&made(&[("a", BEFORE), ("b", BEFORE)]));
    for path in ["a", "b"] {
        tree.edit(path, "\n", "\r\n");
    }
    tree.edit("a", "one", "mine");
    let now = BEFORE.replace("five", "5");
    let bases = Bases::from([("a".into(), BEFORE.to_owned())]);
    assert_eq!(tree.update(&made(&[("a", &now), ("b", &now)]), &bases).conflicts, []);
    assert_eq!(tree.files["b"], now.replace('\n', "\r\n"));
    assert_eq!(tree.files["a"], now.replace("one", "mine").replace('\n', "\r\n"));
}
