//! Builds a copy of the program that defines the types, with a `main` that prints their schemas.
//!
//! No other crate can depend on a program. So the root module of the program is copied and gets another `main`; all
//! other files are compiled without a copy.

mod root_module;

use super::build::{self, Built};
use super::folder::{Shim, write_if_changed};
use super::program_files;
use super::program_manifest::program_manifest;
use super::request::Request;
use crate::reading;
use crate::report::Console;
use crate::source::cargo_manifest::read_manifest;
use crate::{Error, Result, error::file_error};
use std::path::Path;
use toml_edit::{DocumentMut, Item, Value};

const FOLDER: &str = "program";
const ROOT_MODULE: &str = "root.rs";

/// Builds a copy of the program whose root module is at `program`, a path below the package's folder.
///
/// # Errors
/// Fails if the root module cannot be copied, or if cargo or the compiler fails.
pub(super) fn build(shim: &Shim, request: &Request, program: &Path, console: &Console) -> Result<Built> {
    let package = request.folder();
    let file = package.join(program);
    let folder = shim.folder.join(FOLDER);
    let text = reading::rust(&file).map_err(|error| file_error("read", &file, &error))?;
    let copy = root_module::copy(&text, &file).map_err(|error| {
        Error::user(format!("`{}` is not valid Rust", request.api.folder.join(program).display()))
            .caused_by(error)
            .hint("cargo check    # shows the syntax errors; fix them, then run the same command again")
    })?;
    write_if_changed(
        &folder.join(ROOT_MODULE),
        &format!("{copy}\n{}", program_files::program("crate", request.types)),
    )?;
    write_if_changed(&folder.join("Cargo.toml"), &manifest(shim, request, &package)?.to_string())?;
    shim.copy_lock(&folder)?;
    build::build(request.root, &folder, &shim.build_folder, console)
}

fn manifest(shim: &Shim, request: &Request, package: &Path) -> Result<DocumentMut> {
    let root_manifest = read_manifest(&request.root.join("Cargo.toml"))?;
    let own = read_manifest(&package.join("Cargo.toml"))?;
    let name = format!("{}-{FOLDER}", shim.name);
    let manifest = program_manifest(
        &name,
        ROOT_MODULE,
        &request.api.features,
        (request.root, &root_manifest),
        (package, own.clone()),
    );
    let mut manifest =
        manifest.ok_or_else(|| {
            Error::user("the API types are in a binary crate, not in a library crate")
            .caused_by("opctl can use a binary crate only if it depends on `kube` and `schemars` under these names, \
                        and on no crate named `support`")
            .hint("move the API types into a library crate: create src/lib.rs with a `pub mod` line for each of their \
                   modules")
        })?;
    // A program may use the library beside it, and both may use a build script.
    if package.join("src/lib.rs").is_file() || own.contains_key("lib") {
        let library = program_files::package_name(&own)?;
        manifest["dependencies"][&library]["path"] = Item::Value(Value::from(package.to_string_lossy().as_ref()));
    }
    if package.join("build.rs").is_file() {
        manifest["package"]["build"] = Item::Value(Value::from(package.join("build.rs").to_string_lossy().as_ref()));
        if let Some(dependencies) = own.get("build-dependencies") {
            manifest["build-dependencies"] = dependencies.clone();
            program_files::absolute_paths(&mut manifest["build-dependencies"], package);
        }
    }
    Ok(manifest)
}
