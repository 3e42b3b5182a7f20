use super::lints;

#[test]
fn every_lint_on_bundles_is_listed_once() {
    let mut codes = Vec::new();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/olm")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let text = std::fs::read_to_string(path).unwrap();
            let starts = ["error(\n    \"", "warning(\n    \""].map(|start| format!(": Lint = Lint::{start}"));
            let found = starts.iter().flat_map(|start| text.split(start.as_str()).skip(1));
            codes.extend(found.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
    codes.sort();
    let listed: Vec<&str> = lints().iter().map(|lint| lint.code).collect();
    assert_eq!(codes, listed);
    assert!(listed.is_sorted_by(|one, other| one < other), "a code is given twice");
    assert!(listed.iter().all(|code| code.starts_with("OP7")), "bundles have a hundred of their own");
}
