//! Warns about validation rules that no API server has checked yet.

use crate::finding::{Finding, Lint};
use crate::schema::rules;
use crate::source::discover::ApiType;
use crate::source::places::LazyPlaces;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[&UNVERIFIED];

pub(crate) static UNVERIFIED: Lint = Lint::warning(
    "OP551",
    "CEL rules that no API server has checked",
    "Only an API server can check the types and the cost of a rule: it says `no matching overload` or `exceeds \
     budget`. `opctl manifests --verify` asks an API server on this machine, and remembers the answer until the CRD \
     changes.",
    "opctl manifests",
    "opctl manifests --verify",
);

/// Warns that only an API server can check the types and cost of a CRD's CEL rules. The warning is at the first rule of
/// the storage version or, if that version has no rules, of the first version with rules. `types` are the types of the
/// versions, in the order of the versions.
pub(crate) fn unchecked_rules_finding(definition: &Value, types: &[&ApiType], sources: &LazyPlaces) -> Option<Finding> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten().zip(types);
    let found = versions.filter_map(|(version, api_type)| {
        let paths = rules::paths(&version["schema"]["openAPIV3Schema"]);
        Some((version["storage"] == true, *api_type, paths.first()?.clone(), paths.len()))
    });
    let found: Vec<(bool, &ApiType, String, usize)> = found.collect();
    let (_, api_type, path, _) = found.iter().find(|(stored, ..)| *stored).or(found.first())?;
    let rules: usize = found.iter().map(|(.., count)| count).sum();
    let have = if rules == 1 { "a rule".to_owned() } else { format!("{rules} rules") };
    let kind = &api_type.resource.kind;
    let reason = format!("`{kind}` has {have} in CEL, whose types and cost only an API server can judge");
    let hint = "opctl manifests --verify    # asks one on this machine, and remembers the answer";
    let (file, line) = sources.places().field(api_type, path).unwrap_or((&api_type.file, api_type.line));
    let mut finding = Finding::new(&UNVERIFIED, file, line, reason, hint);
    finding.resource = Some(api_type.path.clone());
    finding.definition = definition["metadata"]["name"].as_str().map(str::to_owned);
    finding.rust_type = Some(api_type.spec.clone());
    Some(finding)
}
