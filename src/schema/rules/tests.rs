use super::check;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// The stack size in bytes, which suffices for each rule in rules.txt; the stack of a test's thread may be smaller.
const STACK: usize = 32 << 20;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/rules")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).expect("readable")
}

/// Returns the node at a path such as `spec.list[]`.
fn at<'a>(schema: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.').filter(|part| !part.is_empty()).fold(schema, |node, part| {
        let name = part.trim_end_matches(['[', ']', '{', '}']);
        let node = &mut node["properties"][name];
        match &part[name.len()..] {
            "[]" => &mut node["items"],
            "{}" => &mut node["additionalProperties"],
            _ => node,
        }
    })
}

/// For each rule in testdata/manifest/rules/rules.txt, opctl reports the findings in opctl.txt, and refuses no rule
/// that a real API server accepts (the API server's answers are in server.txt, see `tests/it/cel_rules.rs`).
#[test]
fn the_table() {
    let crd: Value = serde_yaml::from_str(&text("crd.yaml")).expect("YAML");
    let table = move || {
        let mut said = String::new();
        for line in text("rules.txt").lines() {
            let (path, rule) = line.split_once(" | ").expect("a path and a rule");
            let mut schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
            let rule = serde_json::from_str::<Value>(rule).ok().filter(Value::is_object);
            let rule = rule.unwrap_or_else(|| json!({"rule": line.split_once(" | ").expect("two").1}));
            at(&mut schema, path)["x-kubernetes-validations"] = json!([rule]);
            let findings = check(&schema);
            if !findings.is_empty() {
                let _ = writeln!(said, "{line}");
            }
            for finding in findings {
                assert_eq!(finding.path, path);
                let _ = writeln!(
                    said,
                    "    {} {}\n    hint: {}",
                    finding.lint.code,
                    finding.reason.replace('\n', "\\n"),
                    finding.hint
                );
            }
        }
        said
    };
    let said = std::thread::Builder::new().stack_size(STACK).spawn(table).expect("a thread").join().expect("no panic");
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(folder().join("opctl.txt"), &said).expect("writable");
    }
    let headings =
        |text: &str| text.lines().filter(|line| !line.starts_with("    ")).map(str::to_owned).collect::<Vec<_>>();
    let refused = headings(&text("server.txt"));
    let false_alarms: Vec<String> = headings(&said).into_iter().filter(|rule| !refused.contains(rule)).collect();
    assert_eq!(false_alarms, Vec::<String>::new(), "the server takes these");
    assert_eq!(said, text("opctl.txt"));
}
