//! Compares `opctl bundle --check` with the validators of operator-framework, on mutations of a good bundle.
//!
//! `testdata/bundle-mutations/verdicts.json` records the messages of the validators. Each message corresponds to
//! the code of a finding that opctl must report.

use super::mutations::{OF_V1, data, found, laid, mutations};
use crate::support::{must, temporary, text, tool};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of the validators' messages, each with the code of the corresponding finding of opctl.
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

/// A message of a validator, with its level.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
struct Said {
    level: String,
    message: String,
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

/// The recorded messages are the messages of the validators, which this test compiles and runs.
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

/// Removes the parts of messages that differ in each run: addresses, and maps in random order.
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

/// Returns the findings that opctl must report for a message of a validator, each as a level and a code. Removes from
/// `unused` the parts of [`MESSAGES`] that the message contains.
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
