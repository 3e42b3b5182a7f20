//! The examples in the topics of `opctl help` work as they are written there.

use crate::support::{Place, text};
use std::path::Path;

#[test]
fn the_markers_of_the_topic_make_a_role_and_a_webhook() {
    let topic = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/help/markers.md");
    let topic = std::fs::read_to_string(topic).unwrap();
    let markers: Vec<&str> =
        topic.lines().filter(|line| line.starts_with("// +opctl:") && !line.contains("allow")).collect();
    assert_eq!(markers.len(), 5, "{markers:#?}");
    let place = Place::with_project();
    std::fs::write(place.root().join("src/documented.rs"), markers.join("\n") + "\n").unwrap();
    let main = place.root().join("src/main.rs");
    let before = std::fs::read_to_string(&main).unwrap();
    std::fs::write(&main, format!("mod documented;\n{before}")).unwrap();
    let said = place.ok(&["manifests"]);
    assert!(!said.contains("warning"), "{said}");
    let role = text(&place.tree()["config/rbac/role.yaml"]);
    for part in ["- webservers/status", "namespace: tools", "- /metrics", "- configmaps"] {
        assert!(role.contains(part), "{part}:\n{role}");
    }
    let webhooks = text(&place.tree()["config/webhook/manifests.yaml"]);
    assert!(webhooks.contains("path: /validate-example-com-v1alpha1-webserver"), "{webhooks}");
}

#[test]
fn help_knows_commands_and_topics() {
    let place = Place::new();
    for (words, flags) in [(&["help"][..], &["--help"][..]), (&["help", "create", "api"], &["create", "api", "--help"])]
    {
        let (help, flag) = (place.run(words), place.run(flags));
        assert!(help.status.success() && help.stderr.is_empty(), "{}", text(&help.stderr));
        assert_eq!(text(&help.stdout), text(&flag.stdout), "{words:?}");
    }
    let topics = place.json(&["help"])["data"]["topics"].as_array().unwrap().clone();
    assert_eq!(topics.len(), 17);
    for topic in topics {
        let name = topic["name"].as_str().unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/cli/help/{name}.md"));
        let expected = std::fs::read_to_string(file).unwrap();
        assert_eq!(place.json(&["help", name])["data"]["markdown"], expected.as_str());
        assert!(text(&place.run(&["help"]).stdout).contains(&format!("opctl help {name} ")), "{name}");
    }
    let help = place.json(&["help", "manifests"]);
    assert_eq!(help["data"]["command"], "opctl manifests");
    assert!(help["data"]["help"].as_str().unwrap().starts_with("Write CRDs"), "{help}");
}

#[test]
fn the_supported_versions_are_those_that_projects_are_tested_with() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let data = Place::new().json(&["version"])["data"].clone();
    let short =
        |name: &str, parts: usize| data[name].as_str().unwrap().split('.').take(parts).collect::<Vec<_>>().join(".");
    let workflow = read("templates/project/.github/workflows/ci.yaml.tera");
    let (_, tested) = workflow.split_once("opctl test --kubernetes ").unwrap();
    let manifest = read("Cargo.toml");
    let (_, rust) = manifest.split_once("rust-version = \"").unwrap();
    let [opctl, kube, openapi] =
        [("opctl", 2), ("kube", 1), ("k8s-openapi", 2)].map(|(name, parts)| short(name, parts));
    let row = format!(
        "| {opctl} | {opctl} | {kube} | {openapi}, types of {} | {} | {} or newer |",
        short("kubernetes", 2),
        tested.lines().next().unwrap().replace(',', ", "),
        rust.split('"').next().unwrap()
    );
    let topic = read("src/cli/help/stability.md");
    assert!(topic.lines().any(|line| line == row), "no line is `{row}`");
}

#[test]
fn version_names_all_that_opctl_and_its_projects_are_made_of() {
    let place = Place::new();
    let data = place.json(&["version"])["data"].clone();
    let shown = text(&place.run(&["version"]).stdout);
    for name in ["opctl", "rustc", "target", "layout", "kube", "k8s-openapi", "schemars", "kubernetes", "envtest"] {
        let value = data[name].as_str().unwrap_or_else(|| panic!("{name}: {data}"));
        assert!(shown.lines().any(|line| line.starts_with(name) && line.contains(value)), "{name}:\n{shown}");
    }
    assert_eq!(data["opctl"], env!("CARGO_PKG_VERSION"));
    place.ok(&["init", "--domain", "example.com", "--name", "x"]);
    let project = place.tree();
    let (lock, api) = (text(&project["Cargo.lock"]), text(&project["api/Cargo.toml"]));
    for name in ["kube", "k8s-openapi", "schemars"] {
        let locked = format!("name = \"{name}\"\nversion = \"{}\"\n", data[name].as_str().unwrap());
        assert!(lock.contains(&locked), "{locked}");
    }
    let feature = format!("default = [\"v{}\"]", data["kubernetes"].as_str().unwrap().replace('.', "_"));
    assert!(api.contains(&feature), "{feature}");
}
