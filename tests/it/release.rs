//! The scripts of the release workflow, run as GitHub runs them: the archives must be where `cargo binstall` looks for
//! them.

use crate::support::{lay, must, temporary, text, tool};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the script of a workflow step.
fn script(job: &str, step: &str) -> String {
    let workflow = fs::read_to_string(Path::new(ROOT).join(".github/workflows/release.yaml")).unwrap();
    let workflow: Value = serde_yaml::from_str(&workflow).unwrap();
    let steps = workflow["jobs"][job]["steps"].as_array().unwrap();
    let found = steps.iter().find(|found| found["name"] == step);
    found.unwrap_or_else(|| panic!("no step `{step}` in `{job}`"))["run"].as_str().unwrap().to_owned()
}

fn copied(files: &[&str], folder: &Path) {
    for file in files {
        fs::copy(Path::new(ROOT).join(file), folder.join(file)).unwrap();
    }
}

/// Runs a script as GitHub does (<https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax>).
fn run(folder: &Path, script: &str) {
    assert!(!script.contains("${{"), "{script}");
    must(
        tool("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
            .current_dir(folder)
            // A debug build is large, and nobody downloads the archive.
            .env("GZIP", "-1")
            .env("GITHUB_SERVER_URL", "https://git.example.com")
            .env("GITHUB_REPOSITORY", "team/opctl")
            .env("GITHUB_REF_NAME", format!("v{VERSION}")),
    );
}

/// Runs a program that must succeed. Returns its stdout.
fn said(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = must(tool(program).args(arguments).current_dir(folder));
    text(&output.stdout).trim().to_owned()
}

/// Fills in a template of `[package.metadata.binstall]`
/// (<https://github.com/cargo-bins/cargo-binstall/blob/main/SUPPORT.md>).
fn resolved(template: &Value, repository: &str, target: &str, suffix: &str) -> String {
    let values = [
        ("{ repo }", repository),
        ("{ version }", VERSION),
        ("{ target }", target),
        ("{ bin }", "opctl"),
        ("{ binary-ext }", suffix),
    ];
    let resolved =
        values.iter().fold(template.as_str().unwrap().to_owned(), |all, (name, value)| all.replace(name, value));
    assert!(!resolved.contains('{'), "{resolved}");
    resolved
}

#[test]
fn binstall_finds_the_archives() {
    let metadata = said(Path::new(ROOT), "cargo", &["metadata", "--no-deps", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let opctl = packages.iter().find(|package| package["name"] == "opctl").unwrap();
    let binstall = &opctl["metadata"]["binstall"];
    for (target, suffix) in [("x86_64-unknown-linux-gnu", ""), ("aarch64-pc-windows-msvc", ".exe")] {
        let folder = temporary();
        let built = folder.path().join("target").join(target).join("dist");
        fs::create_dir_all(&built).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_opctl"), built.join(format!("opctl{suffix}"))).unwrap();
        copied(&["LICENSE", "README.md", "CHANGELOG.md"], folder.path());
        // A step before writes it.
        fs::write(folder.path().join("opctl.cdx.json"), "{}").unwrap();
        let archive = script("build", "archive")
            .replace("${{ matrix.target }}", target)
            .replace("${{ runner.os == 'Windows' && '.exe' || '' }}", suffix);
        run(folder.path(), &archive);

        let address = resolved(&binstall["pkg-url"], "https://git.example.com/team/opctl", target, suffix);
        let name = address.strip_prefix(&format!("https://git.example.com/team/opctl/releases/download/v{VERSION}/"));
        let name = name.unwrap_or_else(|| panic!("{address}"));
        let inside = said(folder.path(), "tar", &["-tzf", name]);
        let binary = resolved(&binstall["bin-dir"], "", target, suffix);
        assert!(inside.lines().any(|line| line == binary), "no {binary} in\n{inside}");
        for part in
            ["LICENSE", "opctl.cdx.json", "share/man/man1/opctl-init.1", "share/bash-completion/completions/opctl"]
        {
            assert!(inside.lines().any(|line| line.ends_with(part)), "no {part} in\n{inside}");
        }
        said(folder.path(), "sha256sum", &["--check", "--strict", &format!("{name}.sha256")]);
        assert!(folder.path().join(name.replace(".tar.gz", ".cdx.json")).is_file(), "{name}");
    }
}

/// Checks that the bill of materials names each crate that a release archive is made from, but names no crates that are
/// needed only by tests or only on other systems. Crates of unused features may be named.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_bill_of_materials_names_each_crate() {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let folder = temporary();
    let checkout = folder.path().join("opctl");
    said(folder.path(), "git", &["clone", "--quiet", ROOT, checkout.to_str().unwrap()]);
    said(&checkout, ".ci/sbom", &[TARGET]);
    let bill: Value = serde_json::from_str(&fs::read_to_string(checkout.join("opctl.cdx.json")).unwrap()).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["metadata"]["component"]["name"]), (&"CycloneDX".into(), &"opctl".into()));
    let components = bill["components"].as_array().unwrap();
    for component in components {
        assert_eq!(component["hashes"][0]["alg"], "SHA-256", "{component:#}");
        assert!(component["licenses"][0]["expression"].is_string(), "{component:#}");
    }
    let shown = |component: &Value| format!("{} v{}", component["name"], component["version"]).replace('"', "");
    let named: BTreeSet<String> = components.iter().map(shown).collect();
    let tree = ["tree", "--locked", "--offline", "--target", TARGET, "--edges", "normal,build", "--prefix", "none"];
    let tree = said(&checkout, "cargo", &[&tree[..], &["--format", "{p}"]].concat());
    // The first line is opctl itself, and a procedural macro has a word behind its version.
    let crates = tree.lines().skip(1).filter(|line| !line.is_empty());
    let crates: BTreeSet<String> = crates.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert!(crates.len() > 200, "{crates:?}");
    let left_out: Vec<&String> = crates.difference(&named).collect();
    assert_eq!(left_out, [""; 0]);
    assert!(!named.iter().any(|name| name.starts_with("proptest ") || name.starts_with("windows-sys ")), "{named:?}");
}

#[test]
fn the_published_package_says_where_its_archives_are() {
    let folder = temporary();
    for part in ["src", "templates"] {
        lay(&Path::new(ROOT).join(part), &folder.path().join(part));
    }
    copied(&["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "CHANGELOG.md"], folder.path());
    said(folder.path(), "git", &["init", "--quiet"]);
    said(folder.path(), "git", &["add", "."]);
    said(folder.path(), "git", &["commit", "--quiet", "--message", "A release"]);
    run(folder.path(), &script("publish", "address"));

    let target = folder.path().join("target");
    let target = ["--target-dir", target.to_str().unwrap()];
    said(folder.path(), "cargo", &[&["package", "--locked", "--offline", "--no-verify"], &target[..]].concat());
    let inside = |file: &str| {
        let package = format!("target/package/opctl-{VERSION}.crate");
        said(folder.path(), "tar", &["-xzOf", &package, &format!("opctl-{VERSION}/{file}")])
    };
    let address = "repository = \"https://git.example.com/team/opctl\"";
    assert!(inside("Cargo.toml").lines().any(|line| line == address), "{}", inside("Cargo.toml"));
    let commit = said(folder.path(), "git", &["rev-parse", "HEAD"]);
    let origin: Value = serde_json::from_str(&inside(".cargo_vcs_info.json")).unwrap();
    assert_eq!(origin["git"], serde_json::json!({ "sha1": commit }), "the package has changes that are not committed");
}
