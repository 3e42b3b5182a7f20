use crate::finding::{page, pages};
use crate::manifest::definition::{Version, definitions};
use crate::schema::{Findings, Raw, structural};
use crate::source::discover::{Features, types};
use crate::source::places::Places;
use crate::yaml;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Every code in the sources has a page, every page has a use, and both are in order.
#[test]
fn codes_and_pages_are_the_same() {
    let mut used = BTreeSet::new();
    let rooms = ["access", "finding", "manifest", "schema", "source"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders: Vec<PathBuf> = rooms.map(|room| source.join(room)).into();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() && !path.ends_with("pages") {
                folders.push(path);
            } else if path.is_file() && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("readable");
                let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                let codes = text
                    .split("\"OP")
                    .skip(1)
                    .filter(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))
                    .filter(|rest| rest.find('"') == Some(3));
                used.extend(codes.map(|rest| format!("OP{}", &rest[..3])));
            }
        }
    }
    let explained: Vec<&str> = pages().map(|page| page.code).collect();
    assert_eq!(explained, used.iter().map(String::as_str).collect::<Vec<_>>());
    for page in pages() {
        let all = [page.title, page.why, page.wrong, page.right];
        assert!(all.iter().all(|text| !text.is_empty()) && page.why.ends_with('.'), "{}", page.code);
    }
}

/// Every folder of testdata/manifest/lint: `types.rs` with one custom resource, `read.json` with its schema as the shim
/// prints it, `crd.yaml` with the definition that opctl would write if there were no errors, and `findings` where there is
/// something to say. What a real API server says about `crd.yaml` is checked in tests/it/lint.rs.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/lint");
    let mut missing: BTreeSet<&str> = pages().map(|page| page.code).filter(|code| code.starts_with("OP2")).collect();
    for case in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        let (said, crd) = check(&case);
        missing.retain(|code| !said.contains(code));
        for (name, made) in [("findings", said), ("crd.yaml", crd)] {
            let (file, made) = (case.join(name), (!made.is_empty()).then_some(made));
            if let (Some(made), Some("overwrite")) = (&made, std::env::var("SNAPSHOTS").ok().as_deref()) {
                std::fs::write(&file, made).expect("writable");
            }
            assert_eq!(made, std::fs::read_to_string(&file).ok(), "{}", case.display());
        }
    }
    // Versions are compared in the tests of the definition.
    let elsewhere = BTreeSet::from(["OP214", "OP215", "OP216", "OP217", "OP218"]);
    assert_eq!(missing, elsewhere, "codes without a case");
}

/// Returns the findings of a case, as lines, and its definition.
fn check(case: &Path) -> (String, String) {
    let source = std::fs::read_to_string(case.join("types.rs")).expect("types.rs");
    let sources = [(PathBuf::from("types.rs"), source.clone())];
    let mut findings = Vec::new();
    let found = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default(), &mut findings);
    let places = Places::read(&sources);
    let mut made = String::new();
    for api_type in found.expect("Rust") {
        let read = std::fs::read_to_string(case.join("read.json")).expect("read.json");
        let raw: Raw = serde_json::from_str(&read).expect("a schema");
        let mut said = Findings::default();
        let schema = structural(&raw, Some(&raw), &mut said);
        let all = said.problems.iter().chain(&said.warnings);
        findings.extend(all.map(|problem| super::of_schema(&api_type, problem, &places)));
        let mut crd = api_type.resource.stated.clone();
        if crd["spec"]["names"]["plural"].is_null() {
            crd["spec"]["names"]["plural"] = format!("{}s", api_type.resource.kind.to_lowercase()).into();
        }
        let plural = crd["spec"]["names"]["plural"].as_str().unwrap_or_default().to_owned();
        crd["metadata"]["name"] = format!("{plural}.{}", api_type.resource.group).into();
        findings.extend(super::definition(&api_type, &crd, said.problems.is_empty().then_some(&schema), &places));
        let version = Version { api_type: &api_type, crd, schema };
        made = yaml::documents(definitions(vec![version], &mut findings).values().map(|merged| &merged.object));
    }
    let mut text = String::new();
    for finding in super::apply_allowances(findings, &sources, &places, false) {
        let path = finding.path.as_ref().map(|path| format!(" {path}")).unwrap_or_default();
        let (name, code, place) = (finding.severity.name(), &finding.code, finding.place());
        let _ = writeln!(text, "{name} {code} {place}{path}\n    {}", finding.reason);
        let _ = writeln!(text, "hint: {}", finding.hint.replace('\n', "\n    "));
    }
    (text, made.replace(env!("CARGO_PKG_VERSION"), "[VERSION]"))
}

/// Every row of testdata/manifest/refusals: a rule of the server by the words in which it refuses a schema, a schema that
/// it refuses (`field` of the spec, or the whole `root`), and what opctl makes of it: the `code` of an error, a schema that is
/// `fixed`, what only the `server` can judge, or why it can `never` be. What a real server says is checked in
/// tests/it/structural.rs.
#[test]
fn what_the_server_refuses_has_a_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/refusals");
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the tables").flatten().map(|entry| entry.path()) {
        let text = std::fs::read_to_string(&file).expect("readable");
        let rows: Vec<Value> = serde_yaml::from_str(&text).expect("a list of rows");
        for row in rows.iter().filter(|row| row.get("never").is_none()) {
            let schema = match row.get("root") {
                Some(root) => root.clone(),
                None => json!({"type": "object", "properties": {
                    "spec": {"type": "object", "properties": {"field": row["field"]}},
                }}),
            };
            let expected: Vec<&str> = row["code"].as_str().into_iter().collect();
            let found = errors_of(&schema, row["status"] == true);
            if found != expected {
                wrong.push(format!("{}: {}: {found:?} instead of {expected:?}", file.display(), row["message"]));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} rows");
}

/// The codes of the errors in a schema as the shim gives it, each once.
fn errors_of(schema: &Value, status: bool) -> Vec<&'static str> {
    let status = if status { ", status = \"FooStatus\"" } else { "" };
    let source = format!(
        "#[derive(CustomResource)]\n#[kube(group = \"g.example\", version = \"v1\", kind = \"Foo\"{status})]\npub struct FooSpec {{}}"
    );
    let found = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default(), &mut Vec::new());
    let api_type = found.expect("Rust").remove(0);
    let raw = Raw { schema: schema.clone(), ..Raw::default() };
    let mut said = Findings::default();
    let schema = structural(&raw, Some(&raw), &mut said);
    let mut crd = api_type.resource.stated.clone();
    crd["spec"]["names"]["plural"] = "foos".into();
    let more = super::definition(&api_type, &crd, said.problems.is_empty().then_some(&schema), &Places::default());
    let problems = said.problems.iter().map(|problem| problem.code);
    let more = more.iter().filter_map(|finding| page(&finding.code)).map(|page| page.code);
    problems.chain(more).collect::<BTreeSet<_>>().into_iter().collect()
}
