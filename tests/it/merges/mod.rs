//! Merges of a project's branches, with `opctl resolve` for the conflicts that git cannot resolve.

mod compiled;
mod edited;
mod markers;
mod random;
mod renamed;
mod webhooks;

use crate::support::{Place, Tree, assert_same, text, tool};
use std::fs;
use std::process::Output;

/// A git repository with a project in it.
pub(crate) struct Repository {
    pub(crate) place: Place,
}

impl Repository {
    fn new(commands: &[&[&str]]) -> Self {
        Self::named("shop-operator", commands)
    }

    fn named(name: &str, commands: &[&[&str]]) -> Self {
        let place = Place::new();
        place.ok(&["init", "--domain", "example.com", "--name", name]);
        for command in commands {
            place.ok(command);
        }
        Self::of(place)
    }

    pub(crate) fn of(place: Place) -> Self {
        let repository = Repository { place };
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit("Begin");
        repository
    }

    fn run_git(&self, arguments: &[&str]) -> Output {
        let mut git = tool("git");
        git.args(["-c", "core.editor=true", "-c", "advice.mergeConflict=false"]);
        git.args(arguments).current_dir(self.place.root()).output().unwrap()
    }

    #[track_caller]
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = self.run_git(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Makes a branch from main with a commit for each of these commands.
    fn branch(&self, name: &str, commands: &[Vec<String>]) {
        self.git(&["checkout", "-q", "-b", name, "main"]);
        for command in commands {
            self.place.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
            self.commit(&command.join(" "));
        }
        self.git(&["checkout", "-q", "main"]);
    }

    pub(crate) fn write(&self, path: &str, edit: impl Fn(&str) -> String) {
        let path = self.place.root().join(path);
        let text = fs::read_to_string(&path).unwrap_or_default();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, edit(&text)).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place.root().join(path)).unwrap()
    }

    fn unmerged(&self) -> String {
        self.git(&["diff", "--name-only", "--diff-filter=U"])
    }

    /// Runs `opctl resolve` and the git command `next` each time git stops with conflicts. Returns how often git
    /// stopped with conflicts.
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

    /// Returns the project's files without those of git.
    pub(crate) fn tree(&self) -> Tree {
        let tree = self.place.content().into_iter();
        tree.filter(|(path, _)| path != ".git" && !path.starts_with(".git/")).collect()
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

const SHOP: &str = "create api --kind Shop";
const ITEM: &str = "create api --kind Item --group apps --finalizer";

/// Runs opctl. Returns its exit code and its stderr.
fn says(place: &Place, arguments: &[&str]) -> (i32, String) {
    let output = place.run(arguments);
    (output.status.code().unwrap(), text(&output.stderr))
}

#[test]
fn three_branches_are_merged_one_after_the_other() {
    let repository = Repository::new(&[&["create", "api", "--kind", "WebServer"]]);
    repository.branch("shop", &[words(SHOP), words("edit --enable prometheus")]);
    repository.branch("item", &[words(ITEM), words("edit --enable network-policy")]);
    repository.git(&["checkout", "-q", "-b", "edited"]);
    let types = "api/src/v1alpha1/web_server.rs";
    repository.write(types, |text| text.replace("pub message: String", "pub greeting: String"));
    repository.place.ok(&["create", "api", "--kind", "WebServer", "--resource=false", "--controller-name", "second"]);
    repository.commit("Edit a kind");
    for branch in ["shop", "item"] {
        repository.finish(&repository.run_git(&["merge", branch]), &["commit", "--no-edit"]);
    }
    assert!(repository.read(types).contains("pub greeting: String"));
    let shown = text(&repository.place.run(&["list"]).stdout);
    for kind in ["WebServer", "second", "Shop", "apps-item"] {
        assert!(shown.contains(kind), "{shown}");
    }
    let project = repository.read("PROJECT");
    assert!(project.contains("    parts:\n    - metrics\n    - prometheus\n    - network-policy\n"), "{project}");
    for command in [SHOP, ITEM, "edit --enable prometheus,network-policy"] {
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(repository.place.json(&words)["outcome"], "unchanged", "{command}");
    }
}

#[test]
fn the_same_kind_on_both_branches_is_one() {
    let repository = Repository::new(&[]);
    repository.branch("one", &[words(SHOP), words(ITEM)]);
    repository.branch("other", &[words(SHOP)]);
    repository.git(&["checkout", "-q", "one"]);
    let before = repository.tree();
    repository.finish(&repository.run_git(&["merge", "other"]), &["commit", "--no-edit"]);
    assert_same(&before, &repository.tree(), "nothing is new");
}

/// Returns a repository in the middle of a merge: both branches add a kind, and change the same line of `main` in
/// different ways.
fn with_conflict_of_users() -> Repository {
    let repository = Repository::new(&[]);
    for (branch, command) in [("one", SHOP), ("other", ITEM)] {
        repository.branch(branch, &[words(command)]);
        repository.git(&["checkout", "-q", branch]);
        repository.write("src/main.rs", |text| format!("//! Of {branch}.\n\n{text}"));
        repository.commit("Describe it");
    }
    repository.git(&["checkout", "-q", "one"]);
    assert!(!repository.run_git(&["merge", "other"]).status.success());
    repository
}

#[test]
fn resolve_leaves_conflicts_of_users_and_resolves_the_rest() {
    let repository = with_conflict_of_users();
    let (code, said) = says(&repository.place, &["resolve"]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("error: `src/main.rs` is still in conflict\n"), "{said}");
    assert!(said.contains("`src/main.rs` at line 1: both sides changed the same lines\n"), "{said}");
    assert!(said.contains("git add src/main.rs && git commit --no-edit"), "{said}");
    assert_eq!(repository.unmerged(), "src/main.rs\n");
    let main = repository.read("src/main.rs");
    assert!(main.starts_with("<<<<<<< HEAD\n//! Of one.\n\n=======\n//! Of other.\n\n>>>>>>> other\n"), "{main}");
    assert_eq!(main.matches("::controller());\n").count(), 2, "{main}");
    let before = repository.tree();
    assert_eq!(says(&repository.place, &["resolve"]), (3, said[said.find("error: ").unwrap()..].to_owned()));
    assert_same(&before, &repository.tree(), "again");
    // A user who has resolved the conflict by hand runs `git add`.
    repository.write("src/main.rs", |text| {
        text.split_inclusive('\n').filter(|line| !line.starts_with(['<', '=', '>'])).collect()
    });
    let (code, said) = says(&repository.place, &["resolve"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("next:\n    git add src/main.rs\n    git commit --no-edit\n"), "{said}");
    repository.git(&["add", "src/main.rs"]);
    repository.git(&["commit", "--no-edit"]);
    assert_eq!(repository.place.json(&["list"])["data"]["resources"].as_array().unwrap().len(), 2);
}

#[test]
fn a_domain_that_both_changed_is_left() {
    let repository = Repository::new(&[]);
    for branch in ["one", "other"] {
        repository.branch(branch, &[]);
        repository.git(&["checkout", "-q", branch]);
        repository.write("PROJECT", |text| text.replace("domain: example.com", &format!("domain: {branch}.com")));
        repository.commit("Move");
    }
    repository.git(&["checkout", "-q", "one"]);
    repository.run_git(&["merge", "other"]);
    let before = repository.tree();
    let (code, said) = says(&repository.place, &["resolve"]);
    let expected = "`PROJECT` at line 4: `domain` has different values on the two sides\n";
    assert!(code == 3 && said.contains(expected), "{said}");
    assert_same(&before, &repository.tree(), "nothing could be done");
}

/// Writes a file as `opctl manifests` would, and its hash into the list of generated files.
fn generate(repository: &Repository, path: &str, content: &str) {
    repository.write(path, |_| content.to_owned());
    let hash = opctl::test_api::plan::hash(content);
    repository.write(".opctl/files.yaml", |text| {
        let others: String = text.split_inclusive('\n').filter(|line| !line.contains(path)).collect();
        others.replace("\nopctl:", &format!("\n  {path}: {hash}\nopctl:"))
    });
}

#[test]
fn manifests_that_both_sides_generated_are_generated_anew() {
    let (role, crd) = ("config/rbac/role.yaml", "config/crd/bases/example.com_shops.yaml");
    let repository = Repository::new(&[&["create", "api", "--kind", "Shop"]]);
    generate(&repository, crd, "kind: CustomResourceDefinition\n");
    repository.commit("Generate");
    for branch in ["one", "other"] {
        repository.branch(branch, &[]);
        repository.git(&["checkout", "-q", branch]);
        generate(&repository, role, &format!("rules:\n- of: {branch}\n"));
        if branch == "one" {
            generate(&repository, crd, "kind: CustomResourceDefinition\nchanged: true\n");
        } else {
            fs::remove_file(repository.place.root().join(crd)).unwrap();
            repository.write(".opctl/files.yaml", |text| {
                text.split_inclusive('\n').filter(|line| !line.contains(crd)).collect()
            });
        }
        repository.commit("Generate");
    }
    repository.git(&["checkout", "-q", "one"]);
    repository.run_git(&["merge", "other"]);
    assert_eq!(repository.unmerged(), format!("{crd}\n{role}\n"));
    let (code, said) = says(&repository.place, &["resolve", "--manifests=false"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("next:\n    opctl manifests\n    git commit --no-edit\n"), "{said}");
    assert_eq!(repository.unmerged(), "");
    assert_eq!(repository.read(role), "rules:\n- of: one\n");
    let ledger = repository.read(".opctl/files.yaml");
    assert_eq!(ledger.matches(role).count(), 1, "{ledger}");
}

#[test]
fn resolve_names_a_file_removed_on_one_side_and_changed_on_the_other() {
    let repository = Repository::new(&[&["create", "api", "--kind", "Shop"]]);
    let types = "api/src/v1alpha1/shop.rs";
    repository.branch("one", &[]);
    repository.git(&["checkout", "-q", "one"]);
    repository.write(types, |text| format!("{text}\n// More.\n"));
    repository.commit("Edit");
    repository.branch("other", &[]);
    repository.git(&["checkout", "-q", "other"]);
    repository.git(&["rm", "-q", types]);
    repository.commit("Remove");
    repository.run_git(&["merge", "one"]);
    let (code, said) = says(&repository.place, &["resolve"]);
    let expected = format!("caused by: `{types}`: one side removed it and the other one changed it\n");
    assert!(code == 3 && said.contains(&expected), "{said}");
}

#[test]
fn resolve_reports_that_git_add_fails() {
    let repository = Repository::new(&[]);
    repository.branch("one", &[words(SHOP)]);
    repository.branch("other", &[words(ITEM)]);
    repository.git(&["checkout", "-q", "one"]);
    repository.run_git(&["merge", "other"]);
    let lock = repository.place.root().join(".git/index.lock");
    fs::write(&lock, "").unwrap();
    let (code, said) = says(&repository.place, &["resolve"]);
    assert!(code == 4 && said.contains("error: `git add` fails\n"), "{said}");
    assert!(said.contains("hint: git add "), "{said}");
    fs::remove_file(lock).unwrap();
    // All conflicts are resolved, but not added to git's index yet.
    let (code, said) = says(&repository.place, &["resolve"]);
    assert!(code == 0 && said.contains("git add PROJECT\n"), "{said}");
}

#[test]
fn without_git_both_sides_are_in_the_markers() {
    let repository = Repository::new(&[]);
    repository.branch("one", &[words(SHOP)]);
    repository.branch("other", &[words(ITEM)]);
    repository.git(&["checkout", "-q", "one"]);
    repository.run_git(&["merge", "other"]);
    let output = repository.place.command(&["resolve"]).env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(repository.place.json(&["list"])["data"]["resources"].as_array().unwrap().len(), 2);
    let main = repository.read("src/main.rs");
    assert_eq!(main.matches("::controller());\n").count(), 2, "{main}");
}

#[test]
fn line_ends_of_a_checkout_stay_as_they_are() {
    let repository = Repository::new(&[]);
    repository.git(&["config", "core.autocrlf", "true"]);
    repository.git(&["rm", "-q", "--cached", "-r", "."]);
    repository.git(&["reset", "-q", "--hard"]);
    repository.branch("one", &[words(SHOP)]);
    repository.branch("other", &[words(ITEM)]);
    repository.git(&["checkout", "-q", "one"]);
    repository.finish(&repository.run_git(&["merge", "other"]), &["commit", "--no-edit"]);
    for path in ["PROJECT", "src/main.rs", "api/src/lib.rs", "config/samples/kustomization.yaml", ".opctl/files.yaml"] {
        let text = repository.read(path);
        assert!(text.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{path}: {text:?}");
    }
    for command in [SHOP, ITEM] {
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(repository.place.json(&words)["outcome"], "unchanged", "{command}");
    }
}

#[test]
fn crates_of_both_branches_are_depended_on() {
    let external = |crate_name: &str, kind: &str| {
        words(&format!(
            "create api --kind {kind} --group {crate_name}.io --version v1 --resource=false --external-api-path {crate_name}::v1 \
             --external-api-module {crate_name}@1"
        ))
    };
    let repository = Repository::new(&[]);
    repository.branch("one", &[external("certs", "Certificate")]);
    repository.branch("other", &[external("certify", "Issuer")]);
    repository.git(&["checkout", "-q", "one"]);
    assert_eq!(repository.finish(&repository.run_git(&["merge", "other"]), &["commit", "--no-edit"]), 1);
    assert!(repository.read("Cargo.toml").contains("\ncertify = \"1\"\ncerts = \"1\"\n"));
    repository.branch("third", &[]);
    for (branch, version) in [("one", "2"), ("third", "3")] {
        repository.git(&["checkout", "-q", branch]);
        repository.write("Cargo.toml", |text| {
            let text = text.replace("certs = \"1\"\n", "");
            text.replace("[dependencies]\n", &format!("[dependencies]\ncerts = \"{version}\"\n"))
        });
        repository.commit("Change a version");
    }
    repository.run_git(&["merge", "one"]);
    let (code, said) = says(&repository.place, &["resolve"]);
    assert!(code == 3 && said.contains("`Cargo.toml` at line "), "{said}");
}

#[test]
fn a_report_of_what_is_left_is_one_document() {
    let repository = with_conflict_of_users();
    let report = repository.place.json(&["resolve"]);
    assert_eq!((&report["outcome"], &report["error"]["exitCode"]), (&"failed".into(), &3.into()), "{report}");
    assert_eq!(report["error"]["message"], "`src/main.rs` is still in conflict");
}

#[test]
fn resolve_does_nothing_without_a_conflict() {
    let place = Place::with_project();
    let before = place.tree();
    let (code, said) = says(&place, &["resolve"]);
    assert_eq!((code, said.as_str()), (0, "nothing to do: no file is in conflict\n"));
    assert_same(&before, &place.tree(), "nothing was done");
}
