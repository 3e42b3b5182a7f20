//! `opctl bundle --catalog`: the file-based catalog of a project.

use super::{bundle, made, validator};
use crate::support::{must, text, tool, tree};
use std::path::Path;

const FILE: &str = "catalog/webserver-operator/catalog.yaml";

fn add(root: &Path, version: &str, more: &[&str]) {
    must(&mut bundle(root, &[&["--version", version, "--catalog", "catalog"], more].concat()));
}

#[test]
fn versions_of_an_operator_follow_each_other_in_a_catalog() {
    let (_folder, root) = made("webserver-operator");
    add(&root, "0.1.0", &["--channels", "stable"]);
    let dockerfile = std::fs::read_to_string(root.join("catalog.Dockerfile")).unwrap();
    assert!(dockerfile.contains("ADD catalog /configs\n"), "{dockerfile}");
    let first = std::fs::read_to_string(root.join(FILE)).unwrap();
    assert!(first.contains("image: registry.example.com/operator-bundle:v0.1.0\n"), "{first}");

    // A line of others, then a second version in one more channel.
    std::fs::write(root.join(FILE), format!("# by hand\n{first}")).unwrap();
    let options = ["--channels", "stable,fast", "--bundle-image", "registry.example.com/bundles/web:2"];
    add(&root, "0.2.0", &options);
    let second = std::fs::read_to_string(root.join(FILE)).unwrap();
    assert!(second.starts_with("# by hand\n") && second.contains("image: registry.example.com/bundles/web:2\n"));
    assert!(second.contains("- name: webserver-operator.v0.2.0\n  replaces: webserver-operator.v0.1.0\n"), "{second}");
    let kept: Vec<&str> = first.lines().filter(|line| !second.contains(line)).collect();
    assert!(kept.is_empty(), "{kept:?}");
    let before = tree(&root);
    add(&root, "0.2.0", &options);
    assert_eq!(before, tree(&root), "nothing is added twice");
    let check = ["--version", "0.2.0", "--catalog", "catalog", "--check"];
    must(&mut bundle(&root, &[&check[..], &options].concat()));

    // The same version with another content is one that clusters may have installed.
    let change = ["--version", "0.2.0", "--catalog", "catalog", "--bundle-image", "registry.example.com/other:2"];
    let refused = bundle(&root, &[&change[..], &["--channels", "stable,fast"]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(3));
    let said = text(&refused.stderr);
    assert!(
        said.contains("` already contains the bundle `webserver-operator.v0.2.0` with different content\n"),
        "{said}"
    );
    for (arguments, code, message) in [
        (
            &["--version", "0.0.9", "--channels", "stable", "--catalog", "catalog"][..],
            1,
            "`webserver-operator.v0.0.9` is older than `webserver-operator.v0.2.0`, the newest bundle of the channel `stable`",
        ),
        (&["--catalog", "../catalog"][..], 1, "`../catalog`"),
        (&["--catalog", "catalog", "--bundle-image", "Web:"][..], 2, "`Web:` is not a valid image reference"),
    ] {
        let output = bundle(&root, arguments).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(&format!("error: {message}")), "{code} {said}");
        assert!(said.contains("\nhint: "), "{said}");
    }
    assert_eq!(before, tree(&root));
    std::fs::write(root.join("catalog/other.yaml"), b"\xff").unwrap();
    let output = bundle(&root, &["--catalog", "catalog"]).output().unwrap();
    let said = text(&output.stderr);
    assert!(said.starts_with("error: `catalog` has files that are not UTF-8\n"), "{said}");
}

/// operator-registry loads the catalog, and finds one newest bundle in each channel.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_registry_of_olm_loads_a_catalog() {
    let (_folder, root) = made("webserver-operator");
    add(&root, "0.1.0", &["--channels", "stable"]);
    add(&root, "0.2.0", &["--channels", "stable,fast", "--default-channel", "fast"]);
    add(&root, "0.3.0", &["--channels", "stable"]);
    let loaded = must(tool(validator()).args(["catalog", "catalog"]).current_dir(&root));
    let mut lines: Vec<String> = text(&loaded.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    let name = "webserver-operator";
    assert_eq!(lines, [format!("{name} fast {name}.v0.2.0 1"), format!("{name} stable {name}.v0.3.0 3")]);
}
