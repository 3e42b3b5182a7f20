//! The list of all lints, by code.

use super::generate_crds;
use super::{against, definition, lint};
use crate::finding::Lint;
use crate::permissions::{rbac, rights};
use crate::schema;
use crate::source::{discover, markers, newer_types};
use crate::webhook_markers;

/// The lints of modules that define a single lint.
static SINGLE: &[&Lint] = &[
    &rights::MISSING_RIGHT,
    &rights::WHOLE_KIND,
    &markers::UNKNOWN_MARKER,
    &generate_crds::NO_SCHEMA,
    &newer_types::NEWER_TYPE,
];

/// Returns every lint, sorted by code.
pub fn lints() -> Vec<&'static Lint> {
    let listed = [SINGLE, rbac::LINTS, webhook_markers::LINTS, discover::LINTS, definition::LINTS]
        .into_iter()
        .flatten()
        .copied();
    let mut lints: Vec<_> = listed.chain(schema::lints()).chain(lint::lints()).chain(against::lints()).collect();
    lints.sort_by_key(|lint| lint.code);
    lints
}

/// Returns the lint with this code; upper and lower case are equal.
pub fn find_lint(code: &str) -> Option<&'static Lint> {
    lints().into_iter().find(|lint| lint.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::lints;
    use std::path::Path;

    /// Collects the codes of the lints that the files in `folder` define.
    fn defined(folder: &Path, codes: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                defined(&path, codes);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let starts = ["error(\n    \"", "warning(\n    \""].map(|start| format!(": Lint = Lint::{start}"));
                let found = starts.iter().flat_map(|start| text.split(start.as_str()).skip(1));
                codes.extend(found.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
            }
        }
    }

    #[test]
    fn every_lint_is_listed_under_a_code_of_its_own() {
        let mut codes = Vec::new();
        defined(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut codes);
        // Findings of explore have words as codes, in a list beside them.
        // Those on bundles are in the list of `olm`.
        codes.retain(|code| code.starts_with("OP") && !code.starts_with("OP7"));
        codes.sort();
        let listed: Vec<&str> = lints().iter().map(|lint| lint.code).collect();
        assert_eq!(codes, listed);
        assert!(listed.is_sorted_by(|one, other| one < other), "a code is given twice");
    }
}
