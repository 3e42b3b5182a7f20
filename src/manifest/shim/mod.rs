//! Compiles the api crate's types and asks them what they are.

mod ask;
mod build;
mod cache;
pub mod files;
mod narrow;

pub(super) use cache::digest;

use crate::report::Console;
use crate::{Error, Result, conflict, error::file_error};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What one type said.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The path it was asked by.
    pub path: String,
    /// Its plural.
    #[serde(default)]
    pub plural: String,
    /// Its definition, without the schema.
    #[serde(default)]
    pub crd: Option<Value>,
    /// Why there is none.
    #[serde(default)]
    pub crd_panic: Option<String>,
    /// `{schema, definitions}` of what it reads.
    #[serde(default)]
    pub read: Option<Value>,
    /// Why there is none.
    #[serde(default)]
    pub read_panic: Option<String>,
    /// `{schema, definitions}` of what it writes.
    #[serde(default)]
    pub written: Option<Value>,
    /// Whether its schema never ends.
    #[serde(default)]
    pub endless: bool,
}

/// What to compile.
#[derive(Debug)]
pub struct Request<'a> {
    /// The project, an absolute path.
    pub root: &'a Path,
    /// The folder of the api crate, relative to it.
    pub api: &'a Path,
    /// cargo's target folder.
    pub target: &'a Path,
    /// The public paths of the types.
    pub types: &'a [String],
    /// The file of each of them, relative to the project, and the name of its root type.
    pub roots: &'a [(PathBuf, String)],
    /// Compile even when nothing changed.
    pub force: bool,
}

/// The answers, and whether anything had to be compiled for them.
pub fn answers(request: &Request, console: &Console) -> Result<(Vec<Answer>, bool)> {
    let shim = Shim::of(request);
    shim.write(request)?;
    if !request.force
        && let Some(text) = cache::lookup(&shim.folder, request.root)
    {
        console.detail("nothing changed since the last time, nothing is compiled");
        return Ok((parse(&text)?, false));
    }
    if !request.force
        && let Some(text) = narrow::answers(&shim, request, console)
    {
        return Ok((parse(&text?)?, true));
    }
    let built = build::build(request.root, &shim.folder, &shim.build_folder, console)?;
    let output = shim.folder.join("answers.json");
    let asked = ask::ask(&built.executable, &output, request.types)?;
    let mut answers = parse(&asked.text)?;
    if !asked.endless.is_empty() {
        answers.extend(asked.endless.into_iter().map(|path| Answer { path, endless: true, ..Answer::default() }));
        return Ok((answers, true));
    }
    cache::store(
        &shim.folder,
        request.root,
        &built.executable,
        &asked.text,
        narrow::names_by_file(request),
        Vec::new(),
    );
    Ok((answers, true))
}

/// The answers of the last time, if nothing changed since. Writes nothing.
pub(super) fn known(request: &Request) -> Result<Option<Vec<Answer>>> {
    cache::lookup(&Shim::of(request).folder, request.root).map(|text| parse(&text)).transpose()
}

fn parse(text: &str) -> Result<Vec<Answer>> {
    text.lines().map(serde_json::from_str).collect::<Result<_, _>>().map_err(|error| match error.to_string() {
        text if text.starts_with("recursion limit exceeded") => {
            Error::user("the schema of a type is nested too deeply to be read").hint("opctl explain OP121")
        }
        _ => Error::bug("cannot read what the compiled types say").source(&error),
    })
}

/// Where what belongs to the project at `root`, an absolute path, is kept between runs.
pub(super) fn folder(root: &Path, target: &Path) -> PathBuf {
    target.join("opctl").join(name(root))
}

fn name(root: &Path) -> String {
    format!("opctl-shim-{}", &cache::digest(root.as_os_str().as_encoded_bytes())[..12])
}

struct Shim {
    name: String,
    folder: PathBuf,
    /// Shared by all projects of one target folder, as cargo's own is.
    build_folder: PathBuf,
}

impl Shim {
    fn of(request: &Request) -> Self {
        let folder = folder(request.root, request.target);
        Shim { folder, build_folder: request.target.join("opctl").join("target"), name: name(request.root) }
    }

    fn write(&self, request: &Request) -> Result<()> {
        let api = request.root.join(request.api);
        let root_manifest = read_manifest(&request.root.join("Cargo.toml"))?;
        let api_manifest = read_manifest(&api.join("Cargo.toml"))?;
        let inputs = files::Inputs {
            root: request.root,
            api: &api,
            root_manifest: &root_manifest,
            api_manifest: &api_manifest,
            name: &self.name,
            types: request.types,
        };
        for (path, text) in files::files(&inputs)? {
            write_if_changed(&self.folder.join(path), &text)?;
        }
        // cargo removes from the shim's lock what the shim does not need, so the project's is kept beside it.
        let lock = fs::read_to_string(request.root.join("Cargo.lock"));
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
}

/// Reads and parses a cargo manifest.
pub fn read_manifest(path: &Path) -> Result<toml_edit::DocumentMut> {
    let text = fs::read_to_string(path).map_err(|error| file_error("read", path, &error))?;
    text.parse().map_err(|error| {
        let otherwise = Error::user(format!("`{}` is not valid TOML", path.display()))
            .caused_by(error)
            .hint("fix it there, or restore it: git checkout Cargo.toml api/Cargo.toml");
        conflict::or(&path.display().to_string(), &text, otherwise)
    })
}

/// Writes a file unless it has this content, so that cargo sees no newer one; whether it did.
fn write_if_changed(path: &Path, text: &str) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| file_error("create", folder, &error))?;
    }
    fs::write(path, text).map_err(|error| file_error("write", path, &error))?;
    Ok(true)
}
