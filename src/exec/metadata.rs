//! The packages of a workspace and their targets, as cargo describes them.

use super::{Guarded, cannot_start_cargo, cargo, spawn};
use crate::error::{Hint, hint};
use crate::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A workspace, as `cargo metadata --no-deps` describes it (The Cargo Book, "cargo metadata").
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// The packages of the workspace.
    pub packages: Vec<Package>,
    /// The root of the workspace, an absolute path.
    pub workspace_root: PathBuf,
    /// The packages that cargo compiles, with their features; `None` in the result of [`metadata`], because only
    /// [`resolved_metadata`] requests them.
    pub resolve: Option<Resolve>,
}

/// The packages that cargo compiles.
#[derive(Debug, Deserialize)]
pub struct Resolve {
    /// One node for each package.
    pub nodes: Vec<Node>,
}

/// A package that cargo compiles.
#[derive(Debug, Deserialize)]
pub struct Node {
    /// The [`Package::id`] of the package.
    pub id: String,
    /// The features with which cargo compiles the package.
    pub features: Vec<String>,
    /// The packages that the package depends on.
    #[serde(default)]
    pub deps: Vec<ResolvedDependency>,
}

/// A package that another package, the dependent, depends on.
#[derive(Debug, Deserialize)]
pub struct ResolvedDependency {
    /// The [`Package::id`] of the package.
    pub pkg: String,
    /// The ways in which the dependent depends on the package.
    pub dep_kinds: Vec<DependencyKind>,
}

/// A way in which a package depends on another package.
#[derive(Debug, Deserialize)]
pub struct DependencyKind {
    /// The kind of the dependency, `dev` or `build`; `None` for a normal dependency.
    pub kind: Option<String>,
}

impl ResolvedDependency {
    /// Returns true if the dependent has a normal dependency on the package, not only a `dev` or `build` dependency.
    pub fn is_normal(&self) -> bool {
        self.dep_kinds.iter().any(|way| way.kind.is_none())
    }
}

/// A package of the workspace.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// The name, version and source of the package, as cargo writes them together.
    pub id: String,
    /// The name of the package.
    pub name: String,
    /// The version of the package.
    pub version: String,
    /// The licence, as an SPDX expression.
    pub license: Option<String>,
    /// The registry or repository that the package comes from; `None` for a package in a local folder.
    pub source: Option<String>,
    /// The Cargo.toml of the package, an absolute path.
    pub manifest_path: PathBuf,
    /// The program that `cargo run` runs by default, if Cargo.toml names one.
    pub default_run: Option<String>,
    /// The targets that cargo builds from the package.
    pub targets: Vec<Target>,
    /// The crates that the package depends on.
    pub dependencies: Vec<Dependency>,
    /// The features, including the features of optional dependencies, each with everything that the feature enables.
    #[serde(default)]
    pub features: BTreeMap<String, Vec<String>>,
}

/// A target of a package: a library, a program, a test or another crate that cargo builds.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// The name of the target.
    pub name: String,
    /// The kinds of the target, such as `lib` or `bin`.
    pub kind: Vec<String>,
    /// The absolute path of the source file with the root module of the target, such as `src/lib.rs`.
    pub src_path: PathBuf,
}

/// A crate that a package depends on.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// The name of the package that is depended on.
    pub name: String,
    /// The kind of the dependency, `dev` or `build`; `None` for a normal dependency.
    pub kind: Option<String>,
}

/// Reads cargo's metadata of the workspace that contains `folder`. Needs neither the network nor a lock file.
///
/// # Errors
/// Fails if no package or workspace contains the folder, if cargo refuses a manifest, or if cargo is missing.
pub fn metadata(folder: &Path) -> Result<Metadata> {
    ask(folder, &["--no-deps", "--offline"])
}

/// Reads cargo's metadata of the workspace that contains `folder` and of its dependencies, which cargo may download.
/// `flags` are flags of `cargo metadata`.
///
/// # Errors
/// Fails like [`metadata`], and if packages can be neither found nor downloaded.
pub fn resolved_metadata(folder: &Path, flags: &[&str]) -> Result<Metadata> {
    ask(folder, flags)
}

fn ask(folder: &Path, flags: &[&str]) -> Result<Metadata> {
    let mut command = cargo(folder);
    command.args(["metadata", "--format-version=1"]).args(flags);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = spawn(&mut command).map_err(|error| cannot_start_cargo(&error))?;
    let (stdout, stderr) = (process.child().stdout.take(), process.child().stderr.take());
    let said = std::thread::spawn(move || read(stderr));
    let text = read(stdout);
    let status = Guarded::wait(process).map_err(|error| cannot_start_cargo(&error))?;
    let said = said.join().unwrap_or_default();
    if status.success() {
        return serde_json::from_str(&text)
            .map_err(|error| Error::bug("cannot parse the output of `cargo metadata`").source(&error));
    }
    // rustup, which may run in front of cargo, can be told to print a backtrace.
    let said = said.split("\nStack backtrace:").next().unwrap_or_default().trim();
    let error = Error::user(format!("cargo cannot read the package in `{}`", folder.display()));
    let no_deps = if flags.contains(&"--no-deps") { " --no-deps" } else { "" };
    Err(error.caused_by(said.strip_prefix("error: ").unwrap_or(said)).hint(hint!(
        "cargo metadata{no_deps}    # run this in the folder of the package to see the full error",
        no_deps = Hint::from(no_deps)
    )))
}

fn read(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
