//! The dashboards of `opctl edit --enable grafana`: each query is valid `PromQL` over metrics that an operator serves.

use crate::support::{must, opctl, temporary};
use promql_parser::parser::{self, Expr};
use promql_parser::util::{ExprVisitor, walk_expr};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

struct Names(BTreeSet<String>);

impl ExprVisitor for Names {
    type Error = String;

    fn pre_visit(&mut self, expression: &Expr) -> Result<bool, String> {
        let selector = match expression {
            Expr::VectorSelector(selector) => Some(selector),
            Expr::MatrixSelector(matrix) => Some(&matrix.vs),
            _ => None,
        };
        self.0.extend(selector.and_then(|selector| selector.name.clone()));
        Ok(true)
    }
}

/// Returns the metrics that the dashboards of the project at `root` show.
fn metrics(root: &Path) -> BTreeSet<String> {
    let mut names = Names(BTreeSet::new());
    for entry in root.join("config/grafana").read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let dashboard: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().unwrap() {
                // Grafana replaces this variable by a duration.
                let query = target["expr"].as_str().unwrap().replace("$__rate_interval", "5m");
                let parsed = parser::parse(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
                walk_expr(&mut names, &parsed).unwrap();
            }
        }
    }
    names.0
}

/// Checks that a query is valid `PromQL`, and that it uses only metrics that the dashboards show.
pub(crate) fn is_about_metrics(query: &str) {
    let mut names = Names(BTreeSet::new());
    let parsed = parser::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    walk_expr(&mut names, &parsed).unwrap();
    let shown = metrics(made().path());
    let unknown: Vec<&String> = names.0.iter().filter(|name| !shown.contains(*name)).collect();
    assert!(unknown.is_empty() && !names.0.is_empty(), "{query}: {unknown:?}");
}

/// Makes a project with dashboards.
fn made() -> tempfile::TempDir {
    let folder = temporary();
    must(opctl(&["init", "--domain", "example.com"]).current_dir(folder.path()));
    must(opctl(&["edit", "--enable", "grafana"]).current_dir(folder.path()));
    folder
}

/// Checks that an operator serves every metric that the dashboards at `root` show, and that the dashboards show every
/// metric that it serves except `process_virtual_memory_bytes`. `text` is the response of the operator's `/metrics`.
pub(crate) fn are_of(root: &Path, text: &str) {
    let shown = metrics(root);
    let served =
        |name: &str| text.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' '])));
    let unknown: Vec<&String> = shown.iter().filter(|name| !served(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not in\n{text}");
    let families = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    let left: Vec<&str> = families.filter(|family| !shown.iter().any(|name| name.starts_with(family))).collect();
    // Of the metrics about memory, the dashboards show the resident part only.
    assert_eq!(left, ["process_virtual_memory_bytes"]);
}

#[test]
fn every_query_is_promql() {
    assert!(metrics(made().path()).len() > 15);
}
