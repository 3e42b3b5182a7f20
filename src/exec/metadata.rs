//! What cargo says of a workspace: its packages, and what each of them makes.

use super::{Guarded, cannot_start_cargo, cargo, spawn};
use crate::{Error, Result};
use serde::Deserialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A workspace, as `cargo metadata --no-deps` describes it (The Cargo Book, "cargo metadata").
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// Its packages.
    pub packages: Vec<Package>,
    /// Its root, an absolute path.
    pub workspace_root: PathBuf,
}

/// A package of the workspace.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its Cargo.toml, an absolute path.
    pub manifest_path: PathBuf,
    /// The program that `cargo run` takes.
    pub default_run: Option<String>,
    /// What it makes.
    pub targets: Vec<Target>,
    /// The crates that it depends on.
    pub dependencies: Vec<Dependency>,
}

/// A library, a program, a test, or something else that a package makes.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// Such as `lib` or `bin`.
    pub kind: Vec<String>,
    /// Its root module, an absolute path.
    pub src_path: PathBuf,
}

/// A crate that a package depends on.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// The name of the package.
    pub name: String,
    /// `dev` or `build`; `None` for a usual one.
    pub kind: Option<String>,
}

/// Asks cargo about the workspace that `folder` is in. Neither the network nor a lock file is needed.
///
/// # Errors
/// No package or workspace there, a manifest that cargo refuses, or no cargo.
pub fn metadata(folder: &Path) -> Result<Metadata> {
    let mut command = cargo(folder);
    command.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = spawn(&mut command).map_err(|error| cannot_start_cargo(&error))?;
    let (stdout, stderr) = (process.child().stdout.take(), process.child().stderr.take());
    let said = std::thread::spawn(move || read(stderr));
    let text = read(stdout);
    let status = Guarded::wait(process).map_err(|error| cannot_start_cargo(&error))?;
    let said = said.join().unwrap_or_default();
    if status.success() {
        return serde_json::from_str(&text).map_err(|error| Error::bug("cannot read what cargo says").source(&error));
    }
    // rustup, which may stand before cargo, can be told to print a backtrace.
    let said = said.split("\nStack backtrace:").next().unwrap_or_default().trim();
    let error = Error::user(format!("cargo cannot read the package in `{}`", folder.display()));
    Err(error
        .caused_by(said.strip_prefix("error: ").unwrap_or(said))
        .hint("cargo metadata --no-deps    # in its folder"))
}

fn read(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
