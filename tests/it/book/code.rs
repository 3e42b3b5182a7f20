//! Code in the chapters: it is included from files that are compiled or applied by tests.

use super::chapters::{chapter, included, names};

/// The folders whose files other tests compile, format, lint and run.
const COMPILED: [&str; 3] = ["/testdata/operators/", "/testdata/golden/", "/testdata/conversion/"];

/// Returns the lines of each code block whose language is one of `languages`.
fn code(text: &str, languages: &[&str]) -> Vec<Vec<String>> {
    let mut blocks: Vec<Vec<String>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(language) => {
                inside = !inside && languages.contains(&language);
                if inside {
                    blocks.push(Vec::new());
                }
            }
            None if inside => blocks.last_mut().unwrap().push(line.to_owned()),
            None => {}
        }
    }
    blocks
}

#[test]
fn code_is_included_from_what_is_tested() {
    let mut count = 0;
    for name in names() {
        for line in code(&chapter(&name), &["rust"]).iter().flatten().filter(|line| !line.is_empty()) {
            let (path, _) = included(line).unwrap_or_else(|| panic!("{name}: `{line}` includes nothing"));
            assert!(COMPILED.iter().any(|folder| path.starts_with(folder)), "{name}: no test compiles `{path}`");
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

/// Every rule of the page about alerts is valid `PromQL` over metrics that an operator serves.
#[test]
fn alerts_are_about_metrics_that_there_are() {
    let blocks = code(&chapter("how-to/metrics-and-alerts"), &["yaml"]);
    let rule: serde_json::Value = serde_yaml::from_str(&blocks[0].join("\n")).unwrap();
    let rules = rule["spec"]["groups"][0]["rules"].as_array().unwrap().clone();
    assert_eq!(rules.len(), 4);
    for rule in rules {
        crate::dashboards::is_about_metrics(rule["expr"].as_str().unwrap());
    }
}
