//! Compiles only the part of the api crate that a change can reach, where that is easy to tell.
//!
//! rustc expands and checks every type of a crate after any change, which takes seconds with dozens of kinds. Here a copy of
//! the crate's root and of the files that hold modules is made, in which the modules that do not matter are empty; all other
//! files are compiled where they are. A module matters if it holds a changed file, a word of it names what one defines now
//! or defined before, or one that matters needs it. The answers about all other types stay as they were. The copy is a
//! program, not a library: rustc then makes code for what its `main` reaches alone, and is started once.
//!
//! Whatever is not plain (macros, conditions, implementations for types of other files, a build script) and whatever fails
//! means that the whole crate is compiled as ever, which also says what is wrong with it.

mod names;
mod tree;

use super::{Answer, Request, Shim, ask, build, cache, files, parse, read_manifest, write_if_changed};
use crate::Result;
use crate::report::Console;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};
use tree::File;

/// The names that each file of the crate defines, by its path; empty if the crate cannot be narrowed.
pub(super) fn names_by_file(request: &Request) -> BTreeMap<PathBuf, BTreeSet<String>> {
    let Some(files) = read(request) else { return BTreeMap::new() };
    files.into_iter().filter_map(|file| Some((file.path, file.names?))).collect()
}

fn read(request: &Request) -> Option<Vec<File>> {
    let api = request.root.join(request.api);
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

/// All answers as text, if only a part had to be compiled for them.
pub(super) fn answers(shim: &Shim, request: &Request, console: &Console) -> Option<Result<String>> {
    let cache = cache::read(&shim.folder, request.root)?;
    let crate_files = read(request)?;
    // A file that a macro or an inner module brings in is not among those that are known here.
    let api = request.root.join(request.api);
    let known = |path: &Path| crate_files.iter().any(|file| file.path == *path);
    let of_crate = |path: &Path| path.starts_with(&api) && path.extension().is_some_and(|extension| extension == "rs");
    if cache.inputs().any(|path| of_crate(path) && !known(path)) {
        return None;
    }
    let mut changed = BTreeSet::new();
    for path in cache.changed() {
        changed.insert(crate_files.iter().position(|file| file.path == *path)?);
    }
    let former = changed.iter().map(|index| Some((*index, cache.names.get(&crate_files[*index].path)?.clone())));
    let former: BTreeMap<usize, BTreeSet<String>> = former.collect::<Option<_>>()?;
    let (affected, needed) = tree::affected(&crate_files, &changed, &former)?;
    let holds = |index: &usize, file: &Path| crate_files[*index].path == request.root.join(file);
    let asked = request.types.iter().zip(request.roots);
    let asked: Vec<String> = asked
        .filter(|(_, (file, _))| affected.iter().any(|index| holds(index, file)))
        .map(|(path, _)| path.clone())
        .collect();
    if asked.is_empty() {
        return None;
    }
    console.detail(format_args!("{} of {} types are compiled", asked.len(), request.types.len()));
    let folder = shim.folder.join("narrow");
    write(shim, request, &folder, &crate_files, &needed, &asked)?;
    let built = build::build_quietly(request.root, &folder, &shim.build_folder, console)?;
    let output = folder.join("answers.json");
    let new = match ask::ask(&built.executable, &output, &asked) {
        Ok(new) if new.endless.is_empty() => new.text,
        Ok(_) => return None,
        // The whole crate would say the same.
        Err(error) => return Some(Err(error)),
    };
    let text = merged(&cache.answers, &new, &asked)?;
    cache.renew(&shim.folder, &built.executable, &text, names_by_file(request));
    Some(Ok(text))
}

/// The former answers with the new ones in their place.
fn merged(former: &str, new: &str, asked: &[String]) -> Option<String> {
    let new: BTreeMap<String, &str> =
        parse(new).ok()?.into_iter().map(|answer: Answer| answer.path).zip(new.lines()).collect();
    if !asked.iter().all(|path| new.contains_key(path)) {
        return None;
    }
    let former = parse(former).ok()?.into_iter().zip(former.lines());
    let lines: Vec<&str> = former.map(|(answer, line)| new.get(&answer.path).copied().unwrap_or(line)).collect();
    Some(lines.join("\n") + "\n")
}

fn write(
    shim: &Shim,
    request: &Request,
    folder: &Path,
    crate_files: &[File],
    needed: &BTreeSet<usize>,
    asked: &[String],
) -> Option<()> {
    let api = request.root.join(request.api);
    let place = |index: usize| {
        let file = &crate_files[index];
        if file.children.is_empty() { file.path.clone() } else { folder.join(format!("holder{index}.rs")) }
    };
    for (index, file) in crate_files.iter().enumerate().filter(|(_, file)| !file.children.is_empty()) {
        let mut text = tree::narrowed(file, crate_files, needed, &place)?;
        if index == 0 {
            text = format!("{text}\n{}", files::program("crate", asked));
        }
        write_if_changed(&place(index), &text).ok()?;
    }
    let root_manifest = read_manifest(&request.root.join("Cargo.toml")).ok()?;
    let api_manifest = read_manifest(&api.join("Cargo.toml")).ok()?;
    let manifest = manifest(&format!("{}-narrow", shim.name), request.root, &api, &root_manifest, api_manifest)?;
    write_if_changed(&folder.join("Cargo.toml"), &manifest).ok()?;
    // As in the shim: cargo changes the lock, so what it was made from is kept beside it.
    let lock = std::fs::read_to_string(shim.folder.join("Cargo.lock")).ok()?;
    if write_if_changed(&folder.join("shim.lock"), &lock).ok()? {
        write_if_changed(&folder.join("Cargo.lock"), &lock).ok()?;
    }
    Some(())
}

/// The manifest of the api crate, turned into that of a program.
fn manifest(
    name: &str,
    root: &Path,
    api: &Path,
    root_manifest: &DocumentMut,
    mut manifest: DocumentMut,
) -> Option<String> {
    for key in ["lib", "bin", "example", "test", "bench", "dev-dependencies", "build-dependencies", "workspace"] {
        manifest.remove(key);
    }
    let dependencies = manifest.get_mut("dependencies")?.as_table_like_mut()?;
    // What `main` names must be there by these names, and `support` must be ours.
    if dependencies.contains_key("support") || !["kube", "schemars"].iter().all(|name| dependencies.contains_key(name))
    {
        return None;
    }
    files::absolute_paths(manifest.get_mut("dependencies")?, api);
    manifest["dependencies"]["support"]["package"] = Item::Value("opctl-shim-support".into());
    manifest["dependencies"]["support"]["path"] = Item::Value("../support".into());
    manifest["package"]["name"] = Item::Value(name.into());
    let mut program = Table::new();
    program["name"] = Item::Value(name.into());
    program["path"] = Item::Value("holder0.rs".into());
    let mut programs = ArrayOfTables::new();
    programs.push(program);
    manifest["bin"] = Item::ArrayOfTables(programs);
    files::settings(&mut manifest, root_manifest, root);
    // It inherits what the crate inherits.
    let mut workspace = Table::new();
    for key in ["dependencies", "package", "lints"] {
        if let Some(item) = root_manifest.get("workspace").and_then(|workspace| workspace.get(key)) {
            workspace.insert(key, item.clone());
        }
    }
    files::absolute_paths(workspace.get_mut("dependencies").unwrap_or(&mut Item::None), root);
    manifest["workspace"] = Item::Table(workspace);
    Some(manifest.to_string())
}
