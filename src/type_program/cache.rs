//! Detects by content whether anything changed since the types were last compiled.
//!
//! The inputs are the files in cargo's dep-info (every file of every path dependency, `include_str!` and the like), the
//! manifests above those files, locks, toolchain and cargo configuration, the environment that cargo and rustc read,
//! and opctl itself.

use super::request::Request;
use crate::exec::sources_of;
use crate::reading::{self, Limit};
use crate::system::{self, own_program};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "cache.json";

/// The stored data of the last compilation, which shows if the types must be compiled again.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Cache {
    environment: String,
    /// The digest of each input; `None` for an input that did not exist.
    inputs: BTreeMap<PathBuf, Option<String>>,
    pub(super) answers: String,
    /// The names that each file of the api crate defines, to find the files that a change affects. Empty if opctl
    /// always has to compile the whole crate.
    #[serde(default)]
    pub(super) names: BTreeMap<PathBuf, BTreeSet<String>>,
}

/// Reads the data of the last compilation. Returns `None` if no data can be read, if the environment has changed since
/// that compilation, or if that compilation was for another api crate.
pub(super) fn read(shim: &Path, request: &Request) -> Option<Cache> {
    let cache: Cache = serde_json::from_slice(&reading::bytes(shim.join(FILE), Limit::Bundle).ok()?).ok()?;
    (cache.environment == environment(request)).then_some(cache)
}

impl Cache {
    pub(super) fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.keys()
    }

    /// Returns the inputs that have changed since the last compilation.
    pub(super) fn changed_inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().filter(|(path, digest)| content(path) != **digest).map(|(path, _)| path)
    }

    /// Stores the types' CRDs and schemas (`answers`) after the compilation of a part of the crate. The recorded list
    /// of input files keeps the files of the other parts, which were not compiled.
    pub(super) fn renew(
        mut self,
        shim: &Path,
        executable: &Path,
        answers: &str,
        names: BTreeMap<PathBuf, BTreeSet<String>>,
    ) {
        let compiled = sources_of(executable);
        if compiled.is_empty() {
            return;
        }
        let compiled = compiled.into_iter().filter(|path| !path.starts_with(shim));
        let paths: BTreeSet<PathBuf> = compiled.chain(self.inputs.keys().cloned()).collect();
        self.inputs = paths.into_iter().map(|path| (path.clone(), content(&path))).collect();
        answers.clone_into(&mut self.answers);
        self.names = names;
        self.write(shim);
    }

    fn write(&self, shim: &Path) {
        if let Ok(text) = serde_json::to_vec(self) {
            // Renamed into place, so that a killed opctl leaves no incomplete file.
            let temporary = shim.join("cache.json.new");
            let _ = system::write_file(&temporary, text).and_then(|()| fs::rename(&temporary, shim.join(FILE)));
        }
    }
}

/// Returns the stored CRDs and schemas of the last compilation if no input has changed since.
pub(super) fn lookup(shim: &Path, request: &Request) -> Option<String> {
    let cache = read(shim, request)?;
    let unchanged = cache.changed_inputs().next().is_none();
    unchanged.then_some(cache.answers)
}

/// Stores the answers (the CRDs and schemas of the types) and the inputs of the compilation. `copied` has the original
/// paths of source files that were compiled as copies. If the cache cannot be written, the next run only takes longer.
pub(super) fn store(
    shim: &Path,
    request: &Request,
    executable: &Path,
    answers: &str,
    names: BTreeMap<PathBuf, BTreeSet<String>>,
    copied: Vec<PathBuf>,
) {
    let mut inputs: BTreeSet<PathBuf> = sources_of(executable).into_iter().collect();
    if inputs.is_empty() {
        return;
    }
    inputs.retain(|path| !path.starts_with(shim));
    inputs.extend(copied);
    let manifests: Vec<PathBuf> = inputs.iter().filter_map(|file| manifest_above(file)).collect();
    inputs.extend(manifests);
    inputs.extend(fixed_inputs(shim, request.root));
    let inputs = inputs.into_iter().map(|path| (path.clone(), content(&path))).collect();
    Cache { environment: environment(request), inputs, answers: answers.to_owned(), names }.write(shim);
}

fn fixed_inputs(shim: &Path, root: &Path) -> Vec<PathBuf> {
    let mut inputs: Vec<PathBuf> = [
        "Cargo.toml",
        "Cargo.lock",
        "src/main.rs",
        "support/Cargo.toml",
        "support/src/lib.rs",
        "support/src/schemas.rs",
    ]
    .iter()
    .map(|name| shim.join(name))
    .collect();
    // cargo and rustup read these files from every folder above.
    let configuration =
        ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "rust-toolchain", ".cargo/config.toml", ".cargo/config"];
    inputs.extend(root.ancestors().flat_map(|folder| configuration.iter().map(move |name| folder.join(name))));
    let home = |variable: &str, default: &str| {
        std::env::var_os(variable).map(PathBuf::from).or_else(|| std::env::home_dir().map(|home| home.join(default)))
    };
    if let Some(cargo) = home("CARGO_HOME", ".cargo") {
        inputs.extend(["config.toml", "config"].iter().map(|name| cargo.join(name)));
    }
    if let Some(rustup) = home("RUSTUP_HOME", ".rustup") {
        inputs.push(rustup.join("settings.toml"));
        // One small file for each toolchain, which every update of the toolchain changes.
        let hashes = fs::read_dir(rustup.join("update-hashes")).into_iter().flatten().flatten();
        inputs.extend(hashes.map(|entry| entry.path()));
    }
    inputs
}

/// Returns a digest of the compilation's inputs that are not files: the environment variables of cargo, rustc and
/// opctl, the identity of these programs, the project's folder, and the api crate with its features.
fn environment(request: &Request) -> String {
    let mut text = format!("{}\n{}\n{:?}\n", env!("CARGO_PKG_VERSION"), request.root.display(), request.api);
    let mut variables: Vec<_> = std::env::vars_os()
        .filter(|(name, _)| {
            let name = name.to_string_lossy();
            ["CARGO", "RUST", "OPCTL"].iter().any(|prefix| name.starts_with(prefix)) && !name.ends_with("BACKTRACE")
        })
        // If cargo started opctl, it sets these variables for opctl, not for the builds of opctl.
        .filter(|(name, _)| {
            let name = name.to_string_lossy();
            !["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_", "CARGO_PRIMARY_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        })
        .collect();
    variables.sort();
    let _ = write!(text, "{variables:?}");
    for program in [own_program().ok(), found_program(&crate::exec::cargo_program()), found_program("rustc".as_ref())]
        .into_iter()
        .flatten()
    {
        if let Ok(metadata) = fs::metadata(&program) {
            let _ = write!(text, "\n{} {} {:?}", program.display(), metadata.len(), metadata.modified().ok());
        }
    }
    digest(text.as_bytes())
}

fn found_program(program: &std::ffi::OsStr) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn manifest_above(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join("Cargo.toml")).find(|manifest| manifest.is_file())
}

fn content(path: &Path) -> Option<String> {
    if path.is_dir() {
        // A build script may watch a folder: its content is the name, size and time of each file.
        let mut entries: Vec<String> = fs::read_dir(path)
            .ok()?
            .flatten()
            .map(|entry| {
                format!(
                    "{} {:?}",
                    entry.path().display(),
                    entry.metadata().ok().map(|metadata| (metadata.len(), metadata.modified().ok()))
                )
            })
            .collect();
        entries.sort();
        return Some(digest(entries.join("\n").as_bytes()));
    }
    let metadata =
        || fs::metadata(path).ok().map(|metadata| format!("{} {:?}", metadata.len(), metadata.modified().ok()));
    // What is too large to be read, such as a file of data, changes its size or its time.
    reading::bytes(path, Limit::Bundle).map_or_else(|_| metadata(), |bytes| Some(digest(&bytes)))
}

/// Returns the SHA-256 digest in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
