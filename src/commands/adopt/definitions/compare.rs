//! Compares the CRDs that the types generate with the CRDs that were imported.

use super::project::ImportedVersion;
use super::read::FileContents;
use crate::manifest::{KeywordDifference, keyword_differences};
use serde_json::{Value, json};
use std::fmt::Write;

/// The differences between the imported and the generated CRD of one kind.
pub(super) struct CrdDifferences<'a> {
    name: &'a str,
    differences: Vec<KeywordDifference>,
}

/// Compares each imported CRD with the generated CRD of the same name.
pub(super) fn compare<'a>(
    found: &'a FileContents,
    made: &[ImportedVersion<'_>],
    now: &[Value],
) -> Vec<CrdDifferences<'a>> {
    let mut all = Vec::new();
    for definition in &found.definitions {
        let is_own = |one: &&ImportedVersion<'_>| std::ptr::eq(one.definition, definition);
        let Some(name) = definition.object["metadata"]["name"].as_str().filter(|_| made.iter().any(|one| is_own(&one)))
        else {
            continue;
        };
        let after = now.iter().find(|now| now["metadata"]["name"] == name).unwrap_or(&Value::Null);
        all.push(CrdDifferences { name, differences: keyword_differences(&definition.object, after) });
    }
    all
}

/// Returns the number of CRDs without differences, and the number of all compared CRDs.
pub(super) fn equal(compared: &[CrdDifferences<'_>]) -> (usize, usize) {
    (compared.iter().filter(|one| one.differences.is_empty()).count(), compared.len())
}

/// Renders the differences for people. Differences within a type of k8s-openapi are only counted, because they are
/// differences between two versions of that type.
pub(super) fn text(compared: &[CrdDifferences<'_>], made: &[ImportedVersion<'_>]) -> String {
    let mut text = String::new();
    for one in compared.iter().filter(|one| !one.differences.is_empty()) {
        let _ = writeln!(text, "{}", one.name);
        let mut counted: Vec<(String, usize)> = Vec::new();
        for difference in &one.differences {
            let Some((path, known)) = find_known_type_field(difference, one.name, made) else {
                let _ = writeln!(text, "  {}", difference.line());
                continue;
            };
            let line = format!("{} `{path}`: now has the k8s-openapi type `{known}`", difference.version);
            match counted.iter_mut().find(|(known, _)| *known == line) {
                Some((_, count)) => *count += 1,
                None => counted.push((line, 1)),
            }
        }
        for (line, count) in counted {
            let keywords = if count == 1 { "keyword differs" } else { "keywords differ" };
            let _ = writeln!(text, "  {line}: {count} {keywords}, see `-o json`");
        }
    }
    text.trim_end().to_owned()
}

/// Returns the path and the k8s-openapi type of the field that contains the difference; `None` if no field with a
/// k8s-openapi type contains it.
fn find_known_type_field<'m>(
    difference: &KeywordDifference,
    name: &str,
    made: &'m [ImportedVersion<'_>],
) -> Option<(&'m str, &'m str)> {
    let version = made.iter().find(|one| {
        one.definition.object["metadata"]["name"] == name && one.resource.key.version.as_str() == difference.version
    })?;
    let holds = |path: &str| {
        difference.path == path
            || difference.path.strip_prefix(path).is_some_and(|rest| rest.starts_with(['.', '[', '{']))
    };
    let known = version.code.known.iter().find(|(path, _)| holds(path))?;
    Some((known.0.as_str(), known.1.as_str()))
}

/// Returns the differences as JSON.
pub(super) fn data(compared: &[CrdDifferences<'_>]) -> Value {
    let one = |one: &CrdDifferences<'_>| {
        let differences: Vec<Value> = one.differences.iter().map(KeywordDifference::to_json).collect();
        json!({ "definition": one.name, "differences": differences })
    };
    compared.iter().map(one).collect()
}
