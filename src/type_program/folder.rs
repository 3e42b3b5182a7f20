//! The folder, below cargo's target folder, in which opctl compiles the shim: the program that prints schemas.

use super::cache;
use super::program_files;
use super::request::Request;
use crate::exec::{cache_folder, make_cache_folder};
use crate::reading::{self, Limit};
use crate::source::cargo_manifest::read_manifest;
use crate::system;
use crate::{Result, conflict, error::file_error};
use std::path::{Path, PathBuf};

/// Returns the folder below cargo's target folder in which opctl keeps a project's shim and caches between runs.
/// `root` is an absolute path.
pub(crate) fn folder(root: &Path, target: &Path) -> PathBuf {
    cache_folder(target).join(name(root))
}

fn name(root: &Path) -> String {
    format!("opctl-shim-{}", short_digest(root))
}

fn short_digest(path: &Path) -> String {
    cache::digest(path.as_os_str().as_encoded_bytes())[..12].to_owned()
}

/// The shim of one api crate: a program that prints the schemas of the crate's types.
pub(super) struct Shim {
    pub(super) name: String,
    pub(super) folder: PathBuf,
    /// The folder of build results, which all projects with the same cargo target folder share.
    pub(super) build_folder: PathBuf,
}

impl Shim {
    pub(super) fn of(request: &Request) -> Self {
        let mut name = name(request.root);
        if !request.first {
            // Crates of one workspace may depend on different versions of kube, so that no program can depend on all.
            name = format!("{name}-{}", short_digest(&request.api.folder));
        }
        let own = cache_folder(request.target);
        Shim { folder: own.join(&name), build_folder: own.join("target"), name }
    }

    pub(super) fn write(&self, request: &Request) -> Result<()> {
        let api = request.folder();
        let root_manifest = read_manifest(&request.root.join("Cargo.toml"))?;
        let api_manifest = read_manifest(&api.join("Cargo.toml"))?;
        let inputs = program_files::Inputs {
            root: request.root,
            api: &api,
            root_manifest: &root_manifest,
            api_manifest: &api_manifest,
            name: &self.name,
            types: request.types,
            features: &request.api.features,
        };
        let files = program_files::files(&inputs)?;
        let own = cache_folder(request.target);
        make_cache_folder(&own).map_err(|error| file_error("create", &own, &error))?;
        for (path, text) in files {
            write_if_changed(&self.folder.join(path), &text)?;
        }
        // cargo removes the packages that the shim does not need from its lock file, so the project's lock file is kept
        // beside it.
        let lock = reading::text(request.root.join("Cargo.lock"), Limit::Source);
        if let Ok(lock) = &lock {
            conflict::check("Cargo.lock", lock)?;
        }
        if let Ok(lock) = lock
            && write_if_changed(&self.folder.join("project.lock"), &lock)?
        {
            write_if_changed(&self.folder.join("Cargo.lock"), &lock)?;
        }
        Ok(())
    }

    /// Copies the `Cargo.lock` of the shim (the program that prints the types' schemas) twice into `folder`, which
    /// contains another program to compile: as `Cargo.lock`, which cargo may change, and as `shim.lock`, which stays
    /// unchanged and later shows if the shim's lock file has changed.
    pub(super) fn copy_lock(&self, folder: &Path) -> Result<()> {
        let Ok(lock) = reading::text(self.folder.join("Cargo.lock"), Limit::Source) else { return Ok(()) };
        if write_if_changed(&folder.join("shim.lock"), &lock)? {
            write_if_changed(&folder.join("Cargo.lock"), &lock)?;
        }
        Ok(())
    }
}

/// Writes a file unless it already has this content, so that cargo sees no newer file. Returns true if the file was
/// written.
pub(super) fn write_if_changed(path: &Path, text: &str) -> Result<bool> {
    if reading::bytes(path, Limit::Source).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        system::create_folders(folder).map_err(|error| file_error("create", folder, &error))?;
    }
    system::write_file(path, text).map_err(|error| file_error("write", path, &error))?;
    Ok(true)
}
