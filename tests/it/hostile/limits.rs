//! Devices, pipes, huge files and files outside of the project: no command blocks on them or fills the memory.

use super::bounded::{ended, is_answer};
use crate::support::{Place, at_once, lay, program, text, tool};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Paths of files that a cloned repository can contain. Each path has a list of opctl commands that read the file, and
/// a flag: true if these commands must refuse a device, a pipe or a huge file at the path.
const PLACES: &[(&str, &[&[&str]], bool)] = &[
    ("PROJECT", &[&["list"], &["update", "--check"], &["status"]], false),
    (".opctl/files.yaml", &[&["update", "--check"], &["create", "api", "--kind", "Other", "--dry-run"]], false),
    ("src/main.rs", &[&["install", "--dry-run"], &["manifests", "--dry-run"]], true),
    ("api/src/v1alpha1/web_server.rs", &[&["install", "--dry-run"], &["manifests", "--dry-run"]], true),
    ("api/src/lib.rs", &[&["manifests", "--dry-run"]], true),
    ("api/src/lib.rs", &[&["create", "api", "--kind", "Other", "--dry-run"]], false),
    ("config/rbac/mine.yaml", &[&["install", "--dry-run"]], true),
    ("config/default/kustomization.yaml", &[&["status"]], true),
    ("config/manager/kustomization.yaml", &[&["status"], &["doctor"]], false),
    ("config/crd/kustomization.yaml", &[&["status"]], false),
    ("config/samples/mine.yaml", &[&["doctor"]], false),
    ("Cargo.toml", &[&["manifests", "--dry-run"]], true),
    ("Cargo.toml", &[&["install", "--dry-run"], &["doctor"]], false),
    ("Cargo.lock", &[&["doctor"]], false),
    ("Dockerfile", &[&["build", "--image", "web:1", "--dry-run", "--tool", "docker"]], true),
    ("tests/explore.toml", &[&["explore", "--replay", ""]], false),
    (".cargo/config.toml", &[&["cache", "clean", "--dry-run"], &["manifests", "--dry-run"]], false),
];

/// A function that creates something that cannot be read as a file at a path, such as a device.
type Put = fn(&Path);

const KINDS: &[(&str, Put)] = &[
    ("a device that never ends", |path| symlink("/dev/zero", path).unwrap()),
    ("a pipe without a writer", |path| {
        let made = tool("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    }),
    ("a file of 200 GB", |path| fs::File::create(path).unwrap().set_len(200 << 30).unwrap()),
];

fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place
}

/// Returns an opctl command in `place` whose cargo fails at once.
fn command(place: &Place, words: &[&str]) -> Command {
    let cargo = place.root().with_file_name("cargo");
    if !cargo.exists() {
        program(cargo.parent().unwrap(), "cargo", "exit 1");
    }
    let mut command = place.command(words);
    command.env("CARGO", cargo);
    if words.last() == Some(&"") {
        // The shell asks for candidates of the last word.
        command = place.command(&[&["--", "opctl"][..], words].concat());
        command.env("OPCTL_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
        command.env("_CLAP_COMPLETE_COMP_TYPE", "9").env("_CLAP_COMPLETE_SPACE", "false").env("_CLAP_IFS", "\n");
    }
    command
}

#[test]
fn devices_pipes_and_huge_files_in_place_of_a_file_block_no_command() {
    let prepared = project();
    let cases: Vec<_> = PLACES.iter().flat_map(|place| KINDS.iter().map(move |kind| (place, kind))).collect();
    at_once(&cases, |((path, commands, refused), (kind, put))| {
        let place = Place::new();
        lay(&prepared.root(), &place.root());
        let file = place.root().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&file);
        put(&file);
        for words in *commands {
            let (code, said) = ended(&command(&place, words));
            assert!(is_answer(code), "`{path}` is {kind}, {words:?} ends with {code:?}: {said}");
            if *refused {
                let name = path.rsplit('/').next().unwrap();
                let told = said.contains("error: ") && said.contains(name) && said.contains("hint: ");
                assert!(code == Some(1) && told, "`{path}` is {kind}, {words:?} ends with {code:?}: {said}");
            }
        }
    });
}

#[test]
fn a_file_argument_may_be_a_pipe_but_not_endless() {
    let place = Place::new();
    let root = place.root();
    fs::write(root.join("large.yaml"), "").unwrap();
    fs::File::options().write(true).open(root.join("large.yaml")).unwrap().set_len(200 << 30).unwrap();
    for file in ["large.yaml", "/dev/zero"] {
        let (code, said) = ended(&place.command(&["adopt", "--crds", file, "--domain", "example.com"]));
        assert!(is_answer(code) && said.contains("error: ") && said.contains(file), "{file} {code:?}: {said}");
        let (code, said) = ended(&place.command(&["status", "--kubeconfig", file]));
        assert!(is_answer(code) && said.contains("error: "), "{file} {code:?}: {said}");
    }
    let project = project();
    for (words, expected) in [
        ("manifests --dry-run --against <(echo 'kind: ConfigMap')", "holds no CustomResourceDefinition"),
        ("status --timeout 1 --kubeconfig <(echo '{contexts: [{name: far}]}')", "has no current context"),
    ] {
        let mut bash = tool("bash");
        bash.args(["--norc", "-c", &format!("{} {words}", env!("CARGO_BIN_EXE_opctl"))]).current_dir(project.root());
        let output = bash.env("NO_COLOR", "1").output().unwrap();
        assert!(text(&output.stderr).contains(expected), "{words}: {}", text(&output.stderr));
    }
}

#[test]
fn a_link_that_leads_out_of_the_project_is_not_read() {
    let place = project();
    let outside = place.root().with_file_name("outside.rs");
    fs::write(&outside, "fn main() {}\n").unwrap();
    fs::remove_file(place.root().join("src/main.rs")).unwrap();
    symlink(&outside, place.root().join("src/main.rs")).unwrap();
    let (code, said) = ended(&command(&place, &["manifests", "--dry-run"]));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("a symlink leads out of the project, to `") && said.contains("hint: ls -l "), "{said}");
}

/// Functions that damage a line of `PROJECT`: remove it, repeat it, change its words, or remove its value.
const MUTATIONS: &[fn(&str) -> String] = &[
    |_| String::new(),
    |line| format!("{line}\n{line}\n"),
    |line| format!("{}\n", line.replace("v1", "v2").replace("Tenant", "Tent").replace("true", "false")),
    |line| format!("{}\n", line.replace("false", "true").replace("- ", "").replace("Web", "App")),
    |line| format!("{}\n", line.split_inclusive(':').next().unwrap()),
];

#[test]
fn a_damaged_project_is_no_defect_of_opctl() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/golden/platform-operator");
    let whole = fs::read_to_string(golden.join("PROJECT")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let damage = |number: usize, mutation: fn(&str) -> String| -> String {
        let line = |(at, line): (usize, &&str)| if at == number { mutation(line) } else { format!("{line}\n") };
        lines.iter().enumerate().map(line).collect()
    };
    // Many mutations change nothing in a line, or the same.
    let cases: BTreeSet<String> =
        (0..lines.len()).flat_map(|number| MUTATIONS.iter().map(move |mutation| damage(number, *mutation))).collect();
    at_once(&Vec::from_iter(cases), |project| {
        let place = Place::new();
        fs::write(place.root().join("PROJECT"), project).unwrap();
        let answers = |words: &[&str]| {
            let output = place.run(words);
            assert!(is_answer(output.status.code()), "{words:?}: {}\n{project}", text(&output.stderr));
            output.status.success()
        };
        if answers(&["list"]) {
            lay(&golden, &place.root());
            fs::write(place.root().join("PROJECT"), project).unwrap();
            answers(&["update", "--check"]);
        }
    });
    for (from, to, told) in [
        ("    spoke:\n    - v1alpha1\n", "", "the conversion of `v1, kind Tenant` names no `spoke`"),
        ("    - v1alpha1\n", "    - v9\n", "names the spoke `v9`, a version that `resources` does not list"),
        ("    - v1alpha1\n", "    - v1\n", "names the spoke `v1`, which is itself"),
        ("    - v1alpha1\n", "    - v1alpha1\n    - v1alpha1\n", "names the spoke `v1alpha1`, twice"),
    ] {
        let place = Place::new();
        assert!(whole.contains(from), "{from}");
        fs::write(place.root().join("PROJECT"), whole.replacen(from, to, 1)).unwrap();
        for words in [&["list"][..], &["update", "--check"]] {
            let (code, said) = ended(&place.command(words));
            assert!(code == Some(1) && said.contains(told), "{words:?} {code:?}: {said}");
        }
    }
}
