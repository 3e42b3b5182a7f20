use crate::manifest::definition::{Version, definitions};
use crate::manifest::{find_lint, lints};
use crate::schema::{Findings, Raw, structural};
use crate::source::discover::{Features, types};
use crate::source::places::{LazyPlaces, Places};
use crate::yaml;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[test]
fn pages_are_whole() {
    for lint in lints() {
        let all = [lint.title, lint.why, lint.wrong, lint.right];
        assert!(all.iter().all(|text| !text.is_empty()) && lint.why.ends_with('.'), "{}", lint.code);
    }
}

/// Checks that the lints report the expected findings for each folder of testdata/manifest/lint. A folder contains:
///
/// - `types.rs`: a custom resource
/// - `read.json`: the schema of the resource, as printed by the program that opctl compiles from the types
/// - `crd.yaml`: the CRD that opctl writes if errors are ignored
/// - `findings`: the expected findings, if any
///
/// tests/it/lint.rs checks the answers of a real API server to `crd.yaml`.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/lint");
    let mut missing: BTreeSet<&str> =
        lints().iter().map(|lint| lint.code).filter(|code| code.starts_with("OP2")).collect();
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
    // The tests of the module `definition` cover the comparison of versions.
    let elsewhere = BTreeSet::from(["OP214", "OP215", "OP216", "OP217", "OP218"]);
    assert_eq!(missing, elsewhere, "codes without a case");
}

/// Returns the findings of a test case as text, and the generated CRD as YAML.
fn check(case: &Path) -> (String, String) {
    let source = std::fs::read_to_string(case.join("types.rs")).expect("types.rs");
    let sources = LazyPlaces::new(vec![(PathBuf::from("types.rs"), source.clone())]);
    let found = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default());
    let (found, mut findings) = found.expect("Rust");
    let places = sources.places();
    let mut made = String::new();
    for api_type in found {
        let read = std::fs::read_to_string(case.join("read.json")).expect("read.json");
        let raw: Raw = serde_json::from_str(&read).expect("a schema");
        let mut said = Findings::default();
        let schema = structural(&raw, Some(&raw), &mut said);
        findings.extend(said.all().map(|found| super::of_schema(&api_type, found, places)));
        let mut crd = api_type.resource.stated.clone();
        if crd["spec"]["names"]["plural"].is_null() {
            crd["spec"]["names"]["plural"] = format!("{}s", api_type.resource.kind.to_lowercase()).into();
        }
        let plural = crd["spec"]["names"]["plural"].as_str().unwrap_or_default().to_owned();
        crd["metadata"]["name"] = format!("{plural}.{}", api_type.resource.group).into();
        findings.extend(super::definition(&api_type, &crd, said.allow_use().then_some(&schema), places));
        let version = Version { api_type: &api_type, crd, schema };
        let (merged, disagreement) = definitions(vec![version]);
        findings.extend(disagreement);
        made = yaml::documents(merged.values().map(|merged| &merged.object));
    }
    let mut text = String::new();
    for finding in super::apply_allowances(findings, &sources, |code| !code.starts_with("OP6"), &lints()) {
        let path = finding.path.as_ref().map(|path| format!(" {path}")).unwrap_or_default();
        let (name, code, place) = (finding.severity.name(), &finding.code, finding.place());
        let _ = writeln!(text, "{name} {code} {place}{path}\n    {}", finding.reason);
        let _ = writeln!(text, "hint: {}", finding.hint.replace('\n', "\n    "));
    }
    (text, made.replace(env!("CARGO_PKG_VERSION"), "[VERSION]"))
}

/// Checks that opctl reports the expected error for each schema in testdata/manifest/refusals that the API server
/// refuses. Each row has the server's `message`, and the schema either of one `field` in the spec or of the whole
/// `root`. A last key states the expected result:
///
/// - `code`: opctl reports an error with this code.
/// - `fixed`: opctl corrects the schema.
/// - `server`: only the API server can check the rule.
/// - `never`: opctl cannot generate such a schema, for the given reason.
///
/// `tests/it/structural_schemas.rs` checks the answers of a real server.
#[test]
fn schemas_refused_by_the_server_get_the_recorded_error_code() {
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

/// Returns the codes of the errors in `schema`, without duplicates. `schema` is the schema of a type, as printed by the
/// program that opctl compiles from the types. If `status` is true, the type has a status.
fn errors_of(schema: &Value, status: bool) -> Vec<&'static str> {
    let status = if status { ", status = \"FooStatus\"" } else { "" };
    let source = format!(
        "#[derive(CustomResource)]\n#[kube(group = \"g.example\", version = \"v1\", kind = \"Foo\"{status})]\npub struct FooSpec {{}}"
    );
    let found = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default());
    let api_type = found.expect("Rust").0.remove(0);
    let raw = Raw { schema: schema.clone(), ..Raw::default() };
    let mut said = Findings::default();
    let schema = structural(&raw, Some(&raw), &mut said);
    let mut crd = api_type.resource.stated.clone();
    crd["spec"]["names"]["plural"] = "foos".into();
    let more = super::definition(&api_type, &crd, said.allow_use().then_some(&schema), &Places::default());
    let found = said.errors().map(|found| found.lint.code);
    let more = more.iter().filter_map(|finding| find_lint(&finding.code)).map(|lint| lint.code);
    found.chain(more).collect::<BTreeSet<_>>().into_iter().collect()
}
