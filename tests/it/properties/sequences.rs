//! Checks of random sequences of opctl commands, with random edits of a user between the commands.
//!
//! After each command, each line that the user wrote is still in the project, and `opctl update` has nothing to do,
//! provided that it had nothing to do before the command. A `create` command that is run a second time changes nothing,
//! and a refused command changes nothing. Creating and then deleting something, or renaming it and then renaming it
//! back, leaves the project as it was.

use crate::support::{
    Place, Random, Tree, asked, at_once, differences, random_api, random_policy, random_webhook, text,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A project, and what its user wrote into it.
struct Session {
    place: Place,
    random: Random,
    /// The lines that the user wrote, none of which occurs twice.
    lines: Vec<String>,
    /// The modes that the user gave to files, by their paths.
    modes: BTreeMap<String, u32>,
    /// The files that the user deleted or moved away. A command that inserts into such a file creates it again.
    gone: BTreeSet<String>,
    /// The commands and edits so far.
    log: Vec<String>,
    /// The arguments of the command that created each kind, including its group and its version.
    kinds: Vec<Vec<String>>,
}

/// The arguments of a command.
type Arguments = Vec<String>;

fn words(line: &str) -> Arguments {
    line.split(' ').map(str::to_owned).collect()
}

/// Returns the argument after `flag`, or `None` if `arguments` does not contain `flag`.
fn value<'a>(arguments: &'a [String], flag: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|word| word == flag)?;
    arguments.get(at + 1).map(String::as_str)
}

/// Returns those of `flags` that `arguments` contains, each followed by its value.
fn key(arguments: &[String], flags: &[&str]) -> Arguments {
    let pair = |flag: &&str| value(arguments, flag).map(|value| [(*flag).to_owned(), value.to_owned()]);
    flags.iter().filter_map(pair).flatten().collect()
}

/// Returns the command that deletes what `create` made.
fn opposite(arguments: &[String]) -> Arguments {
    let part = if arguments.contains(&"--resource=false".to_owned()) { "controller" } else { arguments[1].as_str() };
    let mut command = [words(&format!("delete {part}")), key(arguments, &["--group", "--version", "--kind"])].concat();
    if part == "controller" {
        command.extend(key(arguments, &["--controller-name"]));
    }
    let parts = arguments.iter().filter(|word| ["--defaulting", "--validation", "--mutating"].contains(&word.as_str()));
    command.extend(parts.cloned());
    if part == "policy" && !command.contains(&"--mutating".to_owned()) {
        command.push("--validating".to_owned());
    }
    command
}

/// Returns the project's files and their texts, without the folder `.opctl`.
fn content(place: &Place) -> Tree {
    place.tree().into_iter().filter(|(path, _)| !path.starts_with(".opctl")).collect()
}

impl Session {
    fn new(seed: u64) -> Self {
        let place = Place::with_project();
        Session {
            place,
            random: Random(seed),
            lines: Vec::new(),
            modes: BTreeMap::new(),
            gone: BTreeSet::new(),
            log: vec![format!("seed {seed}")],
            kinds: Vec::new(),
        }
    }

    fn outcome(&self, arguments: &[String]) -> String {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.place.json(&words)["outcome"].as_str().unwrap().to_owned()
    }

    fn is_settled(&self) -> bool {
        self.place.run(&["update", "--check"]).status.success()
    }

    /// Runs a command, and checks what must hold after every command. Returns true if the project changed.
    fn run(&mut self, arguments: &[String]) -> bool {
        self.log.push(arguments.join(" "));
        let (before, was_settled) = (self.place.tree(), self.is_settled());
        let outcome = self.outcome(arguments);
        let log = || self.log.join("\n");
        if outcome != "changed" {
            assert!(differences(&before, &self.place.tree()).is_empty(), "{outcome} and changed:\n{}", log());
            return false;
        }
        self.log.push("    changed".to_owned());
        let log = || self.log.join("\n");
        if was_settled {
            let check = self.place.run(&["update", "--check"]);
            let (diff, error) = (text(&check.stdout), text(&check.stderr));
            assert!(check.status.success(), "update has something to do after\n{}\n{diff}{error}", log());
        }
        if arguments[0] == "create" {
            assert_eq!(self.outcome(arguments), "unchanged", "again:\n{}", log());
        }
        self.check_lines();
        true
    }

    /// Checks that each of the user's lines is still in the project, and that files keep the user's modes.
    fn check_lines(&mut self) {
        let tree = content(&self.place);
        self.modes.retain(|path, _| tree.contains_key(path));
        for (path, mode) in &self.modes {
            let now = fs::metadata(self.place.root().join(path)).unwrap().permissions().mode() & 0o777;
            assert_eq!(now, *mode, "the mode of `{path}` after\n{}", self.log.join("\n"));
        }
        for line in &self.lines {
            let is_in = tree.values().any(|bytes| bytes.windows(line.len()).any(|window| window == line.as_bytes()));
            assert!(is_in, "`{line}` is lost after\n{}", self.log.join("\n"));
        }
    }

    /// Checks that running the command `there` and then its opposite, the command `back`, leaves the project as it was,
    /// unless the user has edited what `back` removes.
    fn there_and_back(&mut self, there: &[String], back: &[String]) {
        let before = content(&self.place);
        if !self.run(there) || !self.run(back) {
            return;
        }
        let after = content(&self.place).into_iter();
        let after = after.filter(|(path, _)| before.contains_key(path) || !self.gone.contains(path)).collect();
        let differences = differences(&before, &after);
        assert!(differences.is_empty(), "there and back:\n{}\n{}", self.log.join("\n"), differences.join("\n"));
        self.run(there);
    }

    fn command(&mut self) {
        let random = &mut self.random;
        match random.below(10) {
            0..4 => {
                let create = random_api(random);
                self.kinds.push(create.clone());
                if self.random.below(3) == 0 {
                    // Deleting the only kind of a resource takes out everything that `create` added.
                    let back = opposite(&create);
                    let is_new = !self.has_kind(&create);
                    if is_new {
                        return self.there_and_back(&create, &back);
                    }
                }
                self.run(&create);
            }
            4..6 => {
                let create = match self.own_kind() {
                    Some(kind) if self.random.below(4) > 0 => {
                        let flags = ["--defaulting", "--validation", "--defaulting --validation"];
                        let flags = words(self.random.pick(&flags));
                        [words("create webhook"), key(&kind, &["--group", "--version", "--kind"]), flags].concat()
                    }
                    _ => random_webhook(&mut self.random),
                };
                if self.random.below(3) == 0 {
                    if self.run(&create) {
                        self.run(&opposite(&create));
                    }
                    return;
                }
                self.run(&create);
            }
            6 => {
                let create = random_policy(random);
                self.run(&create);
            }
            7 => {
                let (way, part) = (
                    random.pick(&["--enable", "--disable"]),
                    random.pick(&["prometheus", "network-policy", "cert-manager", "grafana", "metrics"]),
                );
                self.run(&words(&format!("edit {way} {part}")));
            }
            8 => {
                let Some(kind) = self.own_kind() else { return };
                self.further_version(&kind);
            }
            _ => {
                let Some(kind) = self.own_kind() else { return };
                let old = value(&kind, "--kind").unwrap().to_owned();
                let key = key(&kind, &["--group"]);
                let rename = |from: &str, to: &str| {
                    [words(&format!("rename api --kind {from} --to {to}")), key.clone()].concat()
                };
                self.there_and_back(&rename(&old, "Renamed"), &rename("Renamed", &old));
                self.run(&rename("Renamed", &old));
            }
        }
    }

    /// Adds a version to a kind, makes it the storage version, adds a conversion, or deletes a version.
    fn further_version(&mut self, kind: &[String]) {
        let name = key(kind, &["--group", "--kind"]);
        let version = self.random.pick(&["v1alpha1", "v1beta1", "v1"]);
        let command = match self.random.below(4) {
            0 => format!("create api --version {version}"),
            1 => format!("create api --version {version} --storage-version"),
            2 => format!("create webhook --conversion --spoke {version}"),
            _ => format!("delete api --version {version}"),
        };
        let command = [words(&command), name.clone()].concat();
        if self.run(&command) && command[0] == "create" && command[1] == "api" {
            self.kinds.push([name, words(&format!("--version {version}"))].concat());
        }
    }

    fn has_kind(&self, create: &[String]) -> bool {
        let listed = self.place.json(&["list"]);
        let kinds = listed["data"]["resources"].as_array().cloned().unwrap_or_default();
        kinds.iter().any(|one| one["kind"].as_str() == value(create, "--kind"))
    }

    /// Returns the arguments of a command that created a kind whose types the project defines, chosen at random.
    /// Returns `None` if the project defines no kind.
    fn own_kind(&mut self) -> Option<Arguments> {
        let own: Vec<Arguments> =
            self.kinds.iter().filter(|kind| !kind.contains(&"--resource=false".to_owned())).cloned().collect();
        (!own.is_empty()).then(|| own[self.random.below(own.len())].clone())
    }

    /// Edits a file as a user does: adds, changes or removes a line, or changes the mode of the file, moves it or
    /// deletes it.
    fn edit(&mut self) {
        let end = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let own = |path: &String| {
            ["rs", "yaml", "toml"].contains(&end(path).as_str())
                && !path.starts_with("runtime/")
                && !path.contains("/bases/")
        };
        let files: Vec<String> = content(&self.place).into_keys().filter(own).collect();
        let shared = ["src/main.rs", "src/lib.rs", "api/src/lib.rs", "config/default/kustomization.yaml", "Cargo.toml"];
        let path = match self.random.below(3) {
            0 => shared[self.random.below(shared.len())].to_owned(),
            _ => files[self.random.below(files.len())].clone(),
        };
        let file = self.place.root().join(&path);
        let Ok(text) = fs::read_to_string(&file) else { return };
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let place = self.random.below(lines.len() + 1);
        let comment = if end(&path) == "rs" { "//" } else { "#" };
        let mine = format!("{comment} line {} of a user", self.lines.len() + 1);
        match self.random.below(14) {
            12 => {
                let mode = [0o600, 0o640, 0o755][self.random.below(3)];
                self.log.push(format!("    chmod {mode:o} {path}"));
                fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
                self.modes.insert(path, mode);
                return;
            }
            13 => {
                let to = path.replacen(&format!(".{}", end(&path)), &format!("_of_user.{}", end(&path)), 1);
                self.log.push(format!("    moves {path} to {to}"));
                self.modes.remove(&path);
                self.gone.insert(path);
                return fs::rename(&file, self.place.root().join(to)).unwrap();
            }
            0 => {
                // A line of the user's may go only by the user's hand.
                if lines.iter().any(|line| line.contains("of a user")) {
                    return;
                }
                self.log.push(format!("    deletes {path}"));
                self.gone.insert(path);
                return fs::remove_file(file).unwrap();
            }
            1 | 2 if place < lines.len() && !lines[place].contains("of a user") => {
                self.log.push(format!("    takes out line {} of {path}: {}", place + 1, lines[place]));
                lines.remove(place);
            }
            3..6 if place < lines.len() && !lines[place].contains("of a user") => {
                self.log.push(format!("    changes line {} of {path}: {}", place + 1, lines[place]));
                lines[place] = format!("{} {mine}", lines[place]);
                self.lines.push(mine);
            }
            _ => {
                self.log.push(format!("    adds line {} of {path}", place + 1));
                lines.insert(place, mine.clone());
                self.lines.push(mine);
            }
        }
        fs::write(file, lines.join("\n") + "\n").unwrap();
    }
}

/// Returns the seeds: a few by default, or as many as `SEQUENCES` says, beginning with `SEQUENCES_SEED`.
fn seeds() -> Vec<u64> {
    let first = asked("SEQUENCES_SEED").unwrap_or(1);
    (first..first + asked("SEQUENCES").unwrap_or(16)).collect()
}

#[test]
fn sequences_of_commands_and_edits_keep_the_lines_of_a_user_and_leave_nothing_to_update() {
    let failed = at_once(&seeds(), |seed| {
        let run = || {
            let mut session = Session::new(seed * 6_364_136_223 + 1_442_695);
            for _ in 0..9 {
                for _ in 0..session.random.below(3) {
                    session.edit();
                }
                session.command();
            }
        };
        std::panic::catch_unwind(run).err().map(|_| *seed)
    });
    let failed: Vec<u64> = failed.into_iter().flatten().collect();
    assert!(failed.is_empty(), "seeds that fail: {failed:?}");
}
