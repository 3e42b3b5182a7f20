//! Properties of every command line, tested with random projects of fixed seeds and with unusual names.

mod commands;
mod fields;
mod sequences;

use crate::support::{Place, Random, Tree, assert_same, random_api, random_policy, random_webhook};
use commands::{commands_of, conversion, policies_of, said};
use serde_json::Value;
use std::fs;

/// Makes a project of several random APIs. Returns the project and the arguments of each command that succeeded.
fn random_project(seed: u64) -> (Place, Vec<Vec<String>>) {
    let mut random = Random(seed);
    let place = Place::with_project();
    let mut accepted = Vec::new();
    for round in 0..22 {
        let arguments = match round {
            0..10 => random_api(&mut random),
            10..16 => random_webhook(&mut random),
            16..20 => random_policy(&mut random),
            _ => match conversion(&project_of(&place)) {
                Some(commands) => commands[round - 20].clone(),
                None => break,
            },
        };
        let before = place.tree();
        let dry = report(&place, &arguments, &["--dry-run"]);
        assert_same(&before, &place.tree(), &format!("a dry run of {arguments:?}"));
        let wet = report(&place, &arguments, &[]);
        assert_eq!(dry["changes"], wet["changes"], "{arguments:?}");
        assert_eq!(dry["error"], wet["error"], "{arguments:?}");
        let done = place.tree();
        if wet["outcome"] == "failed" {
            assert_same(&before, &done, &format!("failed: {arguments:?}"));
            continue;
        }
        let again = report(&place, &arguments, &[]);
        assert_eq!(again["outcome"], "unchanged", "{arguments:?}");
        assert_same(&done, &place.tree(), &format!("again: {arguments:?}"));
        accepted.push(arguments);
    }
    (place, accepted)
}

fn report(place: &Place, arguments: &[String], more: &[&str]) -> Value {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    place.json(&arguments)
}

#[test]
fn again_changes_nothing_and_a_dry_run_is_the_same_run() {
    for seed in 1..=5 {
        let (_, accepted) = random_project(seed * 7919);
        assert!(accepted.len() > 1, "seed {seed}: {accepted:?}");
    }
}

#[test]
fn a_dry_run_of_init_writes_nothing() {
    let place = Place::new();
    let dry = place.json(&["init", "--domain", "example.com", "--dry-run"]);
    assert_same(&Tree::new(), &place.tree(), "a dry run");
    let wet = place.json(&["init", "--domain", "example.com"]);
    assert_eq!(dry["changes"], wet["changes"]);
}

fn project_of(place: &Place) -> Value {
    serde_yaml::from_str(&fs::read_to_string(place.root().join("PROJECT")).unwrap()).unwrap()
}

#[test]
fn a_project_is_made_again_from_project_alone() {
    let mut made = String::new();
    for seed in 1..=12 {
        let (place, _) = random_project(seed * 104_729);
        let text = fs::read_to_string(place.root().join("PROJECT")).unwrap();
        let project = project_of(&place);
        let (domain, name) = (project["domain"].as_str().unwrap(), project["projectName"].as_str().unwrap());
        let copy = Place::new();
        copy.ok(&["init", "--domain", domain, "--name", name]);
        let details = &project["plugins"]["rust.opctl.dev/v1"]["resources"];
        for resource in project["resources"].as_array().into_iter().flatten() {
            for command in commands_of(resource, details) {
                copy.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
        for resource in project["resources"].as_array().into_iter().flatten() {
            for command in policies_of(resource, details) {
                copy.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
        for hub in project["resources"].as_array().into_iter().flatten() {
            for spoke in hub["webhooks"]["spoke"].as_array().into_iter().flatten() {
                let mut command = vec!["create", "webhook", "--conversion", "--spoke", spoke.as_str().unwrap()];
                for (flag, key) in [("--group", "group"), ("--kind", "kind")] {
                    command.extend(said(hub, key).into_iter().flat_map(|value| [flag, value]));
                }
                copy.ok(&command);
            }
        }
        assert_same(&place.tree(), &copy.tree(), &format!("seed {seed}"));
        made += &text;
    }
    // The random projects contain each of these fields of `PROJECT`.
    for key in [
        "core",
        "external",
        "module",
        "controllers",
        "image",
        "fields",
        "owns",
        "finalizer",
        "categories",
        "shortNames",
        "defaulting",
        "validation",
        "conversion",
        "policies",
    ] {
        assert!(made.contains(&format!("{key}:")), "no project has `{key}`");
    }
}

#[test]
fn a_project_that_becomes_namespaced_is_as_one_that_was_from_the_beginning() {
    let init = |more: &[&str]| {
        let place = Place::new();
        place.ok(&[&["init", "--domain", "example.com", "--name", "web-operator"], more].concat());
        place
    };
    // Left out of the comparison: the role, which `opctl manifests` makes, and the patch, which stays when no
    // kustomization lists it any more.
    let tree = |place: &Place| {
        let mut tree = place.tree();
        for made in ["config/rbac/role.yaml", "config/default/manager_namespace_patch.yaml", ".opctl/files.yaml"] {
            tree.remove(made);
        }
        tree
    };
    let (all, one, changed) = (init(&[]), init(&["--namespaced"]), init(&[]));
    for place in [&all, &one, &changed] {
        place.ok(&["create", "api", "--kind", "Shop"]);
    }
    changed.ok(&["edit", "--namespaced"]);
    assert_same(&tree(&one), &tree(&changed), "made namespaced");
    changed.ok(&["edit", "--namespaced=false"]);
    assert_same(&tree(&all), &tree(&changed), "and back");
}

#[test]
fn commands_in_another_order_make_the_same_project() {
    let commands: [&[&str]; 6] = [
        &["create", "api", "--kind", "WebServer", "--owns", "Secret"],
        &["create", "api", "--group", "apps", "--kind", "Tenant", "--namespaced=false"],
        &["create", "api", "--kind", "Redis", "--version", "v1"],
        &["create", "api", "--group", "apps", "--kind", "Deployment", "--resource=false"],
        &["create", "policy", "--group", "batch", "--kind", "Job"],
        &["edit", "--enable", "prometheus,network-policy"],
    ];
    let webhooks: [&[&str]; 2] = [
        &["create", "webhook", "--kind", "WebServer", "--defaulting"],
        &["create", "webhook", "--kind", "Redis", "--version", "v1", "--validation"],
    ];
    let forward = Place::with_project();
    for command in commands.iter().chain(&webhooks) {
        forward.ok(command);
    }
    let backward = Place::with_project();
    for command in commands.iter().rev().chain(webhooks.iter().rev()) {
        backward.ok(command);
    }
    assert_same(&forward.tree(), &backward.tree(), "another order");
    backward.ok(&["update", "--check"]);
}

const ODD_NAMES: &[&str] = &[
    "",
    " ",
    "-",
    "--",
    "-x",
    ".",
    "..",
    "a..b",
    "a/b",
    "../x",
    "Größe",
    "日本",
    "ä1x",
    "a b",
    "a\tb",
    "a\nb",
    "\"",
    "'",
    "`",
    "$(x)",
    "{[ x ]}",
    "{% x %}",
    "v1",
    "V1",
    "v0",
    "option",
    "Option",
    "self",
    "1",
    "9lives",
    "K8S.IO",
    "foo.k8s.io",
    "A_B",
    "-A-",
    "\u{202e}x",
];

/// Checks that opctl accepts a name, or reports one error and a hint. If the hint suggests another name, opctl must
/// accept that name.
fn assert_accepted_or_explained(place: &Place, command: &[&str], flag: &str, name: &str) {
    let run = |value: &str| {
        let argument = format!("{flag}={value}");
        place.json(&[command, &[argument.as_str(), "--dry-run"]].concat())
    };
    let report = run(name);
    let shown: String = name.chars().take(20).collect();
    let Some(error) = report["error"].as_object() else { return };
    assert_eq!(error["exitCode"], 2, "{flag} {shown}: {error:?}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains('`') && message.len() < 500, "{flag} {shown}: {message}");
    let hint = error.get("hint").and_then(Value::as_str).unwrap_or_else(|| panic!("{flag} {shown}: no hint"));
    if let Some(suggestion) = hint.strip_prefix(&format!("{flag} ")) {
        let again = run(suggestion);
        assert!(again["error"].is_null(), "{flag} {shown}: the suggestion {suggestion}: {}", again["error"]);
    } else {
        assert!(hint.starts_with("choose a shorter"), "{flag} {shown}: {hint}");
    }
}

#[test]
fn odd_names_give_one_error_and_a_hint_that_is_accepted() {
    let (huge, dotted) = ("a".repeat(10_000), "Ab.".repeat(4_000));
    let odd = [ODD_NAMES, &[huge.as_str(), dotted.as_str()]].concat();
    let flags: [(&str, &[&str]); 8] = [
        ("--domain", &["init"]),
        ("--name", &["init", "--domain", "example.com"]),
        ("--kind", &["create", "api"]),
        ("--group", &["create", "api", "--kind", "X"]),
        ("--version", &["create", "api", "--kind", "X"]),
        ("--plural", &["create", "api", "--kind", "X"]),
        ("--short-name", &["create", "api", "--kind", "X"]),
        ("--category", &["create", "api", "--kind", "X"]),
    ];
    for (flag, command) in flags {
        let place = if command[0] == "init" { Place::new() } else { Place::with_project() };
        let before = place.tree();
        for name in &odd {
            assert_accepted_or_explained(&place, command, flag, name);
        }
        assert_same(&before, &place.tree(), flag);
    }
}
