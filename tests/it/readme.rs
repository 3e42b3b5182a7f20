//! README: its length, and the commands in its section "To the cluster", run line by line. `.ci/readme` executes
//! the `sh` blocks of README.

use crate::support::{Plane, lay, must, program, project, temporary, text, tool, variable};
use std::fs;
use std::path::Path;

/// The maximum number of words in README. About half of the words are in tables and code blocks.
const WORDS: usize = 900;
/// The maximum number of columns and of lines in a code block, so that a block fits on the screen.
const BLOCK: [usize; 2] = [100, 25];

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Returns the blocks of README, each with its language.
fn blocks() -> Vec<(String, Vec<String>)> {
    let readme = readme();
    let odd = readme.split("```").skip(1).step_by(2);
    odd.map(|block| {
        let mut lines = block.lines().map(str::to_owned);
        (lines.next().unwrap(), lines.collect())
    })
    .collect()
}

/// Returns the lines of the block below `heading`.
fn block(heading: &str) -> Vec<String> {
    let readme = readme();
    let (_, below) = readme.split_once(&format!("## {heading}\n\n```text\n")).unwrap();
    below.split_once("```").unwrap().0.lines().map(str::to_owned).collect()
}

#[test]
fn readme_is_short() {
    let words = readme().split_whitespace().count();
    assert!(words <= WORDS, "{words} words");
    for (_, lines) in blocks() {
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(width <= BLOCK[0] && lines.len() <= BLOCK[1], "{width} columns:\n{}", lines.join("\n"));
    }
}

#[test]
fn the_changelog_describes_the_first_release_in_sixty_lines() {
    let changelog = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md")).unwrap();
    let is_released = changelog.contains("\n## [0.");
    assert!(is_released || changelog.lines().count() <= 60, "{} lines", changelog.lines().count());
}

#[test]
fn readme_shows_what_opctl_writes() {
    let controller = fs::read_to_string(project("shop-operator").join("src/controller/web_server.rs")).unwrap();
    let (_, lines) = blocks().into_iter().find(|(language, _)| language == "rust").unwrap();
    for line in lines.iter().filter(|line| !line.is_empty()) {
        assert!(controller.lines().any(|written| written == line), "{line}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in readme().split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()) {
        assert!(target.starts_with("https://") || target.starts_with('#') || folder.join(&target).exists(), "{target}");
    }
}

#[test]
fn the_way_to_the_cluster_is_gone_as_it_is_written() {
    let lines = block("To the cluster");
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    let plane = Plane::simulated();

    // A fake container engine, which writes down its arguments. The nodes are simulated and run any image.
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).unwrap();
    program(&tools, "docker", "echo \"docker $*\" >> ../docker.log");
    let opctl = Path::new(env!("CARGO_BIN_EXE_opctl")).parent().unwrap().to_owned();
    let machine = variable("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools, opctl].into_iter().chain(std::env::split_paths(&machine))).unwrap();
    let shell = |line: &str| {
        let mut shell = tool("bash");
        shell.args(["-ec", line]).current_dir(&root).env("PATH", &path).env("KUBECONFIG", &plane.kubeconfig);
        text(&must(&mut shell).stdout)
    };

    let image = "registry.example.com/webserver-operator:0.1.0";
    let get = "kubectl get deployments --all-namespaces --output=jsonpath='{.items[*].spec.template.spec.containers[0].image}'";
    for line in &lines {
        shell(line);
        if line.starts_with("opctl deploy") {
            assert_eq!(shell(get), image);
        }
    }
    assert_eq!(shell(get), "", "undeploy is the last of {lines:#?}");
    let asked = fs::read_to_string(folder.path().join("docker.log")).unwrap();
    assert_eq!(
        asked,
        format!("docker info\ndocker buildx version\ndocker build --tag {image} .\ndocker push {image}\n")
    );
    let kustomization = fs::read_to_string(root.join("config/default/kustomization.yaml")).unwrap();
    for part in ["../prometheus", "../network-policy"] {
        assert!(kustomization.contains(&format!("\n- {part}\n")), "{kustomization}");
    }
    for file in ["install.yaml", "chart/Chart.yaml"] {
        assert!(root.join("dist").join(file).is_file(), "{file}");
    }
}
