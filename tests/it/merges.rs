//! Branches of a project that git merges, with `opctl resolve` where git alone cannot.

use crate::properties::{Random, random_api};
use crate::support::{Place, Tree, assert_same, text};
use std::fs;
use std::process::{Command, Output};

/// A repository with a project in it.
struct Repository {
    place: Place,
}

impl Repository {
    fn new(commands: &[&[&str]]) -> Self {
        let place = Place::new();
        place.ok(&["init", "--domain", "example.com", "--name", "shop-operator"]);
        for command in commands {
            place.ok(command);
        }
        let repository = Repository { place };
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit("Begin");
        repository
    }

    fn run_git(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.args(["-c", "commit.gpgsign=false", "-c", "core.editor=true", "-c", "advice.mergeConflict=false"]);
        git.args(arguments).current_dir(self.place.root()).env_clear();
        for name in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            git.env(format!("{name}_NAME"), "A Name").env(format!("{name}_EMAIL"), "name@example.com");
        }
        git.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.place.root()).output().unwrap()
    }

    #[track_caller]
    fn git(&self, arguments: &[&str]) -> String {
        let output = self.run_git(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// A branch from main with these commands, a commit each.
    fn branch(&self, name: &str, commands: &[Vec<String>]) {
        self.git(&["checkout", "-q", "-b", name, "main"]);
        for command in commands {
            self.place.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
            self.commit(&command.join(" "));
        }
        self.git(&["checkout", "-q", "main"]);
    }

    fn write(&self, path: &str, edit: impl Fn(&str) -> String) {
        let path = self.place.root().join(path);
        let text = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, edit(&text)).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place.root().join(path)).unwrap()
    }

    fn unmerged(&self) -> String {
        self.git(&["diff", "--name-only", "--diff-filter=U"])
    }

    /// Lets opctl finish what git could not, as often as git stops; how often that was.
    fn finish(&self, output: &Output, next: &[&str]) -> usize {
        let mut output = output.clone();
        for stops in 0.. {
            if output.status.success() {
                return stops;
            }
            assert!(!self.unmerged().is_empty(), "{}{}", text(&output.stdout), text(&output.stderr));
            let dry = self.place.json(&["resolve", "--dry-run"]);
            let wet = self.place.json(&["resolve"]);
            assert_eq!(wet["outcome"], "changed", "{wet}");
            assert_eq!(dry["changes"], wet["changes"]);
            assert_eq!(self.unmerged(), "", "{wet}");
            output = self.run_git(next);
        }
        unreachable!("every conflict was finished")
    }

    /// The project without what is git's.
    fn tree(&self) -> Tree {
        let tree = self.place.content().into_iter();
        tree.filter(|(path, _)| path != ".git" && !path.starts_with(".git/")).collect()
    }
}

/// Commands that are accepted by both places: as on a branch, and after another branch.
fn accepted(random: &mut Random, count: usize, places: &[&Place]) -> Vec<Vec<String>> {
    let mut accepted = Vec::new();
    for _ in 0..40 {
        let mut command = random_api(random);
        if random.below(8) == 0 {
            let part = random.pick(&["prometheus", "network-policy"]);
            let way = random.pick(&["--enable", "--disable"]);
            command = ["edit", way, part].map(str::to_owned).to_vec();
        }
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let fine = |place: &&Place| {
            let dry = place.json(&[&words[..], &["--dry-run"]].concat());
            dry["outcome"] == "dryRun"
        };
        if places.iter().all(fine) {
            places.iter().for_each(|place| drop(place.ok(&words)));
            accepted.push(command);
        }
        if accepted.len() == count {
            break;
        }
    }
    accepted
}

/// Two branches of random commands, merged in one way or another, are as if all commands had been typed one after the other.
fn branches_are_merged(seed: u64) -> usize {
    let mut random = Random(seed);
    let (base, other) = (Place::new(), Place::new());
    for place in [&base, &other] {
        place.ok(&["init", "--domain", "example.com", "--name", "shop-operator"]);
    }
    let known = random.below(3);
    let first = accepted(&mut random, known, &[&base, &other]);
    let words: Vec<Vec<&str>> = first.iter().map(|command| command.iter().map(String::as_str).collect()).collect();
    let repository = Repository::new(&words.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let number = 1 + random.below(2);
    let ours = accepted(&mut random, number, &[&base]);
    for command in &ours {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        assert!(!words.is_empty());
    }
    let number = 1 + random.below(2);
    let theirs = accepted(&mut random, number, &[&other, &base]);
    let style = random.pick(&["merge", "diff3", "zdiff3"]);
    repository.git(&["config", "merge.conflictStyle", style]);
    if random.below(3) == 0 {
        // As in projects that were made before there was one.
        for place in [&base, &repository.place] {
            fs::remove_file(place.root().join(".gitattributes")).unwrap();
        }
        repository.commit("Do without attributes");
    }
    repository.branch("ours", &ours);
    repository.branch("theirs", &theirs);
    let way = random.pick(&["merge", "rebase", "cherry-pick"]);
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
    let what = format!("seed {seed}: {first:?}, then {way} of\n{ours:?} and\n{theirs:?}");
    let merged = repository.tree();
    assert_same(&base.content(), &merged, &what);
    assert_eq!(base.json(&["list"])["data"], repository.place.json(&["list"])["data"], "{what}");
    assert_eq!(repository.place.json(&["resolve"])["outcome"], "unchanged", "{what}");
    for command in ours.iter().chain(&theirs) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        assert_eq!(repository.place.json(&words)["outcome"], "unchanged", "{what}\n{words:?}");
    }
    assert_same(&merged, &repository.tree(), &what);
    stops
}

#[test]
fn branches_that_add_kinds_are_merged_as_if_made_one_after_the_other() {
    let stops: usize = (1..=6).map(|seed| branches_are_merged(seed * 15_485_863)).sum();
    assert!(stops > 3, "git stopped {stops} times only");
}

#[test]
#[ignore = "a campaign of some minutes"]
fn many_branches_are_merged_as_if_made_one_after_the_other() {
    for seed in 1..=200 {
        branches_are_merged(seed * 32_452_843);
    }
}
