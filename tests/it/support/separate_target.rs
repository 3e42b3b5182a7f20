//! Makes cargo target folders in addition to the target folder for the projects in `testdata/golden`.

use super::{cargo, must, opctl, project, target_folder, tool};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Returns the cargo target folder `name`. A project gets such a separate folder if cargo would otherwise confuse the
/// project with one in `testdata/golden`, or if its builds must not wait for the builds of other tests. A new folder
/// gets the compiled dependencies of the projects in `testdata/golden`.
pub(crate) fn separate_target_folder(name: &str) -> PathBuf {
    static MADE: Mutex<()> = Mutex::new(());
    let _made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = target_folder().with_file_name(name);
    if !folder.is_dir() {
        let unfinished = folder.with_extension("unfinished");
        let _ = fs::remove_dir_all(&unfinished);
        copy_compiled(&target_folder().join("debug"), &unfinished.join("debug"));
        copy_compiled_types(&unfinished);
        fs::rename(unfinished, &folder).unwrap();
    }
    folder
}

/// Copies the compiled registry crates of the project `webserver-operator` in `testdata/golden`, with their file
/// times, because cargo compares them.
fn copy_compiled(from: &Path, to: &Path) {
    let mut units = BTreeSet::new();
    for arguments in [&["build", "--locked"][..], &["test", "--locked", "--no-run"]] {
        let built = must(&mut cargo("webserver-operator", &[arguments, &["--message-format=json"]].concat()));
        units.extend(String::from_utf8_lossy(&built.stdout).lines().flat_map(units_of));
    }
    copy_units(from, to, &units);
}

/// Copies the registry crates that opctl has compiled to generate the manifests of the project `webserver-operator`
/// in `testdata/golden`.
fn copy_compiled_types(to: &Path) {
    let mut manifests = opctl(&["manifests", "--dry-run"]);
    must(manifests.current_dir(project("webserver-operator")).env("CARGO_TARGET_DIR", target_folder()));
    let below = "opctl/target/debug";
    let from = target_folder().join(below);
    // The packages of projects, and what opctl writes to compile them.
    let is_local = |name: &str| name.starts_with("opctl-shim") || name == "support" || name.ends_with("-api");
    let of_registry = |path: PathBuf| {
        let unit = unit(&path)?;
        let name = path.file_name()?.to_str()?.strip_suffix(&format!("-{unit}"))?;
        (!is_local(name)).then_some(unit)
    };
    let compiled = fs::read_dir(from.join(".fingerprint")).unwrap().map(|entry| entry.unwrap().path());
    copy_units(&from, &to.join(below), &compiled.filter_map(of_registry).collect());
}

fn copy_units(from: &Path, to: &Path, units: &BTreeSet<String>) {
    assert!(units.len() > 30, "{units:?}");
    for folder in [".fingerprint", "build", "deps"] {
        let to = to.join(folder);
        fs::create_dir_all(&to).unwrap();
        let entries = fs::read_dir(from.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let chosen: Vec<PathBuf> =
            entries.filter(|path| unit(path).is_some_and(|unit| units.contains(&unit))).collect();
        must(tool("cp").arg("-a").args(chosen).arg(to));
    }
}

/// Returns the hashes of the compilation units that a JSON message of cargo names. The list is empty if the message is
/// not about a crate from a registry.
fn units_of(message: &str) -> Vec<String> {
    let message: Value = serde_json::from_str(message).unwrap_or_default();
    if !message["package_id"].as_str().is_some_and(|id| id.starts_with("registry+")) {
        return Vec::new();
    }
    let files = message["filenames"].as_array().into_iter().flatten().chain([&message["out_dir"]]);
    files.filter_map(|file| Path::new(file.as_str()?).ancestors().find_map(unit)).collect()
}

/// Returns the hash of a compilation unit, which is the end of the names of its files.
fn unit(path: &Path) -> Option<String> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    let (_, hash) = name.split('.').next()?.rsplit_once('-')?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| hash.to_owned())
}
