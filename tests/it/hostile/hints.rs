//! Checks hints and next steps, which users paste into a shell: if they contain a value from a file or a server, the
//! shell must not run any part of the value as a command.

use super::text::{is_plain, yaml};
use crate::support::{Place, Random, text, tool};
use std::fs;

/// Parts of random values. Each command in them creates a file, which shows the test that the command ran.
const PARTS: [&str; 24] = [
    "a",
    "b.c",
    "v1",
    " ",
    "'",
    "\"",
    "$(: >PWNED)",
    "`: >PWNED`",
    "; : >PWNED;",
    "\n: >PWNED\n",
    "| : >PWNED",
    "&& : >PWNED",
    ">PWNED",
    "<(: >PWNED)",
    "#",
    "    #",
    "\\",
    "{a,b}",
    "*",
    "=a",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{9b}é",
    "名",
];

fn value(random: &mut Random) -> String {
    (0..=random.below(5)).map(|_| random.pick(&PARTS)).collect()
}

/// Returns the lines of a command's output that users paste into a shell: the hint, and the commands below `next:`.
fn pasted(said: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in said.lines() {
        if let Some(first) = line.strip_prefix("hint: ") {
            lines.push(first.to_owned());
            inside = true;
        } else if line == "next:" {
            inside = true;
        } else if let Some(more) = line.strip_prefix("      ").or_else(|| line.strip_prefix("    ")).filter(|_| inside)
        {
            lines.push(more.to_owned());
        } else {
            inside = false;
        }
    }
    lines
}

/// Runs the lines to paste in a shell without programs in its `PATH`, and checks that no command in a value runs.
/// Returns the number of lines.
#[track_caller]
fn paste(said: &str) -> usize {
    is_plain(said);
    let folder = tempfile::tempdir().unwrap();
    let lines = pasted(said);
    for line in &lines {
        let mut bash = tool("/bin/bash");
        bash.args(["--norc", "--noprofile", "-c", line]).current_dir(folder.path()).env("PATH", "/nowhere");
        let _ = bash.output().unwrap();
        let made: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let ran = made.iter().any(|name| name.to_string_lossy().contains("PWNED"));
        assert!(!ran, "this line runs what others wrote:\n{line}\nin\n{said}");
    }
    lines.len()
}

fn tried(place: &Place, words: &[&str]) -> usize {
    let output = place.run(words);
    let code = output.status.code();
    assert!(code.is_some_and(|code| code < 6), "{words:?}: {code:?}\n{}", text(&output.stderr));
    paste(&text(&output.stderr))
}

#[test]
fn a_version_in_a_project_brings_no_command() {
    let place = Place::with_project();
    let path = place.root().join("PROJECT");
    let project = fs::read_to_string(&path).unwrap();
    let with = |version: &str| {
        let lines = project.lines().filter(|line| !line.starts_with("cliVersion:"));
        fs::write(&path, format!("cliVersion: {}\n{}\n", yaml(version), lines.collect::<Vec<_>>().join("\n"))).unwrap();
        text(&place.run(&["list"]).stderr)
    };
    let said = with("9.9.9; : >PWNED");
    assert!(said.contains("`cliVersion` is not a version") && !said.contains("cargo install"), "{said}");
    assert_eq!(paste(&said), 1);
    assert!(with("9.9.9").contains("hint: cargo install --locked opctl@9.9.9\n"));
}

#[test]
fn values_of_projects_and_definitions_run_nothing_where_they_are_pasted() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let project = fs::read_to_string(place.root().join("PROJECT")).unwrap();
    let record = fs::read_to_string(place.root().join(".opctl/files.yaml")).unwrap();
    let mut random = Random(7);
    let mut count = 0;
    for _ in 0..12 {
        let text = yaml(&value(&mut random));
        for key in ["cliVersion", "domain", "projectName", "headerFile", "jsonSchema", "repo"] {
            let lines = project.lines().filter(|line| !line.starts_with(&format!("{key}:")));
            let lines = lines.flat_map(|line| [line, "\n"]).collect::<String>();
            fs::write(place.root().join("PROJECT"), format!("{lines}{key}: {text}\n")).unwrap();
            count += tried(&place, &["list"]);
            count += tried(&place, &["create", "api", "--kind", "Other", "--dry-run"]);
        }
        for key in ["kind", "group", "version", "plural", "controllerName"] {
            let lines = project
                .lines()
                .filter(|line| !line.trim_start().starts_with(&format!("{key}:")) || !line.starts_with(' '));
            let changed = lines.flat_map(|line| [line, "\n"]).collect::<String>();
            let changed = changed.replace("resources:\n- ", &format!("resources:\n- {key}: {text}\n  "));
            fs::write(place.root().join("PROJECT"), changed).unwrap();
            count += tried(&place, &["update", "--check"]);
            count += tried(&place, &["delete", "api", "--kind", "Shop", "--dry-run"]);
        }
        fs::write(place.root().join("PROJECT"), &project).unwrap();
        for line in [format!("  {text}: x"), format!("{text}: x"), format!("  src/main.rs: {text}")] {
            fs::write(place.root().join(".opctl/files.yaml"), format!("{record}{line}\n")).unwrap();
            count += tried(&place, &["update", "--check"]);
        }
        fs::write(place.root().join(".opctl/files.yaml"), &record).unwrap();
        let resources = format!("resources: [{text}]\nnamePrefix: {text}\n");
        fs::write(place.root().join("config/default/kustomization.yaml"), resources).unwrap();
        count += tried(&place, &["build-installer", "--image", "web:1"]);
        let [group, kind, version] = [0; 3].map(|_| value(&mut random));
        let definition = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a}}\nspec: {{group: {}, scope: Namespaced, \
             names: {{kind: {}, plural: shops}}, versions: [{{name: {}, served: true, storage: true}}]}}\n",
            yaml(&group),
            yaml(&kind),
            yaml(&version)
        );
        fs::write(place.root().join("crd.yaml"), definition).unwrap();
        count += tried(&place, &["adopt", "--crds", "crd.yaml", "--dry-run", "new"]);
        count += tried(&place, &["adopt", "--crds", "crd.yaml", "--domain", "example.com", "--dry-run", "new"]);
    }
    assert!(count > 150, "only {count} lines were pasted");
}

#[test]
fn names_of_files_run_nothing_where_they_are_pasted() {
    let mut random = Random(11);
    let mut count = 0;
    for _ in 0..12 {
        let name = value(&mut random).replace('/', "_");
        let place = Place::new();
        let git = |words: &[&str]| {
            let mut git = tool("git");
            git.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]).args(words);
            git.current_dir(place.root()).env("HOME", place.root()).output().unwrap()
        };
        place.ok(&["init", "--domain", "example.com"]);
        git(&["init", "-q", "-b", "main"]);
        let write = |content: &str| {
            fs::create_dir_all(place.root().join("docs")).unwrap();
            fs::write(place.root().join("docs").join(format!("{name}.md")), content).unwrap();
            git(&["add", "--all"]);
            git(&["commit", "-q", "-m", "One"]);
        };
        write("a\n");
        git(&["checkout", "-q", "-b", "other"]);
        write("b\n");
        git(&["checkout", "-q", "main"]);
        write("c\n");
        git(&["merge", "other"]);
        let output = place.run(&["resolve"]);
        let said = text(&output.stderr);
        // opctl resolves no file of a name that no project of opctl has.
        assert!(matches!(output.status.code(), Some(1 | 3)), "{name:?}\n{said}");
        assert!(said.contains("git add "), "{name:?}\n{said}");
        count += paste(&said);
        // A context, a folder and a plan are the user's own, and are quoted as well.
        count += tried(&place, &["install", "--context", &name]);
        count += tried(&place, &["-C", &name, "list"]);
        count += tried(&place, &["explore", "--replay", &name]);
        count += tried(&place, &["manifests", "--against", &name]);
        count += tried(&place, &["bundle", "--image", &name]);
    }
    assert!(count > 50, "only {count} lines were pasted");
}

#[test]
fn tab_offers_only_what_a_shell_takes_as_a_word() {
    let place = Place::with_project();
    let contexts =
        ["$(: >PWNED)", "a b", "`: >PWNED`", "good", "x;y"].map(|name| format!("- {{name: {}}}\n", yaml(name)));
    fs::write(place.root().join("kubeconfig"), format!("contexts:\n{}", contexts.concat())).unwrap();
    let plans = ["crash:create:services/$(: >PWNED)#1@create", "crash:create:services/web#1@create"];
    let plans = plans.map(|plan| format!("{plan:?}")).join(", ");
    fs::create_dir_all(place.root().join("tests")).unwrap();
    fs::write(place.root().join("tests/explore.toml"), format!("plans = [{plans}]\n")).unwrap();
    let offered = |words: &[&str]| {
        let mut command = place.command(&[&["--", "opctl"], words].concat());
        command.env("OPCTL_COMPLETE", "bash").env("KUBECONFIG", place.root().join("kubeconfig"));
        command
            .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
            .env("_CLAP_IFS", "\n")
            .env("_CLAP_COMPLETE_COMP_TYPE", "9");
        text(&command.output().unwrap().stdout).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(offered(&["install", "--context", ""]), ["good"]);
    assert_eq!(offered(&["explore", "--replay", ""]), ["crash:create:services/web#1@create"]);
}

/// Only the macro `hint!`, which quotes values, calls `Hint::put_together`. All other hints are literals.
#[test]
fn only_the_macro_puts_a_hint_together() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (path, bytes) in crate::support::tree(&root) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if path != "error/hint.rs" && text.contains("Hint::put_together") {
            wrong.push(path);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
