//! `opctl delete`: it removes everything that `create` adds, and nothing else.

use crate::support::{Place, Random, Tree, assert_same, random_api, random_policy, random_webhook, text};
use opctl::test_api::plan::BASES;
use std::fs;

fn run(place: &Place, arguments: &[String]) -> serde_json::Value {
    place.json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the `delete` command for the resource that a `create` command with these arguments adds.
fn opposite(arguments: &[String]) -> Vec<String> {
    let mut command = vec!["delete".to_owned(), arguments[1].clone()];
    let mut words = arguments[2..].iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--kind" | "--group" | "--version" => command.extend([word.clone(), words.next().unwrap().clone()]),
            "--defaulting" | "--validation" | "--mutating" => command.push(word.clone()),
            _ => {}
        }
    }
    if command[1] == "policy" && !command.contains(&"--mutating".to_owned()) {
        command.push("--validating".to_owned());
    }
    command
}

#[test]
fn create_then_delete_is_the_tree_before() {
    let mut deleted = [0; 4];
    for seed in 1..=8_u64 {
        let mut random = Random(seed * 15_485_863);
        let place = Place::with_project();
        for round in 0..24 {
            let arguments = match round % 4 {
                0 | 1 => random_api(&mut random),
                2 => random_webhook(&mut random),
                _ => random_policy(&mut random),
            };
            let (before, project) = (place.tree(), place.json(&["list"])["data"]["resources"].clone());
            if run(&place, &arguments)["outcome"] != "changed" {
                continue;
            }
            let created = place.tree();
            // A command that only adds to an existing resource has no opposite.
            let count = |value: &serde_json::Value| value.as_array().map_or(0, Vec::len);
            let is_new = count(&project) < count(&place.json(&["list"])["data"]["resources"]);
            if arguments[1] == "api" && !is_new {
                continue;
            }
            let command = opposite(&arguments);
            let dry = run(&place, &[command.clone(), vec!["--dry-run".to_owned()]].concat());
            assert_same(&created, &place.tree(), &format!("a dry run of {command:?}"));
            let report = run(&place, &command);
            if report["error"]["message"].as_str().is_some_and(|message| message.contains("is stored in version")) {
                assert_same(&created, &place.tree(), &format!("refused: {command:?}"));
                continue;
            }
            assert_eq!(report["outcome"], "changed", "{arguments:?} {command:?}: {report:#}");
            assert_eq!(dry["changes"], report["changes"], "{command:?}");
            assert_same(&before, &place.tree(), &format!("seed {seed}: {arguments:?}, then {command:?}"));
            deleted[round % 4] += 1;
            // Create it again, so that the next round starts with it.
            assert_eq!(run(&place, &arguments)["outcome"], "changed");
            assert_same(&created, &place.tree(), &format!("again: {arguments:?}"));
        }
    }
    assert!(deleted.iter().all(|count| *count > 0), "{deleted:?}");
}

#[test]
fn the_order_of_deletions_does_not_matter() {
    let apis: [&[&str]; 3] =
        [&["--kind", "WebServer"], &["--group", "apps", "--kind", "Tenant"], &["--kind", "Redis", "--version", "v1"]];
    let all = |verb: &'static str, part: &'static str, key: &[&'static str]| [&[verb, part], key].concat();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 2, 1]] {
        let place = Place::with_project();
        let empty = place.tree();
        for api in apis {
            place.ok(&all("create", "api", api));
        }
        place.ok(&["create", "webhook", "--kind", "WebServer", "--defaulting"]);
        place.ok(&["create", "policy", "--kind", "WebServer"]);
        place.ok(&["delete", "policy", "--kind", "WebServer"]);
        place.ok(&["delete", "webhook", "--kind", "WebServer"]);
        for index in order {
            place.ok(&all("delete", "api", apis[index]));
        }
        assert_same(&empty, &place.tree(), &format!("{order:?}"));
    }
}

#[test]
fn a_further_version_a_conversion_and_a_further_controller_are_taken_out() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    for (create, delete) in [
        ("create api --kind Shop --version v1", "delete api --kind Shop --version v1"),
        (
            "create api --kind Shop --resource=false --controller-name backup",
            "delete controller --kind Shop --controller-name backup",
        ),
    ] {
        let words = |line: &'static str| line.split(' ').collect::<Vec<_>>();
        let before = place.tree();
        place.ok(&words(create));
        place.ok(&words(delete));
        assert_same(&before, &place.tree(), create);
        place.ok(&words(create));
    }
    let before = place.tree();
    place.ok(&["create", "webhook", "--kind", "Shop", "--conversion", "--spoke", "v1"]);
    place.ok(&["delete", "webhook", "--kind", "Shop", "--conversion"]);
    assert_same(&before, &place.tree(), "a conversion");
}

#[test]
fn the_lines_of_a_user_stay() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let path = |path: &str| place.root().join(path);
    let edit = |file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(path(file)).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(path(file), text.replacen(from, to, 1)).unwrap();
    };
    edit("src/main.rs", "    // +opctl:scaffold:controllers", "    mine();\n    // +opctl:scaffold:controllers");
    edit("Cargo.toml", "[dependencies]\n", "[dependencies]\nregex = \"1\"\n");
    // The bases of edited files may be in no commit, so that they stay.
    let tree = || -> Tree { place.tree().into_iter().filter(|(path, _)| !path.starts_with(BASES)).collect() };
    let before = tree();
    place.ok(&["create", "api", "--group", "apps", "--kind", "Tenant"]);
    place.ok(&["create", "webhook", "--kind", "Shop", "--validation"]);
    place.ok(&["delete", "webhook", "--kind", "Shop"]);
    place.ok(&["delete", "api", "--group", "apps", "--kind", "Tenant"]);
    assert_same(&before, &tree(), "edited files");
    place.ok(&["update", "--check"]);
    place.ok(&["delete", "api", "--kind", "Shop"]);
    let main = text(&place.tree()["src/main.rs"]);
    assert!(main.contains("mine();") && !main.contains("shop"), "{main}");
    assert!(text(&place.tree()["Cargo.toml"]).contains("regex"));
}

/// Replaces text in a file of the project.
fn edit(place: &Place, file: &str, from: &str, to: &str) {
    let path = place.root().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}: {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn a_controller_goes_with_the_last_version_of_its_kind() {
    for is_edited in [false, true] {
        let place = Place::with_project();
        place.ok(&["create", "api", "--kind", "Shop", "--image", "nginx", "--finalizer"]);
        edit(&place, "api/src/v1alpha1/shop.rs", "pub struct ShopSpec {", "pub struct ShopSpec {\n    pub own: bool,");
        place.ok(&["create", "api", "--kind", "Shop", "--version", "v1", "--storage-version"]);
        if is_edited {
            for file in ["src/controller/shop.rs", "tests/it/shop.rs"] {
                edit(&place, file, "api::v1alpha1", "api::v1");
            }
        }
        edit(&place, "api/src/v1alpha1/shop.rs", "\n    pub own: bool,", "");
        let before = text(&place.tree()["src/controller/shop.rs"]);
        place.ok(&["delete", "api", "--kind", "Shop", "--version", "v1alpha1"]);
        let controller = text(&place.tree()["src/controller/shop.rs"]);
        assert_eq!(controller, before.replace("v1alpha1", "v1"));
        assert!(text(&place.tree()["src/main.rs"]).contains("controller::shop::controller()"));
        let listed = place.json(&["list"])["data"]["resources"].clone();
        assert_eq!(listed[0]["version"], "v1");
        assert_eq!(listed[0]["controllers"].as_array().map(Vec::len), Some(1), "{listed:#}");
        // The types of the version that stays began as a copy, and are still the user's.
        place.ok(&["update", "--check"]);
        assert!(text(&place.tree()["api/src/v1/shop.rs"]).contains("pub own: bool,"));
        place.ok(&["delete", "api", "--kind", "Shop", "--force"]);
        assert!(!place.tree().contains_key("src/controller/shop.rs"));
    }
}
