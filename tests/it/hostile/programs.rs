//! Checks that each command starts exactly the programs that `opctl help safety` names, and that kubectl fetches remote
//! resources only if the user allows it.

use super::text::is_plain;
use crate::support::{Machine, Place, text, tool, variable};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const TOPIC: &str = include_str!("../../../src/cli/help/safety.md");

/// Programs that a command of opctl might run. In the tests, each one is a script that logs its name.
pub(super) const PROGRAMS: [&str; 22] = [
    "buildah",
    "cargo",
    "cc",
    "curl",
    "docker",
    "git",
    "go",
    "helm",
    "k3d",
    "kind",
    "kubectl",
    "kustomize",
    "make",
    "minikube",
    "nerdctl",
    "podman",
    "python3",
    "rustc",
    "rustfmt",
    "rustup",
    "sh",
    "ssh",
];

/// Returns the table in `opctl help safety`. The table maps each command to the description of the project code that
/// the command runs, and to the names of the programs that the command starts.
pub(super) fn rows() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let table = TOPIC.split("\n\n").find(|block| block.starts_with("| command |")).unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let row = |line: &str| {
        let cells = cells(line);
        let programs = cells[2].split(", ").filter(|name| *name != "none").map(str::to_owned).collect();
        (cells[0].trim_matches('`').to_owned(), (cells[1].clone(), programs))
    };
    table.lines().skip(2).map(row).collect()
}

/// Returns the path of the program `name` on this machine, or `None` if the program is not installed.
pub(super) fn real(name: &str) -> Option<String> {
    let path = variable("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file());
    found.map(|program| program.display().to_string())
}

/// Makes a machine with a project, in which the opctl command `prepare` has run. Each of [`PROGRAMS`] on this machine
/// is a script that logs its call: `cargo` only describes packages and compiles nothing, `git` and `rustc` work, and
/// all others fail.
fn machine(prepare: &[&str]) -> Machine {
    let machine = Machine::new(&[prepare]);
    let real = |name: &str| real(name).unwrap_or_else(|| panic!("{name} is not installed"));
    let log = machine.root().join("../ran");
    for name in PROGRAMS {
        let then = match name {
            "cargo" => format!("case \"$1\" in metadata) exec '{}' \"$@\";; esac; exit 101", real("cargo")),
            "git" | "rustc" => format!("exec '{}' \"$@\"", real(name)),
            _ => "exit 1".to_owned(),
        };
        machine.program(name, &format!("echo \"{name} $1\" >>'{}'; {then}", log.display()));
    }
    machine
}

/// Returns the programs that a command ran, each with its first argument.
fn ran(machine: &Machine, words: &[&str]) -> BTreeSet<(String, String)> {
    let log = machine.root().join("../ran");
    let _ = fs::remove_file(&log);
    let kubeconfig = "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: a, user: a}}]\n\
        clusters: [{name: a, cluster: {server: 'http://127.0.0.1:9'}}]\nusers: [{name: a, user: {}}]\n";
    fs::write(machine.root().join("kubeconfig"), kubeconfig).unwrap();
    let mut command = machine.command(words);
    command.env("KUBECONFIG", "kubeconfig").env("KUBEBUILDER_ASSETS", "/nowhere");
    // The real cargo, which describes packages, finds its toolchain by them.
    let toolchain = ["RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL", "CARGO_HOME"];
    let environment = tool("cargo");
    let found = environment.get_envs().filter(|(name, _)| toolchain.iter().any(|known| name == known));
    command.envs(found.filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 6), "{words:?}: {}", text(&output.stderr));
    is_plain(&text(&output.stderr));
    let lines = fs::read_to_string(&log).unwrap_or_default();
    lines
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, first)| (name.to_owned(), first.to_owned()))
        .collect()
}

/// The name of an opctl command, the command lines with which the test runs this command, and the programs that `opctl
/// help safety` lists for the command but that these command lines do not start.
type Tried = (&'static str, &'static [&'static [&'static str]], &'static [&'static str]);

/// The command lines that the test runs for each opctl command. Together, the command lines start all programs in the
/// command's row of the table in `opctl help safety`, except the programs in the last list of the entry. The test does
/// not start those, for instance because cargo compiles nothing in the test.
const TRIED: [Tried; 35] = [
    ("init", &[&["init", "other", "--domain", "example.com"]], &[]),
    ("adopt", &[&["adopt", "--crds", "shops.yaml", "adopted"]], &[]),
    (
        "create",
        &[
            &["create", "api", "--kind", "Two", "--dry-run"],
            &["create", "webhook", "--kind", "Shop", "--defaulting", "--dry-run"],
            &["create", "policy", "--kind", "Shop", "--dry-run"],
        ],
        &[],
    ),
    ("delete", &[&["delete", "api", "--kind", "Shop", "--dry-run"]], &[]),
    (
        "rename",
        &[
            &["rename", "api", "--kind", "Shop", "--to", "Store", "--dry-run"],
            &["rename", "project", "--to", "store", "--dry-run"],
        ],
        &[],
    ),
    ("demo", &[], &["cargo", "kubectl"]),
    ("manifests", &[&["manifests"], &["manifests", "--check"], &["manifests", "--against", "HEAD"]], &["rustc"]),
    ("docs", &[&["docs", "--check"]], &["rustc"]),
    ("run", &[&["run"]], &["rustc", "kubectl"]),
    ("test", &[], &["cargo", "rustc", "kubectl"]),
    ("explore", &[], &["cargo", "rustc", "kubectl", "git", "sh"]),
    ("bench", &[], &["cargo", "rustc", "kubectl", "sh"]),
    ("edit", &[&["edit", "--enable", "prometheus", "--dry-run"]], &[]),
    ("list", &[&["list"]], &[]),
    ("explain", &[&["explain"], &["explain", "OP101"]], &[]),
    ("install", &[&["install"], &["install", "--dry-run"]], &[]),
    ("uninstall", &[&["uninstall", "--dry-run"]], &[]),
    ("migrate", &[&["migrate", "--check"]], &[]),
    (
        "build",
        &[&["build", "--image", "web:1"], &["build", "--image", "web:1", "--local", "--archive", "image.tar"]],
        &[],
    ),
    ("deploy", &[&["deploy", "--image", "web:1", "--dry-run"]], &[]),
    ("undeploy", &[&["undeploy", "--dry-run"]], &[]),
    ("build-installer", &[&["build-installer", "--image", "web:1"]], &[]),
    ("bundle", &[&["bundle", "--image", "web:1", "--catalog", "catalog"], &["bundle", "--check"]], &[]),
    ("health-checks", &[&["health-checks", "--for", "flux"]], &[]),
    ("status", &[&["status"]], &[]),
    ("logs", &[&["logs"]], &[]),
    ("envtest", &[&["envtest", "list"], &["envtest", "status"]], &["go"]),
    ("doctor", &[&["doctor"]], &[]),
    ("cache", &[&["cache", "clean", "--dry-run"]], &[]),
    ("update", &[&["update", "--check"]], &[]),
    ("resolve", &[&["resolve", "--dry-run"]], &["cargo", "rustc"]),
    ("mcp", &[&["mcp"]], &[]),
    ("completion", &[&["completion", "bash"]], &[]),
    ("version", &[&["version"]], &[]),
    ("help", &[&["help"], &["help", "safety"]], &[]),
];

/// Commands that are tried in a project with a kind whose manifests have not been generated yet.
const WITH_A_KIND: [&str; 7] = ["create", "delete", "rename", "manifests", "docs", "health-checks", "run"];
const WITH_KIND: &[&str] = &["create", "api", "--kind", "Shop", "--image", "nginx:1"];

/// Changes a project so that opctl commands in the project start every program that they may need, such as kubectl for
/// a kustomization.
fn prepare(root: &Path) {
    let git = |words: &[&str]| {
        let mut git = tool("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]).args(words);
        assert!(git.current_dir(root).env("HOME", root).output().unwrap().status.success());
    };
    // These kustomizations do more than list files.
    fs::write(root.join("config/crd/kustomization.yaml"), "commonAnnotations: {a: b}\nresources: []\n").unwrap();
    fs::write(root.join("config/default/kustomization.yaml"), "namePrefix: web-\nresources: [../crd]\n").unwrap();
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\nspec:\n  \
        group: example.com\n  scope: Namespaced\n  names: {kind: Shop, plural: shops, singular: shop, listKind: ShopList}\n  versions:\n  \
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, \
        properties: {size: {type: integer}}}}}}}\n";
    fs::write(root.join("shops.yaml"), definition).unwrap();
    git(&["init", "-q"]);
    git(&["add", "--all"]);
    git(&["commit", "-q", "-m", "One"]);
    // The version that opctl generated has to be searched for.
    let record = fs::read_to_string(root.join(".opctl/files.yaml")).unwrap();
    let is_of_main = |line: &&str| line.trim_start().starts_with("src/main.rs:");
    let line = record.lines().find(is_of_main).unwrap();
    let main = fs::read_to_string(root.join("src/main.rs")).unwrap();
    fs::write(root.join("src/main.rs"), format!("{main}// Mine.\n")).unwrap();
    let other = format!("{}: {}", line.split(':').next().unwrap(), "0".repeat(64));
    fs::write(root.join(".opctl/files.yaml"), record.replace(line, &other)).unwrap();
}

#[test]
fn each_command_runs_what_the_topic_says() {
    let (with_kind, without) = (machine(WITH_KIND), machine(&["manifests"]));
    prepare(&with_kind.root());
    prepare(&without.root());
    let rows = rows();
    assert_eq!(
        rows.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        TRIED.iter().map(|(name, ..)| *name).collect()
    );
    for (name, lines, later) in TRIED {
        let (runs, stated) = &rows[name];
        let machine = if WITH_A_KIND.contains(&name) { &with_kind } else { &without };
        let seen: BTreeSet<_> = lines.iter().flat_map(|words| ran(machine, words)).collect();
        let programs: BTreeSet<String> = seen.iter().map(|(program, _)| program.clone()).collect();
        let untried: BTreeSet<String> = later.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(&programs | &untried, *stated, "`opctl {name}` ran {seen:?}");
        let compiles = |(program, first): &(String, String)| {
            program == "cargo" && ["build", "check", "run", "rustc", "test"].contains(&first.as_str())
        };
        assert!(!seen.iter().any(compiles) || runs != "nothing", "`opctl {name}` compiles: {seen:?}");
        let is_build = name == "build" || later.contains(&"cargo");
        assert!(
            runs == "nothing" || is_build || seen.iter().any(compiles),
            "`opctl {name}` compiles nothing: {seen:?}"
        );
    }
    // rustc says what is wrong with a file that cannot be read, and no part of the project is compiled.
    fs::write(with_kind.root().join("api/src/lib.rs"), "pub mod {\n").unwrap();
    let seen: BTreeSet<_> = ran(&with_kind, &["manifests"]).into_iter().map(|(program, _)| program).collect();
    assert_eq!(seen, BTreeSet::from(["rustc".to_owned()]));
}

#[test]
fn remote_resources_of_a_kustomization_are_fetched_only_if_allowed() {
    let machine = machine(&["manifests"]);
    let file = machine.root().join("config/manager/kustomization.yaml");
    let before = fs::read_to_string(&file).unwrap();
    let commands: [&[&str]; 4] =
        [&["deploy", "--dry-run"], &["undeploy", "--dry-run"], &["build-installer"], &["bundle", "--version", "0.1.0"]];
    for entry in ["https://example.com/evil.yaml", "github.com/example/evil//config?ref=v1", "git@example.com:evil.git"]
    {
        fs::write(&file, before.replace("resources:\n", &format!("resources:\n- {entry}\n"))).unwrap();
        for words in commands {
            let words = if words[0] == "undeploy" { words.to_vec() } else { [words, &["--image", "web:1"]].concat() };
            let told = format!("`{entry}` in `");
            machine.fails(&words, 1, &told);
            assert_eq!(ran(&machine, &words), BTreeSet::new(), "{words:?}");
            let allowed = ran(&machine, &[&words[..], &["--allow-remote"]].concat());
            assert!(allowed.contains(&("kubectl".to_owned(), "kustomize".to_owned())), "{words:?}: {allowed:?}");
        }
        let crd = machine.root().join("config/crd/kustomization.yaml");
        let listed = fs::read_to_string(&crd).unwrap();
        fs::write(&crd, format!("resources:\n- {entry}\n")).unwrap();
        for words in [&["install", "--dry-run"][..], &["uninstall", "--dry-run"], &["doctor"]] {
            let seen = ran(&machine, words);
            assert!(!seen.contains(&("kubectl".to_owned(), "kustomize".to_owned())), "{words:?}: {seen:?}");
        }
        fs::write(&crd, listed).unwrap();
    }
}

#[test]
fn tab_runs_nothing() {
    let machine = machine(WITH_KIND);
    for words in [&["create", "api", "--kind", ""][..], &["install", "--context", ""], &["explore", "--replay", ""]] {
        let log = machine.root().join("../ran");
        let mut command = machine.command(&[&["--", "opctl"], words].concat());
        command.env("OPCTL_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
        command.env("_CLAP_COMPLETE_COMP_TYPE", "9").output().unwrap();
        assert!(!log.exists(), "{words:?}: {}", fs::read_to_string(log).unwrap_or_default());
    }
    let place = Place::new();
    assert!(text(&place.run(&["help", "safety"]).stdout).contains("somebody else's text"));
}
