//! Everything that `opctl manifests` writes, as contents by path.

use super::definition::{Version, definitions};
use super::discover::{self, ApiType, Features};
use super::rbac;
use super::schema::{Findings, Problem, Raw, structural};
use super::shim::{self, Answer, Request};
use crate::report::Console;
use crate::{Error, Result, error::file_error, exec, yaml};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What may be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the api crate, below the project's root.
    pub api: PathBuf,
    /// Compile even when nothing changed.
    pub force: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { api: PathBuf::from("api"), force: false }
    }
}

/// The files as they should be.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// Contents by path below the project's root: `config/crd/bases/<group>_<plural>.yaml` and
    /// `config/rbac/role.yaml`.
    pub files: BTreeMap<String, String>,
    /// The types that were found.
    pub types: Vec<ApiType>,
    /// What works, but hardly as it is meant.
    pub warnings: Vec<Warning>,
    /// Whether anything had to be compiled.
    pub compiled: bool,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// `file:line` of the type.
    pub place: String,
    /// What is odd, with the type and the field.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

/// Generates the manifests of the project at `root`. Writes nothing but below cargo's target folder.
///
/// # Errors
/// A marker or an attribute that makes no sense; types that do not compile, whose messages have been shown then, or
/// that Kubernetes cannot describe; no cargo.
pub fn generate(root: &Path, options: &Options, console: &Console) -> Result<Manifests> {
    let root = std::path::absolute(root).map_err(|error| file_error("find", root, &error))?;
    let mut manifests = Manifests::default();
    // First, since it takes no time: a mistake in a marker shows at once.
    let mut grants = Vec::new();
    for folder in [Path::new("src"), &options.api.join("src")] {
        for file in rust_files(&root, folder)? {
            let path = root.join(&file);
            let source = fs::read_to_string(&path).map_err(|error| file_error("read", &path, &error))?;
            grants.extend(rbac::grants(&file, &source)?);
        }
    }
    manifests.files.insert("config/rbac/role.yaml".to_owned(), yaml::documents(&rbac::roles(&grants)));
    manifests.types = find_types(&root, &options.api)?;
    if manifests.types.is_empty() {
        return Ok(manifests);
    }
    let paths: Vec<String> = manifests.types.iter().map(|found| found.path.clone()).collect();
    let target = exec::target_folder(&root);
    let request = Request { root: &root, api: &options.api, target: &target, types: &paths, force: options.force };
    let (answers, compiled) = shim::answers(&request, console)?;
    manifests.compiled = compiled;
    let mut versions = Vec::new();
    for found in &manifests.types {
        let answer = answers.iter().find(|answer| answer.path == found.path);
        let answer = answer.ok_or_else(|| Error::bug(format!("the compiled types do not name `{}`", found.path)))?;
        versions.push(version(found, answer, &mut manifests.warnings)?);
    }
    for (name, definition) in definitions(versions)? {
        manifests.files.insert(format!("config/crd/bases/{name}.yaml"), yaml::documents([&definition]));
    }
    Ok(manifests)
}

/// The types of the api crate; none if there is no such crate.
fn find_types(root: &Path, api: &Path) -> Result<Vec<ApiType>> {
    if !root.join(api).join("Cargo.toml").is_file() {
        return Ok(Vec::new());
    }
    let manifest = shim::read_manifest(&root.join(api).join("Cargo.toml"))?;
    let lib =
        manifest.get("lib").and_then(|lib| lib.get("path")).and_then(toml_edit::Item::as_str).unwrap_or("src/lib.rs");
    let source = |path: &Path| match fs::read_to_string(root.join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error("read", path, &error)),
    };
    discover::types(&api.join(lib), &source, &Features::default_of(&manifest))
}

/// All Rust files below a folder, relative to the project, sorted.
fn rust_files(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut next = vec![folder.to_owned()];
    while let Some(folder) = next.pop() {
        let entries = match fs::read_dir(root.join(&folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(file_error("read", &folder, &error)),
        };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => next.push(path),
                Ok(_) if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Makes the definition of one version of what the compiled type said.
fn version<'a>(found: &'a ApiType, answer: &Answer, warnings: &mut Vec<Warning>) -> Result<Version<'a>> {
    let name = &found.resource.root;
    let place = found.place();
    let Some(read) = &answer.read else {
        let error = Error::user(format!("`{name}::json_schema()` panics ({place})"));
        return Err(error
            .caused_by(answer.read_panic.as_deref().unwrap_or("it says nothing"))
            .hint("look at the `schema_with` functions and the defaults of its fields"));
    };
    // kube makes the schema along with the definition, and panics where it cannot; our own steps can, or name the field.
    let crd = answer.crd.clone().unwrap_or_else(|| stated(found, &answer.plural));
    if found.resource.scale && !found.resource.status {
        return Err(Error::user(format!("`{name}` has a scale subresource but no status ({place})"))
            .hint("add `status = \"..\"` to `#[kube(..)]`; kube drops `scale(..)` without it"));
    }
    let written = answer.written.as_ref().map(raw).transpose()?;
    let mut findings = Findings::default();
    let schema = structural(&raw(read)?, written.as_ref(), &mut findings);
    refuse(found, &findings.problems)?;
    warnings.extend(findings.warnings.iter().map(|warning| Warning {
        place: place.clone(),
        message: format!("{warning}, in `{name}`"),
        hint: warning.mend.clone(),
    }));
    Ok(Version { api_type: found, crd, schema })
}

/// The definition that the attributes state.
fn stated(found: &ApiType, plural: &str) -> Value {
    let mut crd = found.resource.stated.clone();
    crd["spec"]["names"]["plural"] = plural.into();
    crd["metadata"]["name"] = format!("{plural}.{}", found.resource.group).into();
    crd
}

fn raw(value: &Value) -> Result<Raw> {
    serde_json::from_value(value.clone()).map_err(|error| Error::bug("cannot read a schema").source(&error))
}

/// The error for what the API server would refuse: every field, and the mend of the first.
fn refuse(found: &ApiType, problems: &[Problem]) -> Result<()> {
    let Some((first, rest)) = problems.split_first() else { return Ok(()) };
    let message = format!("`{}` of {}: {first}", found.resource.root, found.place());
    let message = message.replacen(": `", ": the field `", 1);
    let error = rest.iter().fold(Error::user(message), |error, problem| error.caused_by(format!("also {problem}")));
    Err(error.hint(first.mend.clone()))
}
