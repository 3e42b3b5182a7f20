//! The types of the api crates, as their sources state them.

use super::options::Options;
use crate::error::Category;
use crate::finding::Finding;
use crate::reading;
use crate::report::Console;
use crate::source::api_crate::ApiCrate;
use crate::source::cargo_manifest::{library_name, read_manifest};
use crate::source::discover::{self, ApiType, Features};
use crate::{Result, error::file_error, exec};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Finds the types of each api crate; none for a crate that is not there.
pub(super) fn find_types(
    root: &Path,
    options: &Options,
    console: &Console,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Vec<ApiType>>> {
    let is_own = |group: &str| options.domain.as_ref().is_none_or(|domain| domain.has_group(group));
    options.apis.iter().map(|api| of_crate(root, api, &is_own, console, findings)).collect()
}

fn of_crate(
    root: &Path,
    api: &ApiCrate,
    is_own: &dyn Fn(&str) -> bool,
    console: &Console,
    findings: &mut Vec<Finding>,
) -> Result<Vec<ApiType>> {
    let folder = &api.folder;
    if !root.join(folder).join("Cargo.toml").is_file() {
        return Ok(Vec::new());
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
    let (mut types, said) = found.map_err(|error| {
        let said =
            if error.category() == Category::User { exec::syntax_errors(root, &last.borrow()) } else { Vec::new() };
        for message in &said {
            console.colored(message);
        }
        if said.is_empty() { error } else { error.without_causes() }
    })?;
    findings.extend(said);
    if api.program.is_none() {
        let library = library_name(&manifest).unwrap_or_default();
        for found in &mut types {
            found.library.clone_from(&library);
        }
    }
    Ok(types)
}
