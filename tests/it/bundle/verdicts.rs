//! `opctl bundle --check` beside the validators of operator-framework, on changes of a good bundle.
//!
//! `testdata/bundle-mutations/verdicts.json` records what the validators say. A message of theirs stands for the code of
//! the finding that opctl has to make.

use crate::support::{must, opctl, temporary, text, tool};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Parts of the validators' messages, each with the code that opctl has for it.
const MESSAGES: &[(&str, &str)] = &[
    ("bundle manifests dir contains directory", "OP701"),
    ("bundle manifests dir has hidden file", "OP701"),
    ("in supported types", "OP701"),
    ("Unable to locate m", "OP701"),
    ("contains no yaml files", "OP701"),
    ("no such file or directory", "OP701"),
    ("unable to load the annotations file", "OP702"),
    ("unable to decode object", "OP702"),
    ("unable to parse CSV", "OP702"),
    ("unsupported CRD version", "OP702"),
    ("Unsupported api version of CRD", "OP702"),
    ("error converting YAML to JSON", "OP702"),
    ("cannot unmarshal string into Go value of type map", "OP702"),
    ("while decoding JSON: Object 'Kind' is missing in '{\"apiVersion\":\"v1\"", "OP702"),
    ("cannot restore slice from", "OP702"),
    ("unrecognized type: int32", "OP702"),
    ("Invalid character(s) found in major number", "OP702"),
    ("contains multiple CSVs", "OP703"),
    ("unable to find a csv", "OP703"),
    ("panic: runtime error", "OP703"),
    ("Could not find annotations file", "OP704"),
    ("Missing annotation", "OP704"),
    ("Expecting annotation", "OP704"),
    ("Package version is empty", "OP705"),
    ("Invalid semver format version", "OP705"),
    ("API Kind is empty", "OP705"),
    ("couldn't parse dependency of type", "OP705"),
    ("is not supported type for registryV1 bundle", "OP706"),
    ("error validating object metadata", "OP707"),
    ("maximum bundle compressed size with gzip size exceeded", "OP708"),
    ("nearing maximum bundle compressed size", "OP709"),
    ("metadata.name \"", "OP711"),
    ("spec.replaces \"", "OP711"),
    ("csv.Spec.Version must be set", "OP712"),
    ("required field missing", "OP713"),
    ("'apiVersion' is missing", "OP713"),
    ("unable to find a deployment to install", "OP713"),
    ("install modes not found", "OP714"),
    ("none of InstallModeTypes are supported", "OP714"),
    ("only AllNamespaces InstallModeType is supported", "OP714"),
    ("csv.Spec.MinKubeVersion has an invalid value", "OP715"),
    ("unable to use csv.Spec.MinKubeVersion", "OP715"),
    ("csv.Spec.minKubeVersion is not informed", "OP716"),
    ("invalid example", "OP717"),
    ("error decoding example CustomResource", "OP717"),
    ("example must have a provided API", "OP717"),
    ("example annotations not found", "OP718"),
    (") annotations not found", "OP718"),
    ("provided API should have an example annotation", "OP718"),
    ("both `alm-examples` and `olm.examples` are present", "OP718"),
    ("uses wrong case", "OP719"),
    ("found olm.properties annotation", "OP720"),
    ("Field spec.", "OP731"),
    ("Field metadata.name", "OP731"),
    ("not found in bundle", "OP732"),
    ("couldn't parse plural.group", "OP732"),
    ("but not defined in CSV", "OP733"),
    ("duplicate CRD", "OP734"),
    ("invalid service account found in bundle", "OP741"),
    ("maxUnavailable field cannot be set", "OP742"),
    ("minAvailable field cannot be set", "OP742"),
    ("globalDefault field cannot be set", "OP743"),
    ("RBAC includes permission to create/update poddisruptionbudgets", "OP744"),
    ("RBAC includes permission to modify default securitycontextconstraints", "OP745"),
    ("has an invalid image pullspec", "OP746"),
    ("has an empty image field", "OP746"),
    ("which were deprecated and removed in", "OP747"),
    ("csv.Spec.Provider.Name not specified", "OP751"),
    ("csv.Spec.Maintainers", "OP752"),
    ("csv.Spec.Links", "OP753"),
    ("csv.Spec.Icon should only have one element", "OP754"),
    ("csv.Spec.Icon elements should contain both", "OP754"),
    ("does not have a valid mediatype", "OP754"),
    ("csv.Spec.Icon not specified", "OP755"),
    ("is not a valid capabilities level", "OP756"),
    ("is not in the set of standard categories", "OP757"),
    ("unable to find the resource requests", "OP761"),
    ("has an empty description", "OP762"),
    ("are not following the recommended naming convention: https", "OP763"),
    ("CSV contains permissions to create CRD", "OP764"),
    ("is not following the versioning convention", "OP765"),
    ("is not following the recommended naming convention: <", "OP765"),
];

/// The codes of what keeps OLM v1 from installing a bundle, of which the validators say nothing.
const OF_V1: [&str; 6] = ["OP771", "OP772", "OP773", "OP774", "OP775", "OP776"];

#[derive(Deserialize)]
struct Mutation {
    name: String,
    #[serde(default)]
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    file: String,
    op: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    value: Value,
}

/// What a validator said.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
struct Said {
    level: String,
    message: String,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle-mutations")
}

fn mutations() -> Vec<Mutation> {
    serde_yaml::from_str(&std::fs::read_to_string(data().join("mutations.yaml")).unwrap()).unwrap()
}

fn recorded() -> BTreeMap<String, Vec<Said>> {
    serde_json::from_str(&std::fs::read_to_string(data().join("verdicts.json")).unwrap()).unwrap()
}

#[test]
fn verdicts_are_those_of_operator_framework() {
    let (folder, recorded) = (temporary(), recorded());
    let mutations = mutations();
    assert!(mutations.len() > 100 && mutations.len() == recorded.len());
    let mut unused: BTreeSet<&str> = MESSAGES.iter().map(|(part, _)| *part).collect();
    let mut wrong = Vec::new();
    for mutation in &mutations {
        let root = laid(mutation, folder.path());
        let theirs: BTreeSet<String> =
            recorded[&mutation.name].iter().flat_map(|said| meant(said, &mut unused)).collect();
        let (ours, code) = found(&root, "v0");
        let ours: BTreeSet<String> =
            ours.into_iter().filter(|one| !OF_V1.iter().any(|of_v1| one.ends_with(of_v1))).collect();
        let fails = theirs.iter().any(|one| one.starts_with("error"));
        if ours != theirs || code != i32::from(fails) {
            wrong.push(format!("{}: exit code {code}\n  opctl  {ours:?}\n  theirs {theirs:?}", mutation.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), mutations.len(), wrong.join("\n"));
    assert!(unused.is_empty(), "no validator said {unused:?}");
}

/// Mutations that keep OLM v1 from installing the bundle, each with the code of the rule.
const KEPT_FROM_V1: &[(&str, &[&str])] = &[
    ("good", &[]),
    ("a NetworkPolicy", &[]),
    ("no install modes", &["OP772"]),
    ("no supported install mode", &["OP772"]),
    ("right dependencies", &["OP773"]),
    ("a webhook of an unknown Deployment", &["OP774"]),
    ("a CRD that is not owned", &["OP774"]),
    ("no Deployments", &["OP774"]),
    ("no package", &["OP776"]),
];

/// What keeps OLM v1 from installing a bundle is a warning, and an error for those who ask for v1.
#[test]
fn rules_of_v1_are_errors_for_v1_alone() {
    let folder = temporary();
    let mutations = mutations();
    for (name, expected) in KEPT_FROM_V1 {
        let mutation = mutations.iter().find(|mutation| mutation.name == *name).unwrap();
        let root = laid(mutation, folder.path());
        let found_for = |olm: &str, severity: &str| -> Vec<String> {
            let (found, _) = found(&root, olm);
            let codes = found.iter().filter_map(|one| one.strip_prefix(severity)?.strip_prefix(' '));
            codes.filter(|code| OF_V1.contains(code)).map(str::to_owned).collect()
        };
        assert_eq!(found_for("v0", "warning"), *expected, "{name}");
        assert_eq!(found_for("v1", "error"), *expected, "{name}");
    }
}

/// Compares the record with what the validators say, which are compiled for it.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_record_is_what_the_validators_say() {
    let folder = temporary();
    let mutations = mutations();
    let mut verify = tool(super::validator());
    verify.arg("bundle").current_dir(folder.path());
    for mutation in &mutations {
        verify.arg(laid(mutation, folder.path()).file_name().unwrap());
    }
    let said = text(&must(&mut verify).stdout);
    let lines = said.lines().map(|line| serde_json::from_str::<BTreeSet<Said>>(line).unwrap());
    let verdicts: BTreeMap<&str, BTreeSet<Said>> =
        mutations.iter().map(|mutation| mutation.name.as_str()).zip(lines.map(stable)).collect();
    let verdicts = serde_json::to_string_pretty(&verdicts).unwrap() + "\n";
    snapbox::assert_data_eq!(verdicts, snapbox::Data::read_from(&data().join("verdicts.json"), None).raw());
}

/// Cuts what differs from run to run: addresses, and the order of maps.
fn stable(said: BTreeSet<Said>) -> BTreeSet<Said> {
    let cut = |said: Said| {
        let message = match said.message.split_once("Value 0x") {
            Some((before, after)) => format!("{before}Value {}", after.split_once(':').map_or("", |(_, after)| after)),
            None => said.message,
        };
        let message = match message.split_once("&{{") {
            Some((before, _)) => before.to_owned(),
            None => message,
        };
        let message = if message.starts_with("Error: Value {{") || message.starts_with("Error: Field spec.versions") {
            message.rsplit_once("}: ").map_or(message.clone(), |(_, end)| end.to_owned())
        } else {
            message
        };
        Said { level: said.level, message }
    };
    said.into_iter().map(cut).collect()
}

/// Returns the findings that a message stands for.
fn meant(said: &Said, unused: &mut BTreeSet<&str>) -> Vec<String> {
    let found: Vec<&(&str, &str)> = MESSAGES.iter().filter(|(part, _)| said.message.contains(part)).collect();
    // In an example, an object without a kind is a wrong example.
    let of_examples = found.iter().any(|(_, code)| *code == "OP717");
    let found = found.into_iter().filter(|(_, code)| !of_examples || *code == "OP717");
    let found: Vec<_> = found.collect();
    assert!(!found.is_empty(), "{said:?}");
    for (part, _) in &found {
        unused.remove(part);
    }
    found.into_iter().map(|(_, code)| format!("{} {code}", said.level)).collect()
}

/// Returns the severity and the code of each finding of opctl, and its exit code.
fn found(root: &Path, olm: &str) -> (BTreeSet<String>, i32) {
    let mut check = opctl(&["bundle", "--check", "--olm", olm, "-o", "json", "--folder"]);
    let output = check.arg(root).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let each =
        findings.iter().map(|one| format!("{} {}", one["severity"].as_str().unwrap(), one["code"].as_str().unwrap()));
    (each.collect(), output.status.code().unwrap())
}

/// Writes the bundle with the changes of a mutation.
fn laid(mutation: &Mutation, folder: &Path) -> PathBuf {
    let root = folder.join(mutation.name.replace(' ', "-"));
    if root.exists() {
        std::fs::remove_dir_all(&root).unwrap();
    }
    crate::support::lay(&data().join("good"), &root);
    for change in &mutation.changes {
        let file = root.join(&change.file);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        match change.op.as_str() {
            "delete" if file.is_dir() => std::fs::remove_dir_all(&file).unwrap(),
            "delete" => std::fs::remove_file(&file).unwrap(),
            "copy" => drop(std::fs::copy(root.join(text(&change.value)), &file).unwrap()),
            "write" => {
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(&file, text(&change.value)).unwrap();
            }
            "fill" => {
                let bytes = usize::try_from(change.value.as_u64().unwrap()).unwrap();
                let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "large"}, "data": {"a": random(bytes)}});
                std::fs::write(&file, object.to_string()).unwrap();
            }
            _ => {
                let mut object: Value = serde_yaml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
                patch(&mut object, change);
                std::fs::write(&file, object.to_string()).unwrap();
            }
        }
    }
    root
}

fn patch(object: &mut Value, change: &Change) {
    let (above, last) = change.path.rsplit_once('/').unwrap();
    let last = last.replace("~1", "/").replace("~0", "~");
    match (object.pointer_mut(above).unwrap(), change.op.as_str()) {
        (Value::Object(fields), "remove") => drop(fields.remove(&last).unwrap()),
        (Value::Object(fields), _) => drop(fields.insert(last, change.value.clone())),
        (Value::Array(elements), "remove") => drop(elements.remove(last.parse().unwrap())),
        (Value::Array(elements), "add") => elements.insert(last.parse().unwrap(), change.value.clone()),
        (Value::Array(elements), _) => elements[last.parse::<usize>().unwrap()] = change.value.clone(),
        (other, op) => panic!("{op} {}: {other}", change.path),
    }
}

/// Returns a text of so many characters that no compression makes shorter than three quarters.
fn random(length: usize) -> String {
    let mut block = Sha256::digest(b"a large bundle");
    let mut bytes = Vec::new();
    while bytes.len() < length * 3 / 4 {
        bytes.extend_from_slice(&block);
        block = Sha256::digest(block);
    }
    bytes.truncate(length * 3 / 4);
    BASE64_STANDARD.encode(bytes)
}
