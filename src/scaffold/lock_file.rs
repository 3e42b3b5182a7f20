//! The lock file of a new project: the tested one, with the project's own packages where cargo sorts them.

use crate::model::Project;

/// Dependencies of the project's packages, as cargo lists them in the lock file. `@api` stands for the api package.
const OPERATOR: &[&str] =
    &["anyhow", "clap", "k8s-openapi", "kube", "runtime", "serde", "serde_json", "tokio", "tracing", "@api"];
const API: &[&str] = &["k8s-openapi", "kube", "schemars", "serde", "serde_json"];
const RUNTIME: &[&str] = &[
    "anyhow",
    "axum",
    "axum-server",
    "clap",
    "futures",
    "humantime",
    "hyper-util",
    "json-patch",
    "k8s-openapi",
    "kube",
    "opentelemetry",
    "opentelemetry-otlp",
    "opentelemetry_sdk",
    "parking_lot",
    "prometheus-client",
    "rcgen",
    "rustls",
    "schemars",
    "serde",
    "serde_json",
    "serde_path_to_error",
    "tokio",
    "tokio-util",
    "tower",
    "tracing",
    "tracing-opentelemetry",
    "tracing-subscriber",
];

/// Adds the packages of `project` to `lock`, which holds all others sorted by name.
pub(super) fn with_workspace_packages(lock: &str, project: &Project) -> String {
    let api = project.name.api_package();
    let own = [block(project.name.as_str(), OPERATOR, &api), block(&api, API, &api), block("runtime", RUNTIME, &api)];
    let (head, rest) = lock.split_once("[[package]]\n").unwrap_or((lock, ""));
    let mut packages: Vec<&str> = rest.split("\n[[package]]\n").map(|package| package.trim_end_matches('\n')).collect();
    packages.extend(own.iter().map(String::as_str));
    packages.sort_by_key(|package| name_of(package).to_owned());
    let packages: Vec<String> = packages.iter().map(|package| format!("[[package]]\n{package}\n")).collect();
    format!("{head}{}", packages.join("\n"))
}

fn block(name: &str, dependencies: &[&str], api: &str) -> String {
    let mut names: Vec<&str> = dependencies.iter().map(|name| if *name == "@api" { api } else { name }).collect();
    names.sort_unstable();
    let names: Vec<String> = names.iter().map(|name| format!(" \"{name}\",\n")).collect();
    format!("name = \"{name}\"\nversion = \"0.1.0\"\ndependencies = [\n{}]", names.concat())
}

fn name_of(package: &str) -> &str {
    package.strip_prefix("name = \"").and_then(|rest| rest.split('"').next()).unwrap_or_default()
}
