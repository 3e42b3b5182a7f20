//! Checks the texts of a CRD outside of its schema: columns, names and annotations.

use super::about::of_type;
use crate::finding::Finding;
use crate::schema::UNUSABLE_CHARACTER;
use crate::source::discover::ApiType;
use crate::yaml::characters;
use serde_json::Value;

/// Reports characters in the CRD of one version, outside of its schema, that kustomize and kubectl refuse or change.
pub(crate) fn check(api_type: &ApiType, crd: &Value) -> Vec<Finding> {
    let columns = crd["spec"]["versions"][0]["additionalPrinterColumns"].as_array().into_iter().flatten();
    let columns = columns.enumerate().map(|(index, column)| (("printcolumn", index), "a printer column", column));
    let others = [
        (("annotation", 0), "an annotation", &crd["metadata"]["annotations"]),
        (("label", 0), "a label", &crd["metadata"]["labels"]),
        (("deprecated", 0), "the deprecation warning", &crd["spec"]["versions"][0]["deprecationWarning"]),
    ];
    let finding = |(attribute, what, value): ((&str, usize), &str, &Value)| {
        let shown = characters::code_point(characters::refused_character(value)?);
        let reason = format!(
            "`{}` has {what} with the character {shown}, which kustomize and kubectl refuse or change",
            api_type.resource.root
        );
        Some(of_type(api_type, attribute, &UNUSABLE_CHARACTER, reason, "remove the character"))
    };
    columns.chain(others).filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::source::discover::{Features, types};
    use std::path::Path;

    #[test]
    fn texts_of_attributes_are_checked_where_they_stand() {
        for (attribute, expected) in [
            ("annotation(\"a\", \"b\\u{7f}\")", "4 an annotation"),
            ("label(\"a\", \"\\u{80}\")", "4 a label"),
            ("deprecated = \"old\\u{9f}\"", "4 the deprecation warning"),
            ("printcolumn(name = \"A\\u{ffff}\", type_ = \"string\", json_path = \".spec.a\")", "4 a printer column"),
            (
                "printcolumn(name = \"A\", type_ = \"string\", json_path = \".spec.a\"),
                 printcolumn(name = \"B\", type_ = \"string\", json_path = \".spec.b\", description = \"\\u{fffe}\")",
                "5 a printer column",
            ),
            ("annotation(\"a\", \"b\\u{1b}\")", ""),
            ("deprecated = \"alt\\u{2028}\"", ""),
        ] {
            let text = format!(
                "#[derive(CustomResource)]\n#[kube(\ngroup = \"g.example\", version = \"v1\", kind = \"Foo\",\n{attribute})]\n\
                 pub struct FooSpec {{}}"
            );
            let found = types(Path::new("types.rs"), &|_| Ok(Some(text.clone())), &Features::default());
            let found = found.expect("Rust").0;
            let findings = check(&found[0], &found[0].resource.stated);
            let said: Vec<String> = findings
                .iter()
                .map(|one| format!("{} {}", one.line, one.reason.trim_start_matches("`Foo` has ")))
                .collect();
            let fits =
                said.len() == usize::from(!expected.is_empty()) && said.iter().all(|one| one.starts_with(expected));
            assert!(fits, "{attribute}: {said:?}");
        }
    }
}
