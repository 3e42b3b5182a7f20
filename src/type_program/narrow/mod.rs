//! Compiles only the part of the api crate that a change can affect, if that part is easy to find.
//!
//! rustc expands and checks every type of a crate after any change, which takes seconds with dozens of kinds. This
//! module therefore copies the root file of the crate and all other files that declare modules. In the copies, it
//! empties the modules that are not needed; all other files are compiled without a copy. A module is needed if it
//! contains a changed file, if a word in it is a name that a changed file defines or defined before, or if another
//! needed module depends on it. For all other types, the CRDs and schemas from the last compilation stay valid. The
//! copied crate is compiled as a program, not as a library for a program: rustc is then started only once, and
//! generates code only for the functions that `main` reaches.
//!
//! If no CRDs and schemas are stored, or if the change affects more than a part of the crate, the whole crate is
//! compiled as a single program in the same way, without the code that no schema needs.
//!
//! If the crate has anything unusual (macros, conditions, implementations for types of other files, a build script), or
//! if the build fails, the whole crate is compiled as usual, which also shows its errors.

mod crate_part;
mod defined_names;
mod slim;
mod tree;

use super::answer::{Answer, parse};
use super::cache;
use super::folder::Shim;
use super::request::Request;
use crate::Result;
use crate::report::Console;
use crate::source::cargo_manifest::read_manifest;
use crate_part::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml_edit::Item;
use tree::File;

/// Returns the names that each file of the crate defines, by file path; empty if opctl always has to compile the
/// whole crate.
pub(super) fn names_by_file(request: &Request) -> BTreeMap<PathBuf, BTreeSet<String>> {
    read(request).map(|files| names_of(&files)).unwrap_or_default()
}

fn names_of(files: &[File]) -> BTreeMap<PathBuf, BTreeSet<String>> {
    files.iter().filter_map(|file| Some((file.path.clone(), file.names.clone()?))).collect()
}

fn read(request: &Request) -> Option<Vec<File>> {
    if request.api.program.is_some() {
        return None;
    }
    let api = request.folder();
    let manifest = read_manifest(&api.join("Cargo.toml")).ok()?;
    let package = manifest.get("package")?.as_table_like()?;
    if package.contains_key("build") || api.join("build.rs").exists() || manifest.contains_key("target") {
        return None;
    }
    let root = manifest.get("lib").and_then(|lib| lib.get("path")).and_then(Item::as_str).unwrap_or("src/lib.rs");
    let mut roots: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
    for (file, name) in request.roots {
        roots.entry(request.root.join(file)).or_default().push(name);
    }
    tree::read(&api.join(root), &roots)
}

/// Returns the CRDs and schemas of all types from a reduced copy of the crate, or `None` if the caller must compile the
/// whole crate.
pub(super) fn answers(shim: &Shim, request: &Request, console: &Console) -> Option<Result<String>> {
    let crate_files = read(request)?;
    match Change::since(cache::read(&shim.folder, request), request, &crate_files) {
        // If this fails, the whole crate is compiled and reports the failure.
        Some(change) => change.answers(shim, request, &crate_files, console),
        None => compile_all_types(shim, request, &crate_files, console),
    }
}

/// A change since the last compilation that affects only a part of the crate.
struct Change {
    cache: cache::Cache,
    needed: BTreeSet<usize>,
    asked: Vec<String>,
}

impl Change {
    fn since(cache: Option<cache::Cache>, request: &Request, crate_files: &[File]) -> Option<Self> {
        let cache = cache?;
        // A file that a macro or an inner module includes is not in `crate_files`.
        let api = request.folder();
        let known = |path: &Path| crate_files.iter().any(|file| file.path == *path);
        let of_crate =
            |path: &Path| path.starts_with(&api) && path.extension().is_some_and(|extension| extension == "rs");
        if cache.inputs().any(|path| of_crate(path) && !known(path)) {
            return None;
        }
        let mut changed = BTreeSet::new();
        for path in cache.changed_inputs() {
            changed.insert(crate_files.iter().position(|file| file.path == *path)?);
        }
        let former = changed.iter().map(|index| Some((*index, cache.names.get(&crate_files[*index].path)?.clone())));
        let former: BTreeMap<usize, BTreeSet<String>> = former.collect::<Option<_>>()?;
        let (affected, needed) = tree::affected_files(crate_files, &changed, &former)?;
        let holds = |index: &usize, file: &Path| crate_files[*index].path == request.root.join(file);
        let asked = request.types.iter().zip(request.roots);
        let asked: Vec<String> = asked
            .filter(|(_, (file, _))| affected.iter().any(|index| holds(index, file)))
            .map(|(path, _)| path.clone())
            .collect();
        (!asked.is_empty()).then_some(Change { cache, needed, asked })
    }

    fn answers(
        self,
        shim: &Shim,
        request: &Request,
        crate_files: &[File],
        console: &Console,
    ) -> Option<Result<String>> {
        console.detail(format_args!("{} of {} types are compiled", self.asked.len(), request.types.len()));
        let part = Part { folder: "narrow", needed: &self.needed, asked: &self.asked, slim: false };
        let (new, executable) = match part.compile(shim, request, crate_files, console)? {
            Ok(compiled) => compiled,
            // The whole crate would fail in the same way.
            Err(error) => return Some(Err(error)),
        };
        let text = merge_answers(&self.cache.answers, &new, &self.asked)?;
        self.cache.renew(&shim.folder, &executable, &text, names_of(crate_files));
        Some(Ok(text))
    }
}

/// Compiles all types in a reduced copy of the crate and returns their CRDs and schemas, or `None` if the caller must
/// compile the unreduced crate. All types are compiled in the first run, and after a change that affects more than a
/// part of the crate.
fn compile_all_types(
    shim: &Shim,
    request: &Request,
    crate_files: &[File],
    console: &Console,
) -> Option<Result<String>> {
    let needed = (0..crate_files.len()).collect();
    let part = Part { folder: "all", needed: &needed, asked: request.types, slim: true };
    // The code that was left out may be the reason of a failure.
    let (text, executable) = part.compile(shim, request, crate_files, console)?.ok()?;
    let answered = parse(&text).ok()?.into_iter().map(|answer| answer.path);
    if !answered.eq(request.types.iter().cloned()) {
        return None;
    }
    let copied = crate_files.iter().map(|file| file.path.clone()).collect();
    cache::store(&shim.folder, request, &executable, &text, names_of(crate_files), copied);
    Some(Ok(text))
}

/// Returns the answers about all types, one line of JSON with the CRD and schema per type: the line in `new` if the
/// type has one there, or else the line in `former`. Returns `None` if `new` lacks one of the `asked` types.
fn merge_answers(former: &str, new: &str, asked: &[String]) -> Option<String> {
    let new: BTreeMap<String, &str> =
        parse(new).ok()?.into_iter().map(|answer: Answer| answer.path).zip(new.lines()).collect();
    if !asked.iter().all(|path| new.contains_key(path)) {
        return None;
    }
    let former = parse(former).ok()?.into_iter().zip(former.lines());
    let lines: Vec<&str> = former.map(|(answer, line)| new.get(&answer.path).copied().unwrap_or(line)).collect();
    Some(lines.join("\n") + "\n")
}
