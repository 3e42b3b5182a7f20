//! The embedded templates, in Tera, with `{[ x ]}` for values because `{{` belongs to Helm, workflows and Rust.
//!
//! `templates/project` mirrors the files of `opctl init`; `templates/resource` has the files that `create api` adds. An
//! undefined value is an error, never an empty string.

use crate::{Error, Result};
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tera::{Context, Delimiters, Tera};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");
const SUFFIX: &str = ".tera";

/// The templates of one folder, ready to render.
#[derive(Debug)]
pub struct Templates {
    folder: &'static str,
    tera: Tera,
    names: Vec<&'static str>,
}

impl Templates {
    /// Loads the templates below `templates/<folder>`, which are parsed once in a process.
    ///
    /// # Errors
    /// Fails if a template does not parse, which is a defect of opctl.
    pub fn load(folder: &'static str) -> Result<Arc<Self>> {
        static LOADED: Mutex<BTreeMap<&str, Arc<Templates>>> = Mutex::new(BTreeMap::new());
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(templates) = loaded.get(folder) {
            return Ok(Arc::clone(templates));
        }
        let templates = Arc::new(Self::parse(folder)?);
        loaded.insert(folder, Arc::clone(&templates));
        Ok(templates)
    }

    fn parse(folder: &'static str) -> Result<Self> {
        let mut files = Vec::new();
        if let Some(found) = TEMPLATES.get_dir(folder) {
            collect(found, folder, SUFFIX, &mut files);
        }
        files.sort_unstable();
        let mut tera = Tera::new();
        let delimiters = Delimiters { variable_start: "{[".into(), variable_end: "]}".into(), ..Delimiters::default() };
        tera.set_delimiters(delimiters).map_err(|error| defect(folder, &error))?;
        // The templates are not HTML.
        tera.autoescape_on(Vec::<&str>::new());
        tera.add_raw_templates(files.iter().copied()).map_err(|error| defect(folder, &error))?;
        Ok(Templates { folder, tera, names: files.into_iter().map(|(name, _)| name).collect() })
    }

    /// Returns the templates' paths below their folder, without `.tera`.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Renders one template.
    ///
    /// # Errors
    /// Fails if `values` lacks a value of the template, which is a defect of opctl.
    pub fn render(&self, name: &str, values: &impl serde::Serialize) -> Result<String> {
        let context = Context::from_serialize(values).map_err(|error| defect(name, &error))?;
        self.tera.render(name, &context).map_err(|error| defect(&format!("{}/{name}", self.folder), &error))
    }
}

/// Returns the files below `templates/<folder>` that every project gets unchanged, sorted by path.
pub fn verbatim(folder: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut files = Vec::new();
    if let Some(found) = TEMPLATES.get_dir(folder) {
        collect(found, folder, "", &mut files);
    }
    files.retain(|(path, _)| !path.ends_with(SUFFIX));
    files.sort_unstable();
    files
}

fn collect(folder: &'static Dir<'static>, root: &str, suffix: &str, files: &mut Vec<(&'static str, &'static str)>) {
    for file in folder.files() {
        let path =
            file.path().to_str().and_then(|path| path.strip_prefix(root)?.strip_prefix('/')?.strip_suffix(suffix));
        if let (Some(path), Some(text)) = (path, file.contents_utf8()) {
            files.push((path, text));
        }
    }
    for inner in folder.dirs() {
        collect(inner, root, suffix, files);
    }
}

fn defect(name: &str, error: &tera::Error) -> Error {
    Error::bug(format!("the template `{name}` cannot be rendered")).source(error)
}
