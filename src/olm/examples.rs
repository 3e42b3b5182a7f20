//! Checks the examples of custom resources in the annotations of the `ClusterServiceVersion`.

use super::manifest::{Manifest, annotations, text};
use crate::finding::{Finding, Lint};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&EXAMPLES, &NO_EXAMPLE];

pub(super) static EXAMPLES: Lint = Lint::error(
    "OP717",
    "examples in `alm-examples` that are not custom resources of the operator",
    "The annotation `alm-examples` is a JSON list of custom resources of the kinds that the ClusterServiceVersion owns. \
     Consoles offer them to users.",
    "alm-examples: '[{\"apiVersion\": \"example.com/v1\", \"kind\": \"Other\"}]'",
    "alm-examples: '[{\"apiVersion\": \"example.com/v1\", \"kind\": \"WebServer\"}]'",
);

pub(super) static NO_EXAMPLE: Lint = Lint::warning(
    "OP718",
    "a kind of the operator without an example in `alm-examples`",
    "Consoles show users an example of each kind of the operator, but the annotation `alm-examples` has no example of \
     this kind. `opctl bundle` fills the annotation with the samples in `config/samples`.",
    "alm-examples: '[]'",
    "alm-examples: '[{\"apiVersion\": \"example.com/v1\", \"kind\": \"WebServer\"}]'",
);

const PLACE: &str = "/metadata/annotations/alm-examples";

pub(super) fn check(version: &Manifest) -> Vec<Finding> {
    let find = |name: &str| annotations(&version.value).find(|(other, _)| *other == name).map(|(_, text)| text);
    let (alm, olm) = (find("alm-examples"), find("olm.examples"));
    let mut findings = Vec::new();
    if alm.is_some() && olm.is_some() {
        let reason =
            "the ClusterServiceVersion has both `alm-examples` and `olm.examples`, but only `alm-examples` is read";
        findings.push(version.finding(&NO_EXAMPLE, PLACE, reason, "remove `olm.examples`"));
    }
    let Some(examples) = alm.or(olm) else {
        let reason = "the ClusterServiceVersion has no annotation `alm-examples`";
        findings.push(version.finding(&NO_EXAMPLE, "/metadata/annotations", reason, "alm-examples: '[{..}]'"));
        return findings;
    };
    let shown = match parse_examples(examples) {
        Ok(shown) => shown,
        Err(reason) => {
            let reason = format!("the annotation `alm-examples` is not a JSON list of objects: {reason}");
            let hint = "alm-examples: '[{\"apiVersion\": \"example.com/v1\", \"kind\": \"WebServer\"}]'";
            findings.push(version.finding(&EXAMPLES, PLACE, reason, hint));
            return findings;
        }
    };
    let provided = owned_kinds(version);
    for (api, kind) in shown.difference(&provided) {
        let reason = format!(
            "`alm-examples` has an example of `{kind}` in `{api}`, a kind that the ClusterServiceVersion does not own"
        );
        findings.push(version.finding(&EXAMPLES, PLACE, reason, "remove the example, or add its kind to `owned`"));
    }
    for (api, kind) in provided.difference(&shown) {
        let reason = format!("the annotation `alm-examples` has no example of `{kind}` in `{api}`");
        let hint = format!("{{\"apiVersion\": \"{api}\", \"kind\": \"{kind}\", ..}}");
        findings.push(version.finding(&NO_EXAMPLE, PLACE, reason, hint));
    }
    findings
}

/// The `apiVersion` and the `kind` of an example.
type Kind = (String, String);

fn parse_examples(examples: &str) -> Result<BTreeSet<Kind>, String> {
    if examples.is_empty() {
        return Ok(BTreeSet::new());
    }
    let examples: Vec<Value> = serde_json::from_str(examples).map_err(|error| error.to_string())?;
    let kind = |example: &Value| match text(example, "/kind") {
        "" => Err("an object has no `kind`".to_owned()),
        kind => Ok((text(example, "/apiVersion").to_owned(), kind.to_owned())),
    };
    examples.iter().map(kind).collect()
}

fn owned_kinds(version: &Manifest) -> BTreeSet<Kind> {
    let definitions = version.list("/spec/customresourcedefinitions/owned").iter().filter_map(|owned| {
        let (_, group) = text(owned, "/name").split_once('.')?;
        Some((format!("{group}/{}", text(owned, "/version")), text(owned, "/kind").to_owned()))
    });
    let services = version.list("/spec/apiservicedefinitions/owned").iter().map(|owned| {
        let api = format!("{}/{}", text(owned, "/group"), text(owned, "/version"));
        (api, text(owned, "/kind").to_owned())
    });
    definitions.chain(services).collect()
}
