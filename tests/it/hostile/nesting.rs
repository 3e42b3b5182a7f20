//! Files that are nested so deeply that a parser would exhaust the stack.

use super::bounded::{ended, is_answer};
use crate::support::{Place, at_once, lay, program};
use std::fs;

const LEVELS: usize = 100_000;

/// Forms of nesting in Rust: the text before and after each level, and true for an expression or false for a type.
const SHAPES: &[(&str, &str, bool)] = &[
    ("(", ")", true),
    ("[", "]", true),
    ("{", "}", true),
    ("!", "", true),
    ("-", "", true),
    ("&", "", true),
    ("return ", "", true),
    ("|| ", "", true),
    ("if a {} else ", "", true),
    ("", ".b()", true),
    ("", " + 1", true),
    ("f(1, ", ")", true),
    ("Vec<", ">", false),
    ("(u8, ", ")", false),
    ("fn() -> ", "", false),
];

const COMMANDS: &[&[&str]] = &[
    &["manifests", "--dry-run"],
    &["install", "--dry-run"],
    &["create", "api", "--kind", "WebServer", "--version", "v1"],
    &["rename", "api", "--kind", "WebServer", "--to", "Site"],
];

const FILE: &str = "api/src/v1alpha1/web_server.rs";

fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place
}

fn nested(before: &str, within: &str, after: &str) -> String {
    format!("{}{within}{}", before.repeat(LEVELS), after.repeat(LEVELS))
}

#[test]
fn a_deep_source_is_named() {
    let prepared = project();
    let cargo = program(prepared.root().parent().unwrap(), "cargo", "exit 1");
    let source = fs::read_to_string(prepared.root().join(FILE)).unwrap();
    let cases: Vec<_> = SHAPES.iter().flat_map(|shape| COMMANDS.iter().map(move |words| (shape, words))).collect();
    at_once(&cases, |((before, after, is_expression), words)| {
        let place = Place::new();
        lay(&prepared.root(), &place.root());
        let nested = nested(before, if *is_expression { "1" } else { "u8" }, after);
        let text = if *is_expression {
            format!("{source}\nfn f() {{ {nested} }}\n")
        } else {
            format!("{source}\ntype A = {nested};\n")
        };
        fs::write(place.root().join(FILE), text).unwrap();
        let before_it = place.content();
        let (code, said) = ended(place.command(words).env("CARGO", &cargo));
        assert!(is_answer(code), "{before}{after} {words:?} ends with {code:?}: {said}");
        if code != Some(0) {
            assert!(said.contains("web_server.rs"), "{before}{after} {words:?}: {said}");
            assert!(said.contains(" nested more "), "{before}{after} {words:?}: {said}");
            assert!(place.content() == before_it, "{before}{after} {words:?} has written something");
        }
    });
}

#[test]
fn other_files_may_be_deep_too() {
    let prepared = project();
    let cargo = program(prepared.root().parent().unwrap(), "cargo", "exit 1");
    let lists = nested("[", "", "]");
    let blocks: Vec<String> = (0..3_000).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    let blocks = blocks.concat();
    let schema = |rule: &str, pattern: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: as.example.com}}\n\
             spec:\n  group: example.com\n  names: {{kind: A, plural: as, singular: a}}\n  scope: Namespaced\n  versions:\n  \
             - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          spec:\n            type: object\n            x-kubernetes-validations:\n            \
             - {{rule: '{rule}', message: m}}\n            properties:\n              b: {{type: string, pattern: '{pattern}'}}\n"
        )
    };
    let adopt: &[&str] = &["adopt", "--crds", "../deep.yaml", "--domain", "example.com", "--dry-run"];
    let against: &[&str] = &["manifests", "--dry-run", "--against", "../deep.yaml"];
    let cases: &[(&str, String, &[&str])] = &[
        ("PROJECT", format!("a: {lists}\n"), &["list"]),
        ("PROJECT", blocks.clone(), &["list"]),
        (".opctl/files.yaml", format!("files: {lists}\n"), &["update", "--check"]),
        ("config/crd/kustomization.yaml", format!("resources: {lists}\n"), &["status"]),
        ("config/default/kustomization.yaml", blocks.clone(), &["status"]),
        ("config/rbac/mine.yaml", nested("{a: ", "1", "}"), &["install", "--dry-run"]),
        ("config/samples/mine.yaml", lists.clone(), &["doctor"]),
        ("Cargo.toml", format!("a = {lists}\n"), &["manifests", "--dry-run"]),
        ("Cargo.toml", format!("a = {}\n", nested("{a = ", "1", "}")), &["doctor"]),
        ("Cargo.toml", format!("{} = 1\n", nested("a.", "a", "")), &["manifests", "--dry-run"]),
        (".cargo/config.toml", format!("a = {lists}\n"), &["cache", "clean", "--dry-run"]),
        ("../deep.yaml", lists.clone(), adopt),
        ("../deep.yaml", blocks, adopt),
        ("../deep.yaml", lists, against),
        ("../deep.yaml", schema(&nested("(", "1", ")"), "a"), adopt),
        ("../deep.yaml", schema(&nested("!", "true", ""), "a"), adopt),
        ("../deep.yaml", schema(&nested("", "self", ".a"), "a"), adopt),
        ("../deep.yaml", schema(&nested("", "1", " + 1"), "a"), adopt),
        ("../deep.yaml", schema(&nested("", "true", " ? 1 : true"), "a"), adopt),
        ("../deep.yaml", schema("true", &nested("(", "a", ")")), adopt),
        ("../deep.yaml", schema("true", &nested("", "a", "?")), adopt),
        ("../deep.yaml", schema("true", &nested("(?:", "a", ")*")), adopt),
        ("../deep.yaml", schema("true", &nested("a|", "a", "")), adopt),
    ];
    at_once(cases, |(file, text, words)| {
        let place = Place::new();
        if words[0] != "adopt" {
            lay(&prepared.root(), &place.root());
        }
        fs::create_dir_all(place.root().join(file).parent().unwrap()).unwrap();
        fs::write(place.root().join(file), text).unwrap();
        let (code, said) = ended(place.command(words).env("CARGO", &cargo));
        let begin = &text[..text.len().min(40)];
        assert!(is_answer(code), "{file} {begin} {words:?} ends with {code:?}: {said}");
    });
}

#[test]
fn a_deep_field_is_refused() {
    let place = Place::with_project();
    for field in [format!("a:{}", "Vec<".repeat(20_000)), format!("a:{}u8{}", "Vec<".repeat(9_000), ">".repeat(9_000))]
    {
        let (code, said) = ended(&place.command(&["create", "api", "--kind", "A", "--field", &field, "--dry-run"]));
        assert!(is_answer(code), "{code:?}: {}", &said[..said.len().min(500)]);
    }
}
