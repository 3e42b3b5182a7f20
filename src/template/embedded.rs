//! The embedded templates.
//!
//! `templates/project` mirrors the files of `opctl init`; `templates/resource` has the files that `create api` adds.

use super::engine::engine;
use super::packed::{FOLDERS, Folder};
use crate::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use tera::{Context, Tera};

const SUFFIX: &str = ".tera";
const INCLUDE: &str = "include \"";
/// The opening delimiters of expressions, statements and comments.
const EXPRESSIONS: [&str; 3] = ["{[", "{%", "{#"];

/// The templates of one folder. Each template is parsed when it is rendered, since no command renders all templates.
#[derive(Debug)]
pub struct Templates {
    folder: &'static str,
    files: BTreeMap<&'static str, &'static str>,
    /// The engine, with the templates that other templates include.
    tera: Tera,
}

impl Templates {
    /// Returns the templates below `templates/<folder>`, which are loaded once per process.
    ///
    /// # Errors
    /// Fails if a template that other templates include does not parse, which is a defect of opctl.
    pub fn load(folder: &'static str) -> Result<Arc<Self>> {
        static LOADED: Mutex<BTreeMap<&str, Arc<Templates>>> = Mutex::new(BTreeMap::new());
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(templates) = loaded.get(folder) {
            return Ok(Arc::clone(templates));
        }
        let templates = Arc::new(Self::find(folder)?);
        loaded.insert(folder, Arc::clone(&templates));
        Ok(templates)
    }

    fn find(folder: &'static str) -> Result<Self> {
        let files = files(folder, SUFFIX);
        let mut tera = engine().map_err(|error| defect(folder, &error))?;
        // To split is slow, and few templates include others.
        let including = files.values().filter(|text| text.contains(INCLUDE));
        let includes = including.flat_map(|text| text.split(INCLUDE).skip(1));
        let included: BTreeSet<&str> = includes.filter_map(|rest| rest.split('"').next()).collect();
        let included = included.into_iter().filter_map(|name| files.get_key_value(name));
        tera.add_raw_templates(included).map_err(|error| defect(folder, &error))?;
        Ok(Templates { folder, files, tera })
    }

    /// Returns the templates' paths below their folder, sorted, without `.tera`.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.keys().copied()
    }

    /// Renders one template.
    ///
    /// # Errors
    /// Fails if the template does not exist or does not parse, or if `values` lacks a value that the template uses.
    /// Each of these failures is a defect of opctl.
    pub fn render(&self, name: &str, values: &impl serde::Serialize) -> Result<String> {
        let defect = |error: &tera::Error| defect(&format!("{}/{name}", self.folder), error);
        let text = self
            .files
            .get(name)
            .ok_or_else(|| defect(&tera::Error::message("the template is not built into opctl")))?;
        if !EXPRESSIONS.iter().any(|opening| text.contains(opening)) {
            return Ok((*text).to_owned());
        }
        let context = Context::from_serialize(values).map_err(|error| defect(&error))?;
        self.tera.render_str(text, &context, false).map_err(|error| defect(&error))
    }
}

/// Returns the path and text of each file below `templates/<folder>` that every project gets unchanged, sorted by path.
pub fn verbatim(folder: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    files(folder, "").into_iter().filter(|(path, _)| !path.ends_with(SUFFIX))
}

/// Returns the texts below `templates/<folder>` whose path ends with `suffix`, by their path without the suffix.
fn files(folder: &'static str, suffix: &str) -> BTreeMap<&'static str, &'static str> {
    let templates = FOLDERS.iter().filter(|one| one.name == folder).flat_map(Folder::templates);
    templates.filter_map(|(path, text)| Some((path.strip_suffix(suffix)?, text))).collect()
}

fn defect(name: &str, error: &tera::Error) -> Error {
    Error::bug(format!("the template `{name}` cannot be rendered")).source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_parses() {
        let mut parsed = 0;
        for folder in &FOLDERS {
            let templates = Templates::find(folder.name).unwrap();
            let mut tera = templates.tera;
            parsed += templates.files.len();
            tera.add_raw_templates(templates.files).unwrap();
        }
        assert!(parsed > 100);
    }

    #[test]
    fn a_template_that_is_not_there_is_named() {
        let error = Templates::load("project").unwrap().render("none.yaml", &()).unwrap_err();
        assert_eq!(error.message(), "the template `project/none.yaml` cannot be rendered");
        assert_eq!(error.causes(), ["the template is not built into opctl"]);
    }
}
