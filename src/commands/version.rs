//! The command `opctl version`: shows the versions of opctl and of the crates in new projects.

use super::command::OpctlCommand;
use super::context::Context;
use super::write::VERSION;
use crate::Result;
use crate::envtest::PINNED;
use crate::model::LAYOUT;
use crate::report::{Report, columns};
use clap::Args;
use serde_json::{Map, Value, json};

const EXAMPLES: &str = "\
Examples:
    opctl version
    opctl version -o json";

/// Show the versions of opctl and of the crates in new projects
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VersionArgs {}

/// The crates whose versions `opctl version` shows, as in the lock file of a new project.
const CRATES: [&str; 3] = ["kube", "k8s-openapi", "schemars"];

impl OpctlCommand for VersionArgs {
    fn run(&self, _: &Context) -> Result<Report> {
        Ok(run(self))
    }
}

fn run(_: &VersionArgs) -> Report {
    let lines = lines();
    let rows: Vec<_> =
        lines.iter().map(|(name, value, about)| [(*name).to_owned(), append_remark(value, about)]).collect();
    let data: Map<String, Value> = lines.iter().map(|(name, value, _)| ((*name).to_owned(), json!(value))).collect();
    Report::shown("version", columns(&rows), data.into())
}

fn append_remark(value: &str, about: &str) -> String {
    if about.is_empty() { value.to_owned() } else { format!("{value}   ({about})") }
}

/// Returns the lines of the output, each with a name, a value and a remark.
fn lines() -> Vec<(&'static str, String, &'static str)> {
    let mut lines = vec![("opctl", VERSION.to_owned(), "")];
    // A build for development, or of sources without git, does not know these values.
    lines.extend(option_env!("OPCTL_COMMIT").map(|commit| ("commit", commit.to_owned(), "")));
    lines.extend(option_env!("OPCTL_RUSTC").map(|rustc| ("rustc", rustc.to_owned(), "")));
    lines.extend(option_env!("OPCTL_TARGET").map(|target| ("target", target.to_owned(), "")));
    lines.push(("layout", LAYOUT.to_owned(), "of new projects"));
    lines.extend(CRATES.iter().filter_map(|name| Some((*name, locked_version(name)?, "in new projects"))));
    lines.extend(kubernetes().map(|version| ("kubernetes", version, "the API version that new projects use")));
    lines.push(("envtest", PINNED.to_string(), "default Kubernetes version; `--version` chooses another"));
    lines
}

pub(super) fn locked_version(name: &str) -> Option<String> {
    let lock = include_str!("../../templates/project/Cargo.lock.tera");
    versions_in(lock, name).next().map(str::to_owned)
}

/// Returns the versions of a package in a lock file.
pub(super) fn versions_in<'a>(lock: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!("name = \"{name}\"\n");
    let packages = lock.split("[[package]]\n").filter(move |package| package.starts_with(&begin));
    packages.filter_map(|package| package.lines().nth(1)?.strip_prefix("version = \"")?.strip_suffix('"'))
}

/// Returns the version of Kubernetes whose types new projects use, such as `1.37`. A feature of k8s-openapi in the
/// template of a project names this version.
fn kubernetes() -> Option<String> {
    let manifest = include_str!("../../templates/project/api/Cargo.toml.tera");
    let feature = manifest.lines().find_map(|line| line.strip_prefix("default = [\"v")?.strip_suffix("\"]"))?;
    Some(feature.replace('_', "."))
}
