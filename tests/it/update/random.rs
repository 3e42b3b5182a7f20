//! Checks updates of projects with random edits of every file and random changes of every template: no line of a user
//! is lost. The tests run in memory.

use crate::support::{GOLDEN, Random, at_once};
use opctl::test_api::model::{PROJECT_FILE, Project, ProjectPath};
use opctl::test_api::plan::reconcile::{Bases, Rendering, Update, Updated, paths};
use opctl::test_api::plan::{BASES, Entry, LEDGER_FILE, Ledger, Operation, PlanContext, Snapshot, Step, hash};
use opctl::test_api::{conflict, scaffold};
use std::collections::{BTreeMap, BTreeSet};

type Files = BTreeMap<ProjectPath, String>;

const AUTHOR: PlanContext<'_> = PlanContext { version: env!("CARGO_PKG_VERSION"), force: None };

fn project(name: &str) -> Project {
    Project::parse(&std::fs::read_to_string(crate::support::project(name).join("PROJECT")).unwrap()).unwrap()
}

/// Updates the project's `files` to the files in `generated`. `files` include the ledger (`.opctl/files.yaml`).
/// `history` has the file texts of earlier commits, as common ancestors for merges.
fn update(files: &mut Files, generated: &Rendering, project: &Project, history: &Files) -> Updated {
    let ledger = Ledger::parse(&files[LEDGER_FILE]).unwrap();
    let mut snapshot = Snapshot::default();
    let stored = files.keys().filter(|path| path.starts_with(BASES)).cloned();
    for path in paths(generated, &ledger).into_iter().chain(stored) {
        let entry = files.get(&path).map_or(Entry::Missing, |text| Entry::Text(text.clone()));
        snapshot.insert(path, entry);
    }
    let update = Update::new(generated, &ledger, &snapshot).unwrap();
    assert_eq!(update.unresolved_conflicts(), []);
    let found = update.missing_bases().into_iter().filter_map(|(path, hashes)| {
        let text = history.get(&path).filter(|text| hashes.contains(&hash(text)))?;
        Some((path, text.clone()))
    });
    let updated = update.decide(&found.collect::<Bases>(), project, &AUTHOR).unwrap();
    for change in updated.plan.effective() {
        assert_eq!(files.get(&change.path), change.before.as_ref(), "{}", change.path);
        files.remove(&change.path);
        files.extend(change.after.clone().map(|text| (change.path.clone(), text)));
    }
    updated
}

/// Returns the files of a project that was just made.
fn made(generated: &Rendering, project: &Project) -> Files {
    let ledger = Ledger { opctl: AUTHOR.version.to_owned(), ..Ledger::default() };
    let mut files = Files::from([(LEDGER_FILE.into(), ledger.to_text()), (PROJECT_FILE.into(), project.to_text())]);
    assert_eq!(update(&mut files, generated, project, &Files::new()).conflicts, []);
    files
}

/// Returns the files that another version of opctl would generate: the files in `generated` with additional comments.
/// `places` gets the path of a file and its number of lines plus one, and returns the line numbers at which comments
/// are inserted.
fn other(generated: &Rendering, word: &str, places: &mut dyn FnMut(&str, usize) -> Vec<usize>) -> Rendering {
    let mut other = generated.clone();
    for (number, Operation { path, step }) in other.made.iter_mut().chain(&mut other.added).enumerate() {
        let Step::Create { content, .. } = step else { continue };
        let comment = if path.rsplit('.').next() == Some("rs") { "//" } else { "#" };
        let mut lines: Vec<String> = content.lines().map(str::to_owned).collect();
        for place in places(path, lines.len() + 1) {
            lines.insert(place.min(lines.len()), format!("{comment} {word} {number} {place}"));
        }
        *content = lines.join("\n") + "\n";
    }
    other
}

/// Returns the files that a user may edit.
fn own(files: &Files) -> Vec<ProjectPath> {
    let records = |path: &ProjectPath| path.starts_with(".opctl/") || *path == PROJECT_FILE || *path == "Cargo.lock";
    files.keys().filter(|path| !records(path)).cloned().collect()
}

#[test]
fn a_line_in_every_file_survives_a_change_of_every_template() {
    for name in crate::support::GOLDEN {
        let project = project(name);
        let generated = scaffold::generate_project(&project).unwrap();
        // Templates change at both ends, and the user writes into the middle. In lists, `mod` lines come after the
        // comments at the top.
        let lists = |path: &str| path.ends_with("mod.rs") || path == "tests/it/main.rs";
        let ends = |path: &str, lines| if lists(path) { vec![0] } else { vec![0, lines] };
        let before = other(&generated, "old", &mut |path, lines| ends(path, lines));
        let mut files = made(&before, &project);
        let history = files.clone();
        let all = own(&files);
        assert!(all.len() > 50, "{name}: {all:?}");
        let mut edited = 0;
        for path in &all {
            let lines: Vec<&str> = history[path].lines().collect();
            // git reports a conflict also for changes of adjacent lines.
            let changes = |line: &str| line.contains(" old ");
            let is_free = |place: &usize| !changes(lines[place - 1]) && !changes(lines[*place]);
            let middle = (1..lines.len()).filter(is_free).min_by_key(|place| place.abs_diff(lines.len() / 2));
            let Some(middle) = middle else { continue };
            let (head, tail) = lines.split_at(middle);
            files.insert(path.clone(), format!("{}\nmine {path}\n{}\n", head.join("\n"), tail.join("\n")));
            edited += 1;
        }
        assert!(edited * 10 > all.len() * 8, "{edited} of {} files of {name}", all.len());
        let updated = update(&mut files, &generated, &project, &history);
        assert_eq!(updated.conflicts, [], "{name}");
        let fresh = made(&generated, &project);
        for path in &all {
            let without: String = files[path].replace(&format!("mine {path}\n"), "");
            assert_eq!(without, fresh[path], "{name}: {path}");
        }
        let mines = all.iter().filter(|path| files[*path].contains(&format!("mine {path}\n"))).count();
        assert_eq!(mines, edited, "{name}");
        assert!(update(&mut files, &generated, &project, &Files::new()).plan.is_empty(), "{name}");
    }
}

/// The edits of a user in one file.
#[derive(Debug, Default)]
struct Edited {
    written: Vec<String>,
    taken_out: Vec<String>,
}

fn edit(text: &str, path: &str, random: &mut Random) -> (String, Edited) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut edited = Edited::default();
    for number in 0..=random.below(4) {
        let place = random.below(lines.len() + 1);
        let mine = format!("mine {number} {path}");
        match random.below(3) {
            0 if place < lines.len() => edited.taken_out.push(lines.remove(place)),
            1 if place < lines.len() => {
                edited.taken_out.push(std::mem::replace(&mut lines[place], mine.clone()));
                edited.written.push(mine);
            }
            _ => {
                lines.insert(place, mine.clone());
                edited.written.push(mine);
            }
        }
    }
    edited.written.retain(|line| lines.contains(line));
    let end = if random.below(10) == 0 { "\r\n" } else { "\n" };
    let last = if random.below(10) == 0 { "" } else { end };
    (lines.join(end) + last, edited)
}

/// Takes the user's side of each conflict.
fn solve(files: &mut Files, updated: &Updated) {
    for file in &updated.conflicts {
        let text = &files[&file.path];
        if let Some(sides) = conflict::sides(text) {
            files.insert(file.path.clone(), sides.ours);
        }
    }
}

/// Runs one random history: a project, its user's edits, an update to another opctl, and the user's choice in
/// conflicts. Returns the number of conflicts.
fn nothing_is_lost(seed: u64) -> usize {
    let mut random = Random(seed);
    let project = project(crate::support::GOLDEN[random.below(GOLDEN.len())]);
    let generated = scaffold::generate_project(&project).unwrap();
    let choose = |random: &mut Random, word| {
        let many = random.below(5);
        let mut places = |_: &str, lines: usize| -> Vec<usize> {
            (0..random.below(many + 1)).map(|_| random.below(lines)).collect()
        };
        other(&generated, word, &mut places)
    };
    let (before, mut now) = (choose(&mut random, "old"), choose(&mut random, "new"));
    let dropped = now.made[random.below(now.made.len())].path.clone();
    let dropped: BTreeSet<ProjectPath> =
        Some(dropped).filter(|path| path.starts_with("runtime/src/")).into_iter().collect();
    now.made.retain(|operation| !dropped.contains(&operation.path));
    let mut files = made(&before, &project);
    let history = files.clone();
    let mut edits: BTreeMap<ProjectPath, Edited> = BTreeMap::new();
    for path in own(&files) {
        match random.below(6) {
            0 | 1 => {}
            2 => drop(files.remove(&path)),
            _ => {
                let (text, edited) = edit(&files[&path], &path, &mut random);
                files.insert(path.clone(), text);
                edits.insert(path, edited);
            }
        }
    }
    // Some projects have no history.
    let history = if random.below(8) == 0 { Files::new() } else { history };
    let deleted: Vec<ProjectPath> =
        own(&made(&before, &project)).into_iter().filter(|path| !files.contains_key(path)).collect();
    let updated = update(&mut files, &now, &project, &history);
    let in_conflict: BTreeSet<&str> = updated.conflicts.iter().map(|file| file.path.as_str()).collect();
    for (path, edited) in &edits {
        let text = has_all(&files, path, edited, seed);
        let lines: Vec<&str> = text.lines().collect();
        let is_once = |text: &str, line: &str| !line.is_empty() && text.lines().filter(|own| *own == line).count() == 1;
        let taken_out =
            edited.taken_out.iter().filter(|line| history.get(path).is_some_and(|text| is_once(text, line)));
        for line in taken_out.filter(|_| !in_conflict.contains(path.as_str())) {
            assert!(!lines.contains(&line.as_str()), "seed {seed}: `{line}` is back in {path}:\n{text}");
        }
    }
    for path in deleted.iter().filter(|path| !dropped.contains(*path)) {
        let is_said = updated.deleted.contains(path);
        assert_eq!(is_said, !files.contains_key(path), "seed {seed}: {path} was deleted");
    }
    let conflicts = updated.conflicts.len();
    solve(&mut files, &updated);
    let solved = update(&mut files, &now, &project, &Files::new());
    assert_eq!((solved.solved, solved.conflicts.len()), (conflicts, 0), "seed {seed}");
    let third = update(&mut files, &now, &project, &Files::new());
    assert!(third.plan.is_empty(), "seed {seed}: {:?}", third.plan.effective().collect::<Vec<_>>());
    for path in &dropped {
        // The file belongs to the user now, and would block a new one at its path.
        files.remove(path);
        edits.remove(path);
    }
    // No commit contains the base of the merged files.
    let later = choose(&mut random, "newer");
    let updated = update(&mut files, &later, &project, &history);
    let unknown = updated.conflicts.iter().filter(|file| file.reason.contains("no commit")).collect::<Vec<_>>();
    assert!(unknown.is_empty() || history.is_empty(), "seed {seed}: {unknown:?}");
    for (path, edited) in &edits {
        has_all(&files, path, edited, seed);
    }
    conflicts
}

/// Returns the text of a file, which must have every line that its user has written.
fn has_all<'a>(files: &'a Files, path: &str, edited: &Edited, seed: u64) -> &'a str {
    let text = files.get(path).unwrap_or_else(|| panic!("seed {seed}: {path} is gone"));
    for line in &edited.written {
        assert!(text.lines().any(|own| own == line), "seed {seed}: `{line}` is lost:\n{text}");
    }
    text
}

#[test]
fn no_line_of_a_user_is_lost() {
    let seeds: Vec<u64> = (1..=30).collect();
    let conflicts: usize = at_once(&seeds, |seed| nothing_is_lost(seed * 15_485_863)).into_iter().sum();
    assert!(conflicts > 100, "only {conflicts} conflicts");
}

#[test]
#[ignore = "1,000 histories take some minutes"]
fn no_line_of_a_user_is_lost_in_many_histories() {
    let seeds: Vec<u64> = (1..=1_000).collect();
    at_once(&seeds, |seed| nothing_is_lost(seed * 32_452_843));
}
