//! Finds fields that are lost between the versions of a kind without a conversion webhook.
//!
//! Without a webhook the API server changes nothing but `apiVersion`, and drops the fields that the schema of the
//! requested version lacks (Kubernetes documentation, "Versions in `CustomResourceDefinitions`").

use super::about::of_type;
use crate::finding::{Finding, Lint};
use crate::model::{FieldDifference, field_differences};
use crate::source::discover::ApiType;
use crate::source::places::{LazyPlaces, Places};
use crate::webhook_markers::conversion_command;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[&NOTHING_SERVED, &UNLIKE_VERSIONS, &LACKING_VERSION];

pub(crate) static NOTHING_SERVED: Lint = Lint::error(
    "OP511",
    "a kind without a served version",
    "The API server accepts the CRD, but serves no version: no object of the kind can be read or written.",
    "#[kube(version = \"v1\", kind = \"Foo\", served = false)] // the only version",
    "#[kube(version = \"v1\", kind = \"Foo\")]",
);

pub(crate) static UNLIKE_VERSIONS: Lint = Lint::warning(
    "OP513",
    "a field whose type differs between two versions of a kind",
    "Without a conversion webhook the server changes nothing but `apiVersion`: a value that was stored as a string is \
     sent as that string through the version in which the field is a number, and a client of that version cannot read \
     it. If no object is used through both versions, or a webhook is deployed by other means, allow the warning with \
     a reason.",
    "struct FooSpec { size: String } // v1\nstruct FooSpec { size: i32 } // v2",
    "struct FooSpec { size: String } // v1\nstruct FooSpec { replicas: i32 } // v2",
);

pub(crate) static LACKING_VERSION: Lint = Lint::warning(
    "OP552",
    "a field that another version of the kind lacks",
    "Without a conversion webhook the server drops the field from objects that are read or written through the \
     version that lacks it, so a write also drops it from the stored object.",
    "struct FooSpec { size: i32 } // v1\nstruct FooSpec { size: i32, color: String } // v2",
    "struct FooSpec { size: i32, color: Option<String> } // v1\nstruct FooSpec { size: i32, color: Option<String> } // v2",
);

/// One of the two versions in a comparison.
struct Side<'a> {
    api_type: &'a ApiType,
    schema: &'a Value,
}

/// The text in a hint before the command that adds a conversion.
const CONVERT: &str = "; or a conversion:\n";

/// Joins the findings about fields that exist in only one of two versions of a CRD into one finding for each pair of
/// versions. Runs after opctl has removed the findings that `+opctl:allow` markers allow.
pub(crate) fn join_version_findings(findings: Vec<Finding>) -> Vec<Finding> {
    let (lacking, mut joined): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| finding.code == LACKING_VERSION.code);
    let mut pairs: Vec<Vec<Finding>> = Vec::new();
    for finding in lacking {
        let same = |pair: &&mut Vec<Finding>| {
            (&pair[0].definition, &pair[0].version) == (&finding.definition, &finding.version)
        };
        match pairs.iter_mut().find(same) {
            Some(pair) => pair.push(finding),
            None => pairs.push(vec![finding]),
        }
    }
    joined.extend(pairs.into_iter().map(one_of));
    joined
}

fn one_of(mut pair: Vec<Finding>) -> Finding {
    pair.sort_by(|one, other| (&one.resource, &one.file, one.line).cmp(&(&other.resource, &other.file, other.line)));
    let mut first = pair[0].clone();
    (first.definition, first.version) = (None, None);
    if pair.len() == 1 {
        return first;
    }
    let sides = pair.chunk_by(|one, other| one.resource == other.resource).map(|side| {
        let field = |finding: &Finding| {
            let path = finding.path.as_deref().unwrap_or_default().trim_start_matches('.');
            format!("`{path}` ({})", finding.place())
        };
        let fields: Vec<String> = side.iter().map(field).collect();
        format!("only `{}` has {}", side[0].resource.as_deref().unwrap_or_default(), fields.join(", "))
    });
    first.reason = format!(
        "two versions differ in {} fields, which are lost when an object is read or written through the version that \
         lacks them: {}",
        pair.len(),
        sides.collect::<Vec<_>>().join("; ")
    );
    let conversion = first.hint.split_once(CONVERT).map_or("", |(_, command)| command);
    first.hint =
        format!("use the same fields in both versions, or `served = false` on one of them{CONVERT}{conversion}");
    first
}

/// Compares the served versions of a CRD with the storage version, unless a webhook converts the versions; `types` are
/// the types of the versions, in the order of the versions.
pub(crate) fn check(definition: &Value, types: &[&ApiType], sources: &LazyPlaces, converted: bool) -> Vec<Finding> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten().zip(types);
    let served: Vec<(&Value, Side)> = versions
        .filter(|(version, _)| version["served"] == true)
        .map(|(version, api_type)| (version, Side { api_type, schema: &version["schema"]["openAPIV3Schema"] }))
        .collect();
    let mut findings = Vec::new();
    let Some((base, (_, one))) = served
        .iter()
        .enumerate()
        .find(|(_, (version, _))| version["storage"] == true)
        .or_else(|| served.iter().enumerate().next())
    else {
        if let Some(first) = types.first() {
            findings.push(unserved_kind_finding(first, types.len()));
        }
        return findings;
    };
    if converted || served.len() == 1 {
        return findings;
    }
    for (_, (_, other)) in served.iter().enumerate().filter(|(index, _)| *index != base) {
        let found = field_differences(one.schema, other.schema);
        findings.extend(found.into_iter().map(|found| finding(&found, one, other, sources.places())));
    }
    findings
}

fn unserved_kind_finding(first: &ApiType, count: usize) -> Finding {
    let kind = &first.resource.kind;
    let which =
        if count == 1 { "its only version is not".to_owned() } else { format!("none of its {count} versions is") };
    let reason = format!("`{kind}` cannot be used: {which} served");
    of_type(
        first,
        ("served", 0),
        &NOTHING_SERVED,
        reason,
        "remove `served = false` from the version that clients should use",
    )
}

fn finding(difference: &FieldDifference, one: &Side, other: &Side, places: &Places) -> Finding {
    let place = |side: &Side, path: &str| {
        let (file, line) = places.field(side.api_type, path).unwrap_or((&side.api_type.file, side.api_type.line));
        (file.to_owned(), line)
    };
    let named = |side: &Side, path: &str| {
        let (file, line) = place(side, path);
        format!("`{}` ({}:{line})", side.api_type.path, file.display())
    };
    let spoke = if one.api_type.resource.storage { other } else { one };
    let conversion = format!("{CONVERT}{}", conversion_command(spoke.api_type));
    match difference {
        FieldDifference::Missing { path, in_other } => {
            let (has, lacks) = if *in_other { (one, other) } else { (other, one) };
            let (file, line) = place(has, path);
            let reason = format!(
                "the field `{path}` of {} is not in {}: it is lost when an object is read or written through the \
                 version that lacks it",
                named(has, path),
                named(lacks, path),
            );
            let hint = format!(
                "also add the field to `{}`, or use `served = false` on one of the versions{conversion}",
                lacks.api_type.path
            );
            let mut finding = locate_in_type(Finding::new(&LACKING_VERSION, &file, line, reason, hint), has, path);
            finding.definition = Some(format!("{}.{}", one.api_type.resource.kind, one.api_type.resource.group));
            finding.version = Some(other.api_type.resource.version.clone());
            finding
        }
        FieldDifference::Unlike { path, one: kind, other: other_kind } => {
            let (file, line) = place(other, path);
            let reason = format!(
                "the field `{path}` is of the type {kind} in {}, and of the type {other_kind} in {}: a value that is \
                 stored through one version is refused, or cannot be read, through the other",
                named(one, path),
                named(other, path),
            );
            let hint = format!("use one type in both versions, or another name for the new field{conversion}");
            locate_in_type(Finding::new(&UNLIKE_VERSIONS, &file, line, reason, hint), other, path)
        }
    }
}

fn locate_in_type(mut finding: Finding, side: &Side, path: &str) -> Finding {
    finding.resource = Some(side.api_type.path.clone());
    finding.path = Some(format!(".{path}"));
    finding
}

#[cfg(test)]
mod tests {
    use super::{LACKING_VERSION, join_version_findings};
    use crate::finding::Finding;
    use std::path::Path;

    fn lacking(has: &str, other: &str, field: &str, line: usize) -> Finding {
        let mut finding =
            Finding::new(&LACKING_VERSION, Path::new("a.rs"), line, format!("the field `{field}`"), "the field");
        finding.definition = Some("disks.example.com".to_owned());
        finding.version = Some(other.to_owned());
        finding.resource = Some(format!("{has}::Disk"));
        finding.path = Some(format!(".{field}"));
        finding
    }

    #[test]
    fn two_versions_are_one_finding() {
        let found = vec![
            lacking("v1", "v1alpha1", "spec.size", 7),
            lacking("v1alpha1", "v1alpha1", "spec.a", 3),
            lacking("v1", "v1alpha1", "spec.b", 5),
            lacking("v1", "v1beta1", "spec.size", 7),
        ];
        let said: Vec<String> =
            join_version_findings(found).into_iter().map(|one| format!("{}: {}", one.place(), one.reason)).collect();
        let first = "a.rs:5: two versions differ in 3 fields, which are lost when an object is read or written through \
                     the version that lacks them: only `v1::Disk` has `spec.b` (a.rs:5), `spec.size` (a.rs:7); only `v1alpha1::Disk` has \
                     `spec.a` (a.rs:3)";
        assert_eq!(said, [first, "a.rs:7: the field `spec.size`"]);
    }
}
