//! Tests of `opctl build --local`, which builds images without a container tool.

use crate::support::{Machine, go_program, keep, must, opctl, program, project, temporary, text, tool, with_network};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

/// The process of a container registry for tests, made from another project's code (go-containerregistry).
struct Registry {
    process: Child,
    host: String,
}

impl Registry {
    fn serve(program: &Path) -> Self {
        let mut process = tool(program).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Registry { process, host: line.trim().to_owned() }
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Two builds of a project give the same image, which a container registry accepts. The test compiles all crates.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn an_image_is_the_same_again_and_a_registry_takes_it() {
    let root = keep("local-image/shop-operator", &project("shop-operator"));
    let folder = temporary();
    let build = |flags: &[&str]| {
        let mut build = opctl(&["build", "--image", "localhost/shop:1", "--local", "--profile", "dev"]);
        must(with_network(build.args(flags)).current_dir(&root))
    };
    let archives = ["one.tar", "two.tar"].map(|name| {
        let path = folder.path().join(name);
        build(&["--archive", path.to_str().unwrap()]);
        fs::read(path).unwrap()
    });
    assert!(archives[0] == archives[1], "a second build makes another image");

    // The archive is a layout, and its program runs where there is nothing else.
    let (layout, bare) = (folder.path().join("layout"), folder.path().join("bare"));
    for path in [&layout, &bare] {
        fs::create_dir(path).unwrap();
    }
    must(tool("tar").arg("-xf").arg(folder.path().join("one.tar")).arg("-C").arg(&layout));
    let saved: serde_json::Value = serde_json::from_slice(&fs::read(layout.join("manifest.json")).unwrap()).unwrap();
    let layer = layout.join(saved[0]["Layers"][0].as_str().unwrap());
    must(tool("tar").arg("-xzf").arg(layer).arg("-C").arg(&bare));
    let help = must(tool("chroot").arg(&bare).args(["/manager", "--help"]));
    assert!(text(&help.stdout).contains("--leader-elect"), "{}", text(&help.stdout));
    let bill: serde_json::Value = serde_json::from_slice(&fs::read(bare.join("manager.cdx.json")).unwrap()).unwrap();
    let components = bill["components"].as_array().unwrap();
    let names: Vec<_> = components.iter().filter_map(|component| component["name"].as_str()).collect();
    assert!(names.contains(&"kube") && names.contains(&"runtime") && !names.contains(&"shop-operator"), "{names:?}");

    let others = go_program("registry", ".");
    let registry = Registry::serve(&others);
    let image = format!("{}/team/shop:1", registry.host);
    let push = |flags: &[&str]| {
        let words = ["build", "--image", &image, "--local", "--profile", "dev", "--push"];
        let output = must(with_network(opctl(&words).args(flags)).current_dir(&root));
        let said = text(&output.stderr);
        let digest = must(tool(&others).arg(&image));
        assert!(said.contains(text(&digest.stdout).trim()), "{said}");
        said.matches("Pushing").count()
    };
    assert_eq!(push(&[]), 2, "a layer and a configuration");
    assert_eq!(push(&[]), 0, "the registry has both");
    // The base has one layer, which the registry has.
    assert_eq!(push(&["--base", layout.to_str().unwrap()]), 2);
}

#[test]
fn local_builds_that_cannot_succeed_are_refused_before_compilation() {
    let machine = Machine::new(&[]);
    machine.program("cargo", "echo compiled >&2; exit 101");
    machine.program("rustc", "exit 1");
    let refused = |words: &[&str], code, told: &str| {
        machine.fails(&[&["build", "--image", "web:1"], words].concat(), code, told);
    };
    refused(&["--local"], 2, "an image that is built without a container tool needs a destination");
    refused(&["--local", "--tool", "docker", "--push"], 2, "cannot be used with");
    refused(&["--base", "layout"], 2, "the following required arguments were not provided");
    refused(
        &["--local", "--push", "--platform", "linux/riscv64"],
        2,
        "`linux/riscv64` is not a platform that `--local`",
    );
    refused(&["--local", "--push", "--platform", "linux"], 2, "`linux` is not a platform");
    let both = ["--local", "--archive", "a.tar", "--platform", "linux/amd64,linux/arm64"];
    refused(&both, 2, "an image for several platforms must be pushed to a registry");
    refused(&["--local", "--push"], 4, "the Rust compiler has no target for `linux/");

    let folder = machine.root().join("..");
    machine.program("rustc", &format!("echo '{}'", folder.display()));
    refused(&["--local", "--load", "kind"], 4, "`kind` is not installed, or not on PATH");
    refused(&["--local", "--archive", "missing/a.tar"], 4, "cannot write `./missing/a.tar`");
    fs::create_dir(machine.root().join("layout")).unwrap();
    let base = ["--local", "--archive", "a.tar", "--base", "layout"];
    refused(&base, 1, "`./layout` is not the OCI layout of a base image");
    refused(&["--local", "--archive", "a.tar"], 1, "the operator does not compile");
    assert!(!machine.root().join("a.tar").exists());

    // cargo says that it has built something that is no program for Linux.
    let built = program(&folder, "built", "exit 0");
    let line = format!(r#"{{"executable": "{}"}}"#, built.display());
    machine.program("cargo", &format!("case $1 in build) echo '{line}';; *) exit 101;; esac"));
    refused(&["--local", "--archive", "a.tar"], 1, "is not a program for the platform `linux/");
}
