//! Tests of the packages of opctl and of its runtime, which are made as for a release, and which cargo gets from a
//! registry on this machine.

mod registry;

use crate::support::{assert_same, cargo_in, content, keep, must, opctl, temporary, text, tool};
use registry::Registry;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Makes the package of the runtime, and returns its file.
fn runtime(folder: &Path) -> PathBuf {
    let source = folder.join("opctl-runtime");
    must(tool(Path::new(ROOT).join(".ci/runtime-package")).arg(&source));
    // The versions that projects are tested with.
    fs::copy(Path::new(ROOT).join("templates/project/Cargo.lock.tera"), source.join("Cargo.lock")).unwrap();
    let package = ["package", "--offline", "--no-verify", "--allow-dirty", "--target-dir"];
    must(tool(env!("CARGO")).args(package).arg(folder.join("target")).current_dir(&source));
    folder.join(format!("target/package/opctl-runtime-{VERSION}.crate"))
}

/// Makes the package of opctl, and returns its file.
fn program(folder: &Path) -> PathBuf {
    let package = ["package", "--offline", "--no-verify", "--allow-dirty", "--locked", "--target-dir"];
    must(tool(env!("CARGO")).args(package).arg(folder.join("target")).current_dir(ROOT));
    folder.join(format!("target/package/opctl-{VERSION}.crate"))
}

/// Makes a project with a controller and webhooks. The project gets the crate `runtime` from `registry`.
fn project(registry: &Registry) -> PathBuf {
    let fresh = temporary();
    let run = |arguments: &[&str]| drop(must(opctl(arguments).current_dir(fresh.path())));
    run(&["init", "--domain", "example.com", "--name", "registry-operator", "--runtime", "registry"]);
    run(&["create", "api", "--kind", "WebServer", "--image", "nginx:1", "--port", "80"]);
    run(&["create", "webhook", "--kind", "WebServer", "--defaulting", "--validation"]);
    registry.configure(fresh.path());
    keep("published/registry-operator", fresh.path())
}

#[test]
fn a_project_uses_the_runtime_of_a_registry_and_moves_between_the_two() {
    let folder = temporary();
    let registry = Registry::new("runtime", &["templates/project/Cargo.lock.tera"]);
    registry.release(&runtime(folder.path()));
    let root = project(&registry);
    let cargo_in = |arguments: &[&str]| {
        let mut cargo = cargo_in(&root, arguments);
        cargo.envs(registry.environment());
        cargo
    };
    assert!(!root.join("runtime").exists());
    let lock = || fs::read_to_string(root.join("Cargo.lock")).unwrap();
    let before = lock();
    // cargo adds the runtime to the lock, with its checksum, and changes no other version in it.
    must(&mut cargo_in(&["check", "--offline", "--all-targets"]));
    let after = lock();
    assert!(!before.contains("\"opctl-runtime\"") && after.contains("name = \"opctl-runtime\"\n"), "{after}");
    let packages = |lock: &str| lock.lines().filter(|line| line.starts_with("checksum = ")).count();
    assert_eq!(packages(&after), packages(&before) + 1);
    must(&mut cargo_in(&["check", "--offline", "--locked", "--all-targets"]));
    must(opctl(&["manifests"]).current_dir(&root).envs(registry.environment()));

    let update = |runtime: &str| {
        let output = must(opctl(&["update", "--runtime", runtime]).current_dir(&root));
        text(&output.stderr)
    };
    let with_registry = content(&root);
    update("vendored");
    assert!(root.join("runtime/src/lib.rs").is_file());
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("runtime = { path = \"runtime\", features = [\"webhooks\"] }"), "{manifest}");
    let project = fs::read_to_string(root.join("PROJECT")).unwrap();
    assert!(!project.contains("runtime:"), "{project}");
    must(&mut cargo_in(&["check", "--offline"]));
    update("registry");
    let mut again = content(&root);
    again.retain(|path, _| path != "Cargo.lock");
    let mut expected = with_registry;
    expected.retain(|path, _| path != "Cargo.lock");
    assert_same(&expected, &again, "there and back");
    must(&mut cargo_in(&["check", "--offline"]));

    // A line of the user's in the runtime is not lost.
    update("vendored");
    let edited = root.join("runtime/src/action.rs");
    fs::write(&edited, fs::read_to_string(&edited).unwrap() + "// Mine.\n").unwrap();
    let refused = opctl(&["update", "--runtime", "registry"]).current_dir(&root).output().unwrap();
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("runtime/src/action.rs") && edited.is_file(), "{said}");
}

#[test]
fn an_adopted_operator_has_no_runtime_to_move() {
    let place = crate::support::Place::new();
    let text = "cliVersion: 0.1.0\ndomain: example.com\nlayout:\n- rust.opctl.dev/v1\nplugins:\n  rust.opctl.dev/v1:\n    adopted:\n      \
                types:\n        package: .\nprojectName: web\nversion: \"3\"\n";
    fs::write(place.root().join("PROJECT"), text).unwrap();
    let output = place.run(&["update", "--runtime", "registry"]);
    let said = self::text(&output.stderr);
    assert!(said.contains("error: this operator was adopted, and does not use the opctl runtime"), "{said}");
}

/// `cargo install` builds opctl from its package, which contains everything that the build needs.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn opctl_is_installed_from_a_registry() {
    let folder = temporary();
    let registry = Registry::new("opctl", &["Cargo.lock"]);
    registry.release(&program(folder.path()));
    registry.configure(folder.path());
    let mut cargo = tool(env!("CARGO"));
    let version = format!("opctl@{VERSION}");
    cargo
        .args(["install", "--offline", "--locked", "--debug", "--root"])
        .arg(folder.path().join("installed"))
        // `cargo install` reads no configuration of the folder that it runs in.
        .arg("--config")
        .arg(folder.path().join(".cargo/config.toml"))
        .arg(version);
    must(cargo.current_dir(folder.path()).envs(registry.environment()));
    let said = must(tool(folder.path().join("installed/bin/opctl")).args(["version", "-o", "json"]));
    assert!(text(&said.stdout).contains(&format!("\"opctl\": \"{VERSION}\"")), "{}", text(&said.stdout));
}
