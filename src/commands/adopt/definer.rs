//! The crates of a workspace that define kinds.

use crate::Result;
use crate::error::file_error;
use crate::exec::Package;
use crate::finding::{Finding, Severity};
use crate::model::{Domain, TypesPlace};
use crate::reading;
use crate::source::cargo_manifest::read_manifest;
use crate::source::discover::{ApiType, Features, own_types};
use std::path::{Path, PathBuf};

/// A crate that defines kinds.
pub(super) struct Definer<'a> {
    pub(super) package: &'a Package,
    /// The package's folder, below the workspace's root.
    pub(super) folder: PathBuf,
    /// The path, relative to the package's folder, of the root module of the program that defines the types; `None` if
    /// a library defines them.
    pub(super) program: Option<PathBuf>,
    /// The features that the sources were read with, besides the default features.
    pub(super) features: Vec<String>,
    pub(super) types: Vec<ApiType>,
    /// The findings that explain why further types of the package cannot be used.
    pub(super) findings: Vec<Finding>,
}

impl Definer<'_> {
    /// Returns the entry of this crate in `PROJECT`.
    pub(super) fn place(&self) -> TypesPlace {
        TypesPlace {
            package: folder_name(&self.folder),
            program: self.program.as_deref().map(text),
            features: self.features.clone(),
        }
    }

    /// Returns true if the group of one of the types is in the domain.
    pub(super) fn is_within(&self, domain: &Domain) -> bool {
        self.types.iter().any(|found| domain.has_group(&found.resource.group))
    }
}

/// Returns the folder of a package below the workspace's root; empty for the root itself.
pub(super) fn folder_of(package: &Package, root: &Path) -> PathBuf {
    let folder = package.manifest_path.parent().unwrap_or(root);
    folder.strip_prefix(root).unwrap_or(folder).to_owned()
}

/// Returns the folder of a package as `PROJECT` names it: `.` for the workspace's root.
pub(super) fn folder_name(folder: &Path) -> String {
    let name = text(folder);
    if name.is_empty() { ".".to_owned() } else { name }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Returns the crate of the package that defines kinds: the library or program with the most types. Returns `None` if
/// the package has neither types nor findings about types. `further` lists the features to read the sources with,
/// besides the default features.
///
/// # Errors
/// Fails if a source cannot be read or is not Rust.
pub(super) fn definer<'a>(package: &'a Package, root: &Path, further: Vec<String>) -> Result<Option<Definer<'a>>> {
    let folder = folder_of(package, root);
    let features = Features::of(&read_manifest(&package.manifest_path)?, &further);
    let source = |path: &Path| match reading::rust(root.join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error("read", path, &error)),
    };
    let mut best: Option<(Option<PathBuf>, Vec<ApiType>, Vec<Finding>)> = None;
    let mut warned: Vec<Finding> = Vec::new();
    for target in &package.targets {
        let is = |kind: &str| target.kind.iter().any(|one| one == kind);
        let module = target.src_path.strip_prefix(root).unwrap_or(&target.src_path);
        let is_program = !(is("lib") || is("rlib"));
        if is_program && !is("bin") {
            continue;
        }
        let (mut types, findings) = own_types((module, is_program), &source, &features, &|_| true)?;
        let program = is_program.then(|| module.strip_prefix(&folder).unwrap_or(module).to_owned());
        for found in types.iter_mut().filter(|_| !is_program) {
            found.library = target.name.replace('-', "_");
        }
        warned.extend(findings.iter().filter(|one| one.severity == Severity::Warning).cloned());
        let better = best.as_ref().is_none_or(|(_, most, _)| types.len() > most.len());
        if better && !(types.is_empty() && findings.is_empty()) {
            best = Some((program, types, findings));
        }
    }
    let Some((program, types, mut findings)) = best else { return Ok(None) };
    // Targets may have a file in common.
    for warning in warned {
        if !findings.contains(&warning) {
            findings.push(warning);
        }
    }
    Ok(Some(Definer { package, folder, program, features: further, types, findings }))
}
