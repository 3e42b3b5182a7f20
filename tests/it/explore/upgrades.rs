//! Tests `opctl explore --from`, which explores the upgrade from an old to a new version of an operator. In each pair
//! of versions, the new version has one mistake (`seeded`) or none (`innocent`).
//!
//! `testdata/explore/upgrades` defines the pairs. The tests explore some of them. With `OPCTL_UPGRADES=seeded`,
//! `innocent`, or the beginning of a pair's name, `pairs_are_judged_as_they_were` explores those pairs instead.

use super::{Plain, data, error, lay};
use crate::support::{keep, must, opctl, project, target_folder, temporary, tool, variable};
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use std::time::Instant;

/// An old and a new version of the operator in testdata/explore/src/bin/upgrades.rs.
struct Pair {
    name: String,
    table: toml_edit::Table,
}

impl Pair {
    fn all(file: &str) -> Vec<Pair> {
        let text = std::fs::read_to_string(data().join("upgrades").join(file)).unwrap();
        let document: toml_edit::DocumentMut = text.parse().unwrap();
        let tables: Vec<toml_edit::Table> = match &document["pair"] {
            toml_edit::Item::ArrayOfTables(tables) => tables.iter().cloned().collect(),
            item => item
                .as_array()
                .unwrap()
                .iter()
                .map(|value| value.as_inline_table().unwrap().clone().into_table())
                .collect(),
        };
        tables.into_iter().map(|table| Pair { name: table["name"].as_str().unwrap().to_owned(), table }).collect()
    }

    fn named(name: &str) -> Pair {
        let all = ["seeded.toml", "innocent.toml"].into_iter().flat_map(Pair::all);
        all.into_iter().find(|pair| pair.name == name).unwrap()
    }

    fn text(&self, key: &str) -> &str {
        self.table.get(key).and_then(toml_edit::Item::as_str).unwrap_or_default()
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let list = self.table.get(key).and_then(toml_edit::Item::as_array);
        list.into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// Writes the files of one version into `folder`, and returns the command line that starts this version.
    fn lay(&self, version: &str, folder: &Path) -> String {
        let prefix = if version == "old" { "old-" } else { "" };
        for (part, key) in [("crds", "crd"), ("roles", "role")] {
            lay(&data().join(part), &folder.join(version).join(part));
            let edits = self.table.get(&format!("{prefix}{key}")).and_then(toml_edit::Item::as_array);
            for edit in edits.into_iter().flatten() {
                let edit: Vec<&str> = edit.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
                let mut done = false;
                for entry in std::fs::read_dir(folder.join(version).join(part)).unwrap() {
                    let path = entry.unwrap().path();
                    let text = std::fs::read_to_string(&path).unwrap();
                    done |= text.contains(edit[0]);
                    std::fs::write(&path, text.replacen(edit[0], edit[1], 1)).unwrap();
                }
                assert!(done, "{}: no file has {:?}", self.name, edit[0]);
            }
        }
        let lease = self.text(&format!("{version}-lease"));
        let lease = if lease.is_empty() { String::new() } else { format!("LEASE={lease} ") };
        format!("{lease}CHANGES={} exec ./operator", self.text(version))
    }

    /// Runs `opctl explore` for the upgrade from the old version of the pair to the new one.
    fn play(&self, plain: &Plain, more: &[&str]) -> Output {
        let folder = plain.folder.path();
        for version in ["old", "new"] {
            let _ = std::fs::remove_dir_all(folder.join(version));
        }
        let (old, new) = (self.lay("old", folder), self.lay("new", folder));
        let mut command =
            opctl(&["explore", "-o", "json", "--samples", "samples", "--crds", "new/crds", "--roles", "new/roles"]);
        command.args([
            "--from-crds",
            "old/crds",
            "--from-roles",
            "old/roles",
            "--from-command",
            &old,
            "--command",
            &new,
        ]);
        command.args(more).current_dir(folder).output().unwrap()
    }
}

pub(super) fn findings(output: &Output) -> Vec<(String, String, String)> {
    let summary = super::summary(output);
    let list = summary["findings"].as_array().unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    list.iter().map(|one| (text(one, "severity"), text(one, "code"), text(one, "message"))).collect()
}

/// Returns the errors of a pair, each as its code and message.
pub(super) fn errors(output: &Output) -> Vec<String> {
    let errors = findings(output).into_iter().filter(|(severity, ..)| severity == "error");
    errors.map(|(_, code, message)| format!("{code}: {message}")).chain(errors_of_crds(output)).collect()
}

/// Returns the errors that the comparison of the old and new CRDs finds, with the reasons that `opctl manifests
/// --against` also prints.
fn errors_of_crds(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let is_error = |finding: &&Value| finding["severity"] == "error" && text(finding, "code").starts_with("OP6");
    findings.iter().filter(is_error).map(|one| format!("{}: {}", text(one, "code"), text(one, "reason"))).collect()
}

/// Returns the plan, which is the argument for `--replay`, of the finding that shows the expected mistake of a pair.
/// Returns `None` if no finding shows the mistake.
fn mistake(pair: &Pair, output: &Output) -> Option<String> {
    let summary = super::summary(output);
    let is_mistake = |finding: &&Value| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        text("severity") == "error"
            && pair.texts("expected").iter().any(|code| code == text("code"))
            && text("message").contains(pair.text("object"))
    };
    let found = summary["findings"].as_array().unwrap().iter().find(is_mistake)?;
    found["plan"].as_str().map(str::to_owned)
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn pairs_are_judged_as_they_were() {
    let plain = Plain::build("upgrades", None);
    let chosen = variable("OPCTL_UPGRADES").map(|names| names.into_string().unwrap());
    let chosen = chosen.unwrap_or_else(|| "01-,06-finalizer".to_owned());
    let mut wrong = Vec::new();
    for (file, is_seeded) in [("seeded.toml", true), ("innocent.toml", false)] {
        for pair in Pair::all(file) {
            let wanted = |text: &str| file.starts_with(text) || pair.name.starts_with(text);
            if !chosen.split(',').any(wanted) {
                continue;
            }
            let begun = Instant::now();
            let output = pair.play(&plain, &[]);
            let seconds = begun.elapsed().as_secs();
            if !String::from_utf8_lossy(&output.stdout).contains("\"planned\"") {
                println!("{:<42} {seconds:>3} s  no result: {}", pair.name, error(&output));
                println!("{}", String::from_utf8_lossy(&output.stdout));
                wrong.push(pair.name);
                continue;
            }
            // One replay shows a mistake again.
            let is_right = if is_seeded {
                mistake(&pair, &output).is_some_and(|plan| {
                    let again = pair.play(&plain, &["--replay", &plan]);
                    mistake(&pair, &again).is_some_and(|again| again == plan)
                })
            } else {
                errors(&output).is_empty()
            };
            println!("{:<42} {seconds:>3} s  {}", pair.name, if is_right { "right" } else { "WRONG" });
            for (severity, code, message) in findings(&output) {
                println!("    {severity}[{code}] {message}");
            }
            wrong.extend((!is_right).then_some(pair.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Mistakes in pairs of versions: the name of the pair, the plan to pass to `--replay` that finds the mistake, and the
/// beginning of the error.
const MISTAKES: [(&str, &str, &str); 9] = [
    (
        "01-hash-in-the-template",
        "upgrade",
        "restarts: after the upgrade the pods of deployments.apps/corner are restarted",
    ),
    (
        "02-renamed-child",
        "upgrade",
        "duplicate: after the upgrade configmaps/corner-config is made in addition to configmaps/corner",
    ),
    ("08-narrowed-bound", "crds", "refused: the new CRD of shops.example.com refuses spec.replicas "),
    ("08-narrowed-bound", "crds", "OP613: the field `spec.replicas` of `Shop` v1 "),
    ("09-enum-value-gone", "crds", "OP613: the field `spec.mode` of `Shop` v1 "),
    (
        "11-lost-right",
        "delete",
        "denied: after a deletion by the new version the new version is not allowed to `delete configmaps/",
    ),
    (
        "06-finalizer-renamed",
        "upgrade@delete",
        "stuck: after a deletion during the upgrade shops.example.com/corner is not deleted",
    ),
    (
        "05-finalizer-added",
        "back@delete",
        "no-way-back: after the rollback, shops.example.com/corner cannot be deleted",
    ),
    ("22-token-made-again", "upgrade", "lost: after the upgrade a value that is generated only once has changed"),
];

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn an_upgrade_that_breaks_something_is_found_by_one_play() {
    let plain = Plain::build("upgrades", None);
    for (name, play, expected) in MISTAKES {
        let output = Pair::named(name).play(&plain, &["--replay", play]);
        let errors = errors(&output);
        assert!(errors.iter().any(|line| line.starts_with(expected)), "{name}: {errors:#?}");
        assert!(error(&output).starts_with("the upgrade is not safe: 1 play in "), "{output:?}");
    }
    each_sample_is_played(&plain);
    a_version_that_does_nothing_is_named(&plain);
    one_job_runs_one_operator_at_a_time(&plain);
    an_old_version_that_does_not_start_is_named(&plain);
}

/// Checks that the exploration of an upgrade uses each sample, not only the first sample of a kind.
fn each_sample_is_played(plain: &Plain) {
    let samples = plain.folder.path().join("samples");
    let first = std::fs::read_to_string(samples.join("shop.yaml")).unwrap();
    let second = first.replace("name: corner", "name: second").replace("spec:\n", "spec:\n  mode: loud\n");
    std::fs::write(samples.join("shops.yaml"), second).unwrap();
    let found = errors(&Pair::named("09-enum-value-gone").play(plain, &["--replay", "crds"]));
    std::fs::remove_file(samples.join("shops.yaml")).unwrap();
    let expected = "refused: the new CRD refuses shops.example.com/second, which the old version accepts: ";
    assert!(found.iter().any(|line| line.starts_with(expected)), "{found:#?}");
}

/// Checks that `opctl explore` tests no upgrade if one of the versions writes nothing for the samples, because then the
/// versions cannot be compared.
fn a_version_that_does_nothing_is_named(plain: &Plain) {
    for (old, new, version) in [("idle", "", "the old version"), ("", "idle", "the new version")] {
        let mut pair = Pair::named("14-reads-before-it-writes");
        pair.table.insert("old", toml_edit::value(old));
        pair.table.insert("new", toml_edit::value(new));
        let message = error(&pair.play(plain, &["--replay", "upgrade"]));
        let reason = "the operator writes nothing for the samples";
        assert_eq!(
            message,
            format!("no upgrade was tested, because the operator of {version} did not handle the samples: {reason}")
        );
    }
}

/// Checks that with `--jobs 1` two operators never run at once: each one runs under `flock --nonblock` on the same lock
/// file, so a second one would not start.
fn one_job_runs_one_operator_at_a_time(plain: &Plain) {
    let one = "exec flock --nonblock --no-fork lock ./operator";
    let mut alone = opctl(&["explore", "-o", "json", "--jobs", "1", "--command", one, "--from-command", one]);
    alone.args(["--crds", "crds", "--from-crds", "crds", "--samples", "samples"]).current_dir(plain.folder.path());
    assert_eq!(errors(&alone.args(["--replay", "upgrade"]).output().unwrap()), [""; 0]);
}

fn an_old_version_that_does_not_start_is_named(plain: &Plain) {
    let mut fails =
        opctl(&["explore", "-o", "json", "--command", "exit 7", "--crds", "crds", "--from-command", "exit 7"]);
    fails.args(["--from-crds", "crds", "--samples", "samples", "--replay", "upgrade"]).current_dir(plain.folder.path());
    let message = error(&fails.output().unwrap());
    assert_eq!(message, "the old version does not start: the operator exits again and again: exit status: 7");
}

/// An exploration of a chain of upgrades finds a child that an early version made and that no later one removes.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn objects_left_by_an_earlier_version_are_found_by_a_chain_of_upgrades() {
    let plain = Plain::build("upgrades", None);
    let (pair, folder) = (Pair::named("02-renamed-child"), plain.folder.path());
    let [first, second] = ["old", "new"].map(|version| pair.lay(version, folder));
    let explore = |first_crds: &str, more: &[&str]| {
        let mut command = opctl(&["explore", "-o", "json", "--samples", "samples"]);
        command.args(["--command", &second, "--crds", "new/crds", "--roles", "new/roles"]);
        command.args(["--from-command", &first, "--from-crds", first_crds, "--from-roles", "old/roles"]);
        command.args(more).args(["--replay", "upgrade"]).current_dir(folder).output().unwrap()
    };
    let later = ["--from-command", &second, "--from-crds", "new/crds", "--from-roles", "new/roles"];
    let chain = explore("old/crds", &later);
    assert!(
        errors(&chain).iter().any(|line| line.starts_with("orphan: ") && line.contains("configmaps/corner")),
        "{chain:?}"
    );
    let line = &super::summary(&chain)["findings"][0]["replay"];
    assert_eq!(line.as_str().unwrap().matches("--from-crds").count(), 2, "{line}");

    // The scope of a CRD cannot be changed.
    lay(&folder.join("old/crds"), &folder.join("wide/crds"));
    let file = folder.join("wide/crds/shops.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("scope: Namespaced", "scope: Cluster")).unwrap();
    let wide = ["--from-command", &second, "--from-crds", "wide/crds", "--from-roles", "new/roles"];
    let message = error(&explore("old/crds", &wide));
    let expected =
        "the API server refuses the CRD `shops.example.com` of version 2 as an update of the CRD of version 1";
    assert_eq!(message, expected);

    let message = error(&explore("old/crds", &later[..4]));
    assert_eq!(message, "each old version needs its own `--from-command`, `--from-crds` and `--from-roles`");
}

fn git(root: &Path, words: &[&str]) {
    let mut git = tool("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]).args(words);
    must(git.current_dir(root).env("HOME", root));
}

#[test]
fn a_version_that_cannot_be_upgraded_is_said() {
    let root = &keep("upgraded", &project("shop-operator"));
    let explore = |words: &[&str]| {
        let mut command = opctl(&["explore", "-o", "json"]);
        command.args(words).current_dir(root).env("CARGO_TARGET_DIR", target_folder()).output().unwrap()
    };
    let from = |reference: &str| error(&explore(&["--from", reference]));
    assert_eq!(
        error(&explore(&["--from", "v1.0.0", "--replay", "sideways"])),
        "`sideways` is not one of the plays, the sequences of upgrade events that opctl can test"
    );
    assert_eq!(
        error(&explore(&["--from", "v1.0.0", "--only", "sideways"])),
        "`--only sideways` matches none of the plays, the sequences of upgrade events that opctl can test"
    );
    assert_eq!(
        error(&explore(&["--from", "v1.0.0", "--replay", "beside", "--jobs", "1"])),
        "`beside` runs both versions, and only one operator may run at a time"
    );
    let listed = explore(&["--from", "v1.0.0", "--list"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("\"back@crds\""), "{listed:?}");

    git(root, &["init", "-q"]);
    std::fs::rename(root.join("PROJECT"), root.join("kept")).unwrap();
    git(root, &["add", "--all"]);
    git(root, &["commit", "-q", "-m", "Zero"]);
    git(root, &["tag", "v0.0.1"]);
    std::fs::rename(root.join("kept"), root.join("PROJECT")).unwrap();
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    // What does not parse fails before the dependencies are compiled.
    std::fs::write(root.join("Cargo.toml"), format!("{manifest}\nmissing = [\n")).unwrap();
    // Nothing that the repository names is run.
    std::fs::write(root.join(".gitattributes"), "* filter=trap\n").unwrap();
    git(root, &["add", "--all"]);
    git(root, &["commit", "-q", "-m", "One"]);
    git(root, &["tag", "v0.1.0"]);
    let trap = root.join("trap");
    let config = format!("[filter \"trap\"]\n\tsmudge = touch '{0}'\n\tclean = touch '{0}'\n", trap.display());
    let file = root.join(".git/config");
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + &config).unwrap();

    assert_eq!(from("v9.0.0"), "`v9.0.0` is not a commit, branch or tag that git knows here");
    // Names are looked up before anything is compiled.
    assert_eq!(from("v0.1.0,v9.0.0"), "`v9.0.0` is not a commit, branch or tag that git knows here");
    assert_eq!(from("v0.1.0,"), "`` is not a commit, branch or tag that git knows here");
    assert_eq!(
        error(&explore(&["--from=--output=x"])),
        "`--output=x` is not a commit, branch or tag that git knows here"
    );
    assert_eq!(from("v0.0.1"), "`v0.0.1` does not contain an opctl project");
    let broken = explore(&["--from", "v0.1.0"]);
    assert_eq!(error(&broken), "the operator does not compile at `v0.1.0`");
    assert!(String::from_utf8_lossy(&broken.stderr).contains("missing = ["), "{broken:?}");
    assert!(!trap.exists());

    let folder = temporary();
    lay(&project("shop-operator"), folder.path());
    let nowhere = opctl(&["explore", "-o", "json", "--from", "v1"]).current_dir(folder.path()).output().unwrap();
    assert!(error(&nowhere).starts_with("`--from v1` names a git reference, but the project folder `"), "{nowhere:?}");
}
