//! Compares `opctl bundle --check --olm v1` with the operator-controller of OLM v1, on mutations of a good bundle.
//!
//! `testdata/bundle-mutations/refusals-of-v1.json` records why the operator-controller does not install a bundle:
//! its messages (of commit df2c201d, which follows v1.11.0), with webhooks enabled and installation into single
//! namespaces disabled. A bundle that the file does not name is installed.

use super::mutations::{OF_V1, data, found, laid, mutations};
use crate::support::temporary;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of the operator-controller's messages, each with the codes of the corresponding findings of opctl.
const MESSAGES: &[(&str, &str)] = &[
    ("subdirectories are not allowed", "OP701"),
    ("stat manifests", "OP701"),
    ("error converting YAML to JSON", "OP702"),
    ("error parsing objects in", "OP702"),
    ("no ClusterServiceVersion found", "OP703"),
    ("open metadata/annotations.yaml", "OP701 OP704"),
    ("unsupported resource", "OP706"),
    ("conversion webhooks are only supported for bundles that only support AllNamespaces", "OP714"),
    ("must have .spec.preserveUnknownFields set to false", "OP731"),
    ("references owned custom resource definition", "OP732"),
    ("contains duplicate custom resource definition", "OP734"),
    ("apiServiceDefintions are not supported", "OP771"),
    ("does not support AllNamespaces install mode", "OP772"),
    ("which is currently not supported", "OP773"),
    ("references non-existent deployment", "OP774"),
    ("duplicate webhook", "OP774"),
    ("has invalid name", "OP774"),
    ("not owned bundle", "OP774"),
    ("reference same custom resource definition", "OP774"),
    ("contains forbidden rule", "OP775"),
    ("duplicate strategy deployment", "OP776"),
    ("invalid cluster service version strategy deployment name", "OP776"),
    ("package name is empty", "OP776"),
];

/// Returns the codes of the findings that correspond to a message. opctl must report one of these findings.
fn codes(message: &str) -> Vec<&'static str> {
    let known = MESSAGES.iter().find(|(part, _)| message.contains(part));
    known.unwrap_or_else(|| panic!("{message}")).1.split(' ').collect()
}

#[test]
fn refusals_are_those_of_the_operator_controller() {
    let folder = temporary();
    let recorded = std::fs::read_to_string(data().join("refusals-of-v1.json")).unwrap();
    let mut recorded: BTreeMap<String, Vec<String>> = serde_json::from_str(&recorded).unwrap();
    let mut wrong = Vec::new();
    for mutation in mutations() {
        let refusals = recorded.remove(&mutation.name).unwrap_or_default();
        let root = laid(&mutation, folder.path());
        let of_v1 = |olm: &str, severity: &str| -> (BTreeSet<String>, i32) {
            let (found, code) = found(&root, olm);
            (
                found
                    .iter()
                    .filter_map(|one| one.strip_prefix(severity)?.strip_prefix(' '))
                    .map(str::to_owned)
                    .collect(),
                code,
            )
        };
        let (errors, code) = of_v1("v1", "error");
        let unseen: Vec<_> =
            refusals.iter().filter(|one| !codes(one).iter().any(|code| errors.contains(*code))).collect();
        let known: BTreeSet<&str> = refusals.iter().flat_map(|one| codes(one)).collect();
        let alone = |found: &BTreeSet<String>| -> BTreeSet<String> {
            found.iter().filter(|code| OF_V1.contains(&code.as_str())).cloned().collect()
        };
        let needless: Vec<_> = alone(&errors).into_iter().filter(|code| !known.contains(code.as_str())).collect();
        // What OLM v1 alone refuses is a warning for those who did not ask for v1.
        let warnings = alone(&of_v1("v0", "warning").0);
        if !unseen.is_empty()
            || !needless.is_empty()
            || warnings != alone(&errors)
            || code != i32::from(!errors.is_empty())
        {
            wrong.push(format!(
                "{}: exit code {code}\n  opctl does not find {unseen:?}\n  opctl alone finds {needless:?}\n  v0 {warnings:?}, v1 {errors:?}",
                mutation.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(recorded.is_empty(), "no mutation is called {:?}", recorded.keys());
}
