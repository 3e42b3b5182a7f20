//! `opctl adopt` on existing operators, with types in a library or in a program.

mod packages;
mod refused;

use crate::book::{commands, shell_words};
use crate::support::{Plane, lay, must, opctl, target_folder, temporary, tree};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Copies an operator below `testdata` into a temporary folder.
fn operator(name: &str) -> (TempDir, PathBuf) {
    let folder = temporary();
    let root = folder.path().join("operator");
    fs::create_dir(&root).unwrap();
    lay(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name), &root);
    (folder, root)
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    command(root, arguments).output().unwrap()
}

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = opctl(arguments);
    command.current_dir(root).env("CARGO_TARGET_DIR", target_folder());
    command
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[track_caller]
fn ok(root: &Path, arguments: &[&str]) -> String {
    let output = run(root, arguments);
    assert!(output.status.success(), "opctl {arguments:?}\n{}", said(&output));
    said(&output)
}

#[track_caller]
fn fails(root: &Path, arguments: &[&str], code: i32, text: &str) -> String {
    let output = run(root, arguments);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "opctl {arguments:?}\n{said}");
    assert!(said.contains(text), "it does not say `{text}`:\n{said}");
    said
}

fn read(root: &Path, file: &str) -> String {
    fs::read_to_string(root.join(file)).unwrap()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn an_operator_with_a_library_is_adopted_and_lives() {
    let (_folder, root) = operator("adopted");
    let before = tree(&root);
    // The commands of the tutorial, one after the other.
    let chapter = commands("tutorials/adopt");
    let mut chapter = chapter.iter().map(|line| shell_words(line));
    let mut next = |word: &str| {
        let words = chapter.next().unwrap();
        assert_eq!(words[..2], ["opctl", word]);
        ok(&root, &words[1..].iter().map(String::as_str).collect::<Vec<_>>())
    };
    next("adopt");
    assert_eq!(tree(&root), before, "the first is a dry run");
    let said = next("adopt");
    assert!(said.contains("warning: there is no `Dockerfile`, which `opctl build` builds"), "{said}");
    let after = tree(&root);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)), "a file of the operator has changed");
    the_adopted_files_describe_the_operator(&root);

    next("manifests");
    let definition = read(&root, "config/crd/bases/docs.example.com_documents.yaml");
    assert!(definition.contains("\n    plural: documents\n"), "{definition}");
    next("manifests");
    let whole = tree(&root);
    for again in ["adopt", "update"] {
        ok(&root, &[again]);
        assert_eq!(tree(&root), whole, "{again}");
    }

    // `opctl test` runs the operator's own test, which is ignored for another reason, and `opctl explore` plans faults
    // for the operator's writes.
    let tested = next("test");
    assert!(tested.contains("the_server_takes_a_document ... ok"), "{tested}");
    let plans = next("explore");
    assert!(plans.contains("refuse:patch:configmaps/shown#1@create"), "{plans}");
    assert_eq!(chapter.next(), None, "the tutorial has a command that is not played");

    agents_page_works(&root);
    let control_plane = Plane::start();
    let target = ["--kubeconfig", control_plane.kubeconfig.to_str().unwrap()];
    current_definitions_are_installed_and_stale_ones_are_not(&root, &target);
    let image = "registry.example.com/documents:1";
    ok(&root, &["build-installer", "--image", image]);
    let deployed = ok(&root, &["deploy", "--image", image, "--dry-run", target[0], target[1]]);
    assert!(deployed.contains("create deployment/controller-operator-controller-manager"), "{deployed}");
    commands_that_need_a_generated_project_are_refused(&root);
}

/// Checks `PROJECT`, the sample and the role that `opctl adopt` wrote.
fn the_adopted_files_describe_the_operator(root: &Path) {
    let project: Value = serde_yaml::from_str(&read(root, "PROJECT")).unwrap();
    let ours = &project["plugins"]["rust.opctl.dev/v1"];
    assert_eq!(ours["adopted"]["types"]["package"], ".");
    assert_eq!(ours["adopted"]["operator"]["program"], "controller");
    assert_eq!(project["domain"], "docs.example.com");
    assert_eq!(project["resources"][0]["kind"], "Document");
    assert_eq!(project["resources"][0]["controller"], true, "its file names the type without a path");
    let sample = read(root, "config/samples/docs_v1_document.yaml");
    assert!(sample.starts_with("# Two documents") && sample.contains("name: shown\n"), "{sample}");
    let role = read(root, "config/rbac/operator_role.yaml");
    for resource in ["- configmaps\n", "- documents/status\n", "- events\n"] {
        assert!(role.contains(resource), "{role}");
    }
}

/// Checks that `opctl install` refuses CRDs that are older than a change of the types, and installs the CRDs once the
/// change has been undone.
fn current_definitions_are_installed_and_stale_ones_are_not(root: &Path, target: &[&str]) {
    let install = [&["install"][..], target].concat();
    let code = root.join("src/controller.rs");
    let text = fs::read_to_string(&code).unwrap();
    fs::write(&code, text.replace("pub title: String,", "pub title: String,\n    pub author: Option<String>,"))
        .unwrap();
    fails(root, &install, 3, "the manifests are stale: `src/controller.rs` has changed since the CRDs were generated");
    fs::write(&code, text).unwrap();
    ok(root, &install);
}

fn commands_that_need_a_generated_project_are_refused(root: &Path) {
    for (line, text) in [
        (
            "create api --kind A",
            "this operator was adopted, and `create api` works only in projects created by `opctl init`",
        ),
        ("delete api --kind Document", "this operator was adopted, and `delete api` works"),
        ("edit --enable grafana", "this operator was adopted, and `edit` works"),
    ] {
        fails(root, &line.split(' ').collect::<Vec<_>>(), 1, text);
    }
}

/// Runs every command of AGENTS.md.
fn agents_page_works(root: &Path) {
    let page = read(root, "AGENTS.md");
    let block = page.split("```").nth(1).unwrap();
    let lines: Vec<&str> = block.lines().skip(1).map(|line| line.split(" # ").next().unwrap().trim()).collect();
    assert_eq!(lines.len(), 4, "{page}");
    for line in lines {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["opctl", ref arguments @ ..] => drop(ok(root, arguments)),
            ["cargo", ref arguments @ ..] => drop(must(&mut crate::support::cargo_in(root, arguments))),
            _ => panic!("`{line}` starts neither opctl nor cargo"),
        }
    }
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn an_operator_with_types_in_its_program_is_adopted() {
    let (_folder, root) = operator("explore");
    // The other operators of the package have kinds of their own.
    fs::remove_dir_all(root.join("src/bin")).unwrap();
    ok(&root, &["adopt"]);
    let project: Value = serde_yaml::from_str(&read(&root, "PROJECT")).unwrap();
    assert_eq!(project["plugins"]["rust.opctl.dev/v1"]["adopted"]["types"]["program"], "src/main.rs");
    // A type of another project's kind, which has no schema here.
    let (types, disk) = (
        root.join("src/types.rs"),
        "#[kube(group = \"other.dev\", version = \"v1\", kind = \"Disk\", schema = \"disabled\")]",
    );
    let derive = "#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize)]";
    let text = format!("{}\n{derive}\n{disk}\npub struct DiskSpec {{}}\n", read(&root, "src/types.rs"));
    fs::write(&types, text).unwrap();
    let compiled = ok(&root, &["manifests"]);
    assert!(compiled.contains("create config/crd/bases/example.com_shops.yaml"), "{compiled}");
    assert_eq!(fs::read_dir(root.join("config/crd/bases")).unwrap().count(), 1);
    let definition = |file: &str| -> Value { serde_yaml::from_str(&read(&root, file)).unwrap() };
    let made = definition("config/crd/bases/example.com_shops.yaml");
    let known = definition("crds/shops.yaml");
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    assert_eq!(made.pointer(spec).map(names), known.pointer(spec).map(names));
    assert!(ok(&root, &["manifests", "--check", "-v"]).contains("nothing is compiled"));
    // Compiler errors name the file of the user.
    fs::write(&types, read(&root, "src/types.rs").replace("replicas: i32", "replicas: Nothing")).unwrap();
    fails(&root, &["manifests"], 1, "src/types.rs:");
}

fn names(properties: &Value) -> Vec<String> {
    properties.as_object().unwrap().keys().cloned().collect()
}

const KIND: &str = "#[derive(kube::CustomResource)]\n#[kube(group = \"GROUP\", version = \"v1\", kind = \"NAME\")]\n\
                    pub struct NAMESpec {}\n";

fn kind(name: &str, group: &str) -> String {
    KIND.replace("NAME", name).replace("GROUP", group)
}

/// Makes a folder with these files. If the text of a `Cargo.toml` is only a package name, writes a minimal manifest
/// of this package.
fn workspace(files: &[(&str, &str)]) -> TempDir {
    let folder = temporary();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let package = format!("[package]\nname = \"{text}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        let is_name = path.ends_with("Cargo.toml") && !text.contains('[');
        fs::write(path, if is_name { package.as_str() } else { text }).unwrap();
    }
    folder
}

const WORKSPACE: (&str, &str) = ("Cargo.toml", "[workspace]\nmembers = [\"one\"]\nresolver = \"3\"\n");
const MAIN: &str = "fn main() {}\n";

#[test]
fn a_workspace_is_adopted_at_its_root_and_only_once_made() {
    let shop = kind("Shop", "example.com");
    let files = [WORKSPACE, ("one/Cargo.toml", "one"), ("one/src/lib.rs", &shop), ("one/src/main.rs", MAIN)];
    let folder = workspace(&files);
    fails(&folder.path().join("one"), &["adopt"], 1, "` belongs to the cargo workspace `");
    let said = ok(folder.path(), &["adopt"]);
    for name in ["kube", "schemars", "k8s-openapi"] {
        assert!(said.contains(&format!("cargo add --package one {name}")), "{said}");
    }
    assert!(said.contains("write config/samples/example_v1_shop.yaml"), "{said}");

    // Adopt again, with another kind in another group, with a sample, and with a user's edit in a file that opctl
    // generated.
    fs::write(folder.path().join("one/src/lib.rs"), format!("{shop}{}", kind("Disk", "other.dev"))).unwrap();
    fs::write(folder.path().join("shop.yaml"), "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\n")
        .unwrap();
    let manager = folder.path().join("config/manager/manager.yaml");
    let text = fs::read_to_string(&manager).unwrap().replace("replicas: 1", "replicas: 2");
    fs::write(&manager, &text).unwrap();
    let said = ok(folder.path(), &["adopt"]);
    assert!(said.contains("`Disk` is in the group `other.dev`, which does not end in `example.com`"), "{said}");
    assert_eq!(fs::read_to_string(&manager).unwrap(), text);
    assert!(read(folder.path(), "config/samples/kustomization.yaml").contains("- example_v1_shop.yaml\n"));

    let made = temporary();
    must(opctl(&["init", "web", "--domain", "example.com"]).current_dir(made.path()));
    let root = made.path().join("web");
    fs::write(root.join("api/src/lib.rs"), &shop).unwrap();
    fails(&root, &["adopt"], 3, "`web` is already a project of `opctl init`");
}

#[test]
fn types_alone_are_adopted() {
    let shop = format!("#[cfg(feature = \"crd\")]\n{}", kind("Shop", "example.com"));
    let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\ncrd = []\n";
    let folder = workspace(&[("Cargo.toml", manifest), ("src/lib.rs", &shop)]);
    fails(folder.path(), &["adopt"], 1, "the workspace defines no custom resource");
    let said = ok(folder.path(), &["adopt", "--features", "crd"]);
    assert!(said.contains("the workspace has types, and no program"), "{said}");
    let project: Value = serde_yaml::from_str(&read(folder.path(), "PROJECT")).unwrap();
    let adopted = &project["plugins"]["rust.opctl.dev/v1"]["adopted"];
    assert_eq!(adopted, &serde_json::json!({"types": {"package": ".", "features": ["crd"]}}));
}

#[test]
fn adopting_again_finds_the_same_places() {
    let shop = format!("#[cfg(feature = \"crd\")]\n{}", kind("Shop", "example.com"));
    let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\ncrd = []\n";
    let disk = kind("Disk", "other.dev");
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"3\"\n"),
        ("one/Cargo.toml", manifest),
        ("one/src/lib.rs", &shop),
        ("one/src/bin/a.rs", MAIN),
        ("one/src/bin/b.rs", MAIN),
        ("two/Cargo.toml", "two"),
        ("two/src/lib.rs", &disk),
    ];
    let folder = workspace(&files);
    ok(folder.path(), &["adopt", "--package", "one", "--features", "crd", "--bin", "b"]);
    let before = tree(folder.path());
    let said = ok(folder.path(), &["adopt"]);
    assert!(said.contains("nothing to do"), "{said}");
    assert_eq!(tree(folder.path()), before);

    // The kind is replaced by one with another name.
    let disk = kind("Disk", "example.com");
    fs::write(folder.path().join("one/src/lib.rs"), &disk).unwrap();
    let said = ok(folder.path(), &["adopt"]);
    assert!(said.contains("the type of `v1, kind Shop` no longer exists"), "{said}");
    let project: Value = serde_yaml::from_str(&read(folder.path(), "PROJECT")).unwrap();
    let kinds: Vec<&Value> = project["resources"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["Disk"]);
    // The types have moved to the other package.
    fs::write(folder.path().join("one/src/lib.rs"), "").unwrap();
    fs::write(folder.path().join("two/src/lib.rs"), &disk).unwrap();
    ok(folder.path(), &["adopt"]);
    let project: Value = serde_yaml::from_str(&read(folder.path(), "PROJECT")).unwrap();
    let types = &project["plugins"]["rust.opctl.dev/v1"]["adopted"]["types"];
    assert_eq!(types, &serde_json::json!({ "package": "two" }));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_in_search_of_samples() {
    let shop = kind("Shop", "example.com");
    let files = [("Cargo.toml", "one"), ("src/lib.rs", shop.as_str()), ("src/main.rs", MAIN)];
    let (folder, elsewhere) = (workspace(&files), temporary());
    fs::write(elsewhere.path().join("a.yaml"), "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\n")
        .unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("result")).unwrap();
    let said = ok(folder.path(), &["adopt"]);
    assert!(said.contains("no YAML file here contains a `Shop`"), "{said}");
}

#[test]
fn a_file_that_is_there_stays() {
    let shop = kind("Shop", "example.com");
    let kustomization = ("config/default/kustomization.yaml", "resources: []\n");
    let sample = ("config/samples/a.yaml", "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\n");
    let samples = ("config/samples/kustomization.yaml", "resources:\n- a.yaml\n");
    let one = [("Cargo.toml", "one"), ("src/lib.rs", shop.as_str()), ("src/main.rs", MAIN)];
    let folder = workspace(&[one.as_slice(), &[kustomization, sample, samples]].concat());
    let said = ok(folder.path(), &["adopt"]);
    assert!(said.contains("skip config/default/kustomization.yaml"), "{said}");
    for (path, text) in [kustomization, sample, samples] {
        assert_eq!(read(folder.path(), path), text);
    }
    // A sample that no kustomization lists yet.
    let folder = workspace(&[one.as_slice(), &[sample]].concat());
    ok(folder.path(), &["adopt"]);
    assert!(read(folder.path(), samples.0).contains("- a.yaml\n"));
    assert_eq!(fs::read_dir(folder.path().join("config/samples")).unwrap().count(), 2);
}

#[test]
fn a_crate_that_takes_the_name_of_the_tools_own_is_refused() {
    let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
                    kube = \"5\"\nschemars = \"1\"\nk8s-openapi = \"0.29\"\nsupport = { path = \"support\" }\n";
    let main = format!("{}{MAIN}", kind("Shop", "example.com"));
    let files: BTreeMap<&str, &str> = BTreeMap::from([
        ("Cargo.toml", manifest),
        ("src/main.rs", &main),
        ("support/Cargo.toml", "support"),
        ("support/src/lib.rs", ""),
    ]);
    let folder = workspace(&files.into_iter().collect::<Vec<_>>());
    ok(folder.path(), &["adopt"]);
    fails(folder.path(), &["manifests"], 1, "the API types are in a binary crate, not in a library crate");
}
