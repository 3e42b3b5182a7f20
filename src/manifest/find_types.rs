//! The second step of `opctl manifests`: finds the types of the api crates in their sources.

use super::options::Options;
use crate::error::Category;
use crate::finding::Finding;
use crate::reading;
use crate::report::Console;
use crate::source::api_crate::ApiCrate;
use crate::source::cargo_manifest::{library_name, read_manifest};
use crate::source::crate_sources::Source;
use crate::source::discover::{self, ApiType, Features};
use crate::webhook_markers::{Converted, converted_kinds};
use crate::{Result, error::file_error, exec};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The types of a project.
#[derive(Default)]
pub(super) struct Types {
    /// The types of all api crates.
    pub(super) all: Vec<ApiType>,
    /// The types of each api crate, in the order of `Options::apis`.
    pub(super) crates: Vec<Vec<ApiType>>,
    /// The kinds that the code converts between versions.
    pub(super) converted: Vec<Converted>,
    /// The findings about types that are left out, and about conversions.
    pub(super) findings: Vec<Finding>,
}

/// Finds the types of each api crate; a missing crate has no types. If a crate cannot be read, returns the error and
/// the findings so far, without types.
pub(super) fn find_types(root: &Path, options: &Options, sources: &[Source], console: &Console) -> (Types, Result<()>) {
    let is_own = |group: &str| options.domain.as_ref().is_none_or(|domain| domain.has_group(group));
    let (mut crates, mut findings) = (Vec::new(), Vec::new());
    for api in &options.apis {
        match of_crate(root, api, &is_own, console) {
            Ok((types, said)) => {
                crates.push(types);
                findings.extend(said);
            }
            Err(error) => return (Types { findings, ..Types::default() }, Err(error)),
        }
    }
    let all = crates.concat();
    let converted = converted_kinds(sources, &all);
    findings.extend(converted.iter().flat_map(|converted| converted.check(&all)));
    (Types { all, crates, converted, findings }, Ok(()))
}

fn of_crate(
    root: &Path,
    api: &ApiCrate,
    is_own: &dyn Fn(&str) -> bool,
    console: &Console,
) -> Result<(Vec<ApiType>, Vec<Finding>)> {
    let folder = &api.folder;
    if !root.join(folder).join("Cargo.toml").is_file() {
        return Ok((Vec::new(), Vec::new()));
    }
    let manifest = read_manifest(&root.join(folder).join("Cargo.toml"))?;
    let lib =
        manifest.get("lib").and_then(|lib| lib.get("path")).and_then(toml_edit::Item::as_str).unwrap_or("src/lib.rs");
    let last = RefCell::new(PathBuf::new());
    let source = |path: &Path| match reading::rust(root.join(path)) {
        Ok(text) => {
            path.clone_into(&mut last.borrow_mut());
            Ok(Some(text))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error("read", path, &error)),
    };
    let features = Features::of(&manifest, &api.features);
    let root_module = folder.join(api.program.as_deref().unwrap_or(Path::new(lib)));
    let found = discover::own_types((&root_module, api.program.is_some()), &source, &features, is_own);
    let (mut types, findings) = found.map_err(|error| {
        let said =
            if error.category() == Category::User { exec::syntax_errors(root, &last.borrow()) } else { Vec::new() };
        for message in &said {
            console.print_colored(message);
        }
        if said.is_empty() { error } else { error.without_causes() }
    })?;
    if api.program.is_none() {
        let library = library_name(&manifest).unwrap_or_default();
        for found in &mut types {
            found.library.clone_from(&library);
        }
    }
    Ok((types, findings))
}
