//! The same types in Rust and in Go: the CRDs of opctl mean the same as those of controller-gen.
//!
//! `testdata/compared` holds the types in both languages, controller-gen's output, and the differences that are on
//! purpose. After a change of the Go types, run this in their folder:
//!
//! ```sh
//! go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0 crd paths=./... output:crd:stdout > ../controller-gen.yaml
//! ```

use crate::support::{lay, opctl, projects, target_folder, text};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The CRDs of a project by their names.
type Definitions = BTreeMap<String, Value>;

/// An intended difference. `path` is the path of the difference, with `*` for any single name, and `**` at the end
/// for any further names.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Purpose {
    path: String,
    /// The value that opctl writes at the path; `None` if opctl writes no value. The text `any` allows every value.
    #[serde(default)]
    opctl: Option<Value>,
    #[serde(default, rename = "controller-gen")]
    controller_gen: Option<Value>,
    reason: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/compared")
}

fn definitions(yaml: &str) -> Definitions {
    let documents = yaml.split("\n---\n").map(|document| serde_yaml::from_str::<Value>(document).unwrap());
    documents.map(|one| (one["metadata"]["name"].as_str().unwrap().to_owned(), one)).collect()
}

/// Returns the CRDs that `opctl manifests` writes for the Rust types.
fn ours() -> Definitions {
    let root = projects().join("compared");
    let _ = fs::remove_dir_all(&root);
    lay(&folder().parent().unwrap().join("corpus/project"), &root);
    let _ = fs::remove_dir_all(root.join("api/src"));
    fs::create_dir_all(root.join("api/src")).unwrap();
    fs::copy(folder().join("types.rs"), root.join("api/src/lib.rs")).unwrap();
    let output = opctl(&["manifests", "--color", "never"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", target_folder())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let files = fs::read_dir(root.join("config/crd/bases")).unwrap().map(|entry| entry.unwrap().path());
    files.flat_map(|file| definitions(&fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn the_same_types_in_rust_and_go_mean_the_same() {
    let theirs = definitions(&fs::read_to_string(folder().join("controller-gen.yaml")).unwrap());
    let purposes: Vec<Purpose> =
        serde_yaml::from_str(&fs::read_to_string(folder().join("differences.yaml")).unwrap()).unwrap();
    assert!(purposes.iter().all(|purpose| purpose.reason.len() > 10));
    let ours = ours();
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    let mut differences = Vec::new();
    for (name, theirs) in &theirs {
        compare(name, Some(&ours[name]), Some(theirs), &mut differences);
    }
    let mut unused: BTreeSet<usize> = (0..purposes.len()).collect();
    differences.retain(|difference| {
        let found: Vec<usize> = (0..purposes.len()).filter(|index| explains(&purposes[*index], difference)).collect();
        unused.retain(|index| !found.contains(index));
        found.is_empty()
    });
    let said: Vec<String> = differences
        .iter()
        .map(|(path, ours, theirs)| format!("{path}\n  opctl:          {ours:?}\n  controller-gen: {theirs:?}"))
        .collect();
    assert!(said.is_empty(), "{} differences without a reason:\n{}", said.len(), said.join("\n"));
    let unused: Vec<&str> = unused.into_iter().map(|index| purposes[index].path.as_str()).collect();
    assert!(unused.is_empty(), "reasons for differences that are not there: {unused:?}");
}

type Difference = (String, Option<Value>, Option<Value>);

fn explains(purpose: &Purpose, (path, ours, theirs): &Difference) -> bool {
    let fits = |said: &Option<Value>, is: &Option<Value>| said.as_ref().is_some_and(|said| said == "any") || said == is;
    let names: Vec<&str> = path.split('/').collect();
    let pattern: Vec<&str> = purpose.path.split('/').collect();
    let here = match pattern.split_last() {
        Some((&"**", start)) => names.len() >= start.len() && same(start, &names[..start.len()]),
        _ => names.len() == pattern.len() && same(&pattern, &names),
    };
    here && fits(&purpose.opctl, ours) && fits(&purpose.controller_gen, theirs)
}

fn same(pattern: &[&str], names: &[&str]) -> bool {
    pattern.iter().zip(names).all(|(pattern, name)| *pattern == "*" || pattern == name)
}

/// Adds the innermost values that differ to `differences`. Ignores line breaks in descriptions, compares `required`
/// and `enum` as sets, and compares numbers by value.
fn compare(path: &str, ours: Option<&Value>, theirs: Option<&Value>, differences: &mut Vec<Difference>) {
    match (ours, theirs) {
        (Some(Value::Object(one)), Some(Value::Object(two))) => {
            for key in one.keys().chain(two.keys()).collect::<BTreeSet<_>>() {
                compare(&format!("{path}/{key}"), one.get(key), two.get(key), differences);
            }
        }
        (Some(Value::Array(one)), Some(Value::Array(two))) if named(one) && named(two) => {
            let by_name = |list: &[Value]| list.iter().map(|one| (one["name"].to_string(), one.clone())).collect();
            let (one, two): (BTreeMap<String, Value>, BTreeMap<String, Value>) = (by_name(one), by_name(two));
            for name in one.keys().chain(two.keys()).collect::<BTreeSet<_>>() {
                compare(&format!("{path}/{}", name.trim_matches('"')), one.get(name), two.get(name), differences);
            }
        }
        (Some(one), Some(two)) if equal(path, one, two) => {}
        (one, two) => differences.push((path.to_owned(), one.cloned(), two.cloned())),
    }
}

fn named(list: &[Value]) -> bool {
    list.iter().all(|one| one["name"].is_string())
}

fn equal(path: &str, one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Array(one), Value::Array(two)) if path.ends_with("/required") || path.ends_with("/enum") => {
            let set = |list: &[Value]| list.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
            set(one) == set(two)
        }
        (Value::String(one), Value::String(two)) if path.ends_with("/description") => {
            one.split_whitespace().eq(two.split_whitespace())
        }
        (Value::Number(one), Value::Number(two)) => one.as_f64() == two.as_f64(),
        _ => one == two,
    }
}
