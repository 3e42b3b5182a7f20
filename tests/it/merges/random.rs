//! Random branches, merged by merge, rebase or cherry-pick.

use super::Repository;
use crate::support::{Place, Random, Tree, assert_same, at_once, lay, random_api, text};
use opctl::test_api::plan::{LEDGER_FILE, Ledger};
use std::fs;

/// Runs random opctl commands in the project `place` until `count` of them have changed this project, and returns
/// these `count` commands. If the project `after` is given, in which the commands `others` of another branch have
/// run, uses only commands that also change `after`, and runs them in both projects.
fn accepted(
    random: &mut Random,
    count: usize,
    place: &Place,
    after: Option<&Place>,
    others: &[Vec<String>],
) -> Vec<Vec<String>> {
    let mut accepted = Vec::new();
    while accepted.len() < count {
        let mut command = random_api(random);
        if random.below(8) == 0 {
            let part = random.pick(&["prometheus", "network-policy"]);
            let way = random.pick(&["--enable", "--disable"]);
            command = ["edit", way, part].map(str::to_owned).to_vec();
        }
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let changes = |place: &Place| place.json(&words)["outcome"] == "changed";
        let would_change = |place: &Place| place.json(&[&words[..], &["--dry-run"]].concat())["outcome"] == "dryRun";
        // Two versions of a kind that both branches add have to be merged by a person.
        let makes_types = |command: &[String]| !command.contains(&"--resource=false".to_owned());
        let name = |command: &[String], flag: &str| {
            let at = command.iter().position(|word| word == flag)?;
            command.get(at + 1).cloned()
        };
        let same = |other: &Vec<String>| {
            let same = |flag| name(other, flag) == name(&command, flag);
            makes_types(other) && makes_types(&command) && command[0] == "create" && same("--kind") && same("--group")
        };
        if !others.iter().any(same) && after.is_none_or(would_change) && changes(place) {
            after.map(|place| place.ok(&words));
            accepted.push(command);
        }
    }
    accepted
}

/// Returns `tree` without the entries for files that both branches generated in the ledger (`.opctl/files.yaml`,
/// the hashes of generated files). For such a file, the ledger in `merged` has the hashes of both branches, unlike
/// a ledger without a merge.
pub(super) fn settled(mut tree: Tree, merged: &Tree) -> Tree {
    let ledger = |tree: &Tree| Ledger::parse(&text(&tree[LEDGER_FILE])).unwrap();
    let (mut own, merged) = (ledger(&tree), ledger(merged));
    own.files.retain(|path, _| !merged.is_merged(path));
    tree.insert(LEDGER_FILE.to_owned(), own.to_text().into_bytes());
    tree
}

/// Checks that merging two branches of random opctl commands gives the same project as running all these commands one
/// after the other. Returns how often git stopped with merge conflicts.
fn branches_are_merged(seed: u64) -> usize {
    let mut random = Random(seed);
    let base = Place::new();
    base.ok(&["init", "--domain", "example.com", "--name", "shop-operator"]);
    let known = random.below(3);
    let first = accepted(&mut random, known, &base, None, &[]);
    let copy = || {
        let place = Place::new();
        lay(&base.root(), &place.root());
        place
    };
    let (other, repository) = (copy(), Repository::of(copy()));
    let number = 1 + random.below(2);
    let ours = accepted(&mut random, number, &base, None, &[]);
    let number = 1 + random.below(2);
    let theirs = accepted(&mut random, number, &other, Some(&base), &ours);
    let style = random.pick(&["merge", "diff3", "zdiff3"]);
    repository.git(&["config", "merge.conflictStyle", style]);
    if random.below(3) == 0 {
        // Older projects have no `.gitattributes`.
        for place in [&base, &repository.place] {
            fs::remove_file(place.root().join(".gitattributes")).unwrap();
        }
        repository.commit("Do without attributes");
    }
    repository.branch("ours", &ours);
    repository.branch("theirs", &theirs);
    let way = random.pick(&["merge", "rebase", "cherry-pick"]);
    let what = format!("seed {seed}: {first:?}, then {way} of\n{ours:?} and\n{theirs:?}");
    println!("{what}");
    let stops = match way {
        "merge" => {
            repository.git(&["checkout", "-q", "ours"]);
            repository.finish(&repository.run_git(&["merge", "theirs"]), &["commit", "--no-edit"])
        }
        "rebase" => {
            repository.git(&["checkout", "-q", "theirs"]);
            repository.finish(&repository.run_git(&["rebase", "ours"]), &["rebase", "--continue"])
        }
        _ => {
            repository.git(&["checkout", "-q", "ours"]);
            let output = repository.run_git(&["cherry-pick", "main..theirs"]);
            repository.finish(&output, &["cherry-pick", "--continue"])
        }
    };
    let merged = repository.tree();
    assert_same(&settled(base.content(), &merged), &settled(merged.clone(), &merged), &what);
    assert_eq!(base.json(&["list"])["data"], repository.place.json(&["list"])["data"], "{what}");
    assert_eq!(repository.place.json(&["resolve"])["outcome"], "unchanged", "{what}");
    let commands: Vec<_> = ours.iter().chain(&theirs).collect();
    for (number, command) in commands.iter().enumerate() {
        // The command would change something again if a later one has undone it.
        if commands[number + 1..]
            .iter()
            .any(|later| later[0] == "edit" && later[0] == command[0] && later[2] == command[2])
        {
            continue;
        }
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        assert_eq!(repository.place.json(&words)["outcome"], "unchanged", "{what}\n{words:?}");
    }
    assert_same(&merged, &repository.tree(), &what);
    stops
}

#[test]
fn branches_that_add_kinds_are_merged_as_if_made_one_after_the_other() {
    let stops: usize = at_once(&[1, 2, 3], |seed| branches_are_merged(seed * 15_485_863)).into_iter().sum();
    assert!(stops > 1, "git stopped {stops} times only");
}

#[test]
#[ignore = "200 merges take some minutes"]
fn many_branches_are_merged_as_if_made_one_after_the_other() {
    let seeds: Vec<u64> = (1..=200).collect();
    at_once(&seeds, |seed| branches_are_merged(seed * 32_452_843));
}
