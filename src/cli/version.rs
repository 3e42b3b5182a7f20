//! `opctl version`.

use super::write::VERSION;
use crate::model::LAYOUT;
use crate::report::Report;
use clap::Args;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
    opctl version
    opctl version -o json";

/// Show opctl's version and what its projects are made with
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct VersionArgs {}

/// The versions of these crates in the lock file of a new project.
const CRATES: [&str; 3] = ["kube", "k8s-openapi", "schemars"];

pub(super) fn run(_: &VersionArgs) -> Report {
    let locked: Vec<(&str, &str)> = CRATES.iter().filter_map(|name| Some((*name, locked(name)?))).collect();
    let mut text = format!("opctl {VERSION}\nlayout {LAYOUT}");
    let mut data = json!({ "opctl": VERSION, "layout": LAYOUT });
    for (name, version) in locked {
        text.push_str(&format!("\n{name} {version}"));
        data[name] = json!(version);
    }
    Report::shown("version", text, data)
}

fn locked(name: &str) -> Option<&'static str> {
    let lock = include_str!("../../templates/project/Cargo.lock.tera");
    let package = lock.split("[[package]]\n").find(|package| package.starts_with(&format!("name = \"{name}\"\n")))?;
    package.lines().nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}
