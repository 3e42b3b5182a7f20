//! The YAML documents in a catalog's files, each with its byte range in the file.

use crate::error::hint;
use crate::olm::manifest::text;
use crate::{Error, Result, conflict, yaml};
use serde_json::Value;
use std::ops::Range;

/// A file of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogFile {
    /// The path relative to the project.
    pub path: String,
    /// The content of the file.
    pub text: String,
}

/// A YAML document of a catalog.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// The index of the file that contains the document.
    pub(super) file: usize,
    /// The byte range of the document in the file.
    pub(super) range: Range<usize>,
    pub(super) value: Value,
}

impl Document {
    /// Returns true if the document has this schema, package and name.
    pub(super) fn has_identity(&self, schema: &str, package: &str, name: &str) -> bool {
        let of = if schema == "olm.package" { name } else { text(&self.value, "/package") };
        text(&self.value, "/schema") == schema && of == package && text(&self.value, "/name") == name
    }

    /// Returns true if the document belongs to the package.
    pub(super) fn is_of(&self, package: &str) -> bool {
        let field = if text(&self.value, "/schema") == "olm.package" { "/name" } else { "/package" };
        text(&self.value, field) == package
    }
}

/// Reads the documents of all files.
pub(super) fn documents(files: &[CatalogFile]) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    for (file, CatalogFile { path, text }) in files.iter().enumerate() {
        for range in ranges(text) {
            let values = yaml::read(&text[range.clone()]).map_err(|error| {
                let error = Error::user(format!("`{path}` is not YAML")).caused_by(yaml::cause(&error));
                conflict::or(path, text, error.hint(hint!("fix the file, or restore it: git checkout {path}", path)))
            })?;
            let values = values.into_iter().filter(|value| !value.is_null());
            documents.extend(values.map(|value| Document { file, range: range.clone(), value }));
        }
    }
    Ok(documents)
}

/// Returns the byte range of each YAML document. A line that begins with `---` separates two documents; no line
/// within a document begins with `---`.
fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with("---") {
            ranges.push(start..at);
            start = at + line.len();
        }
        at += line.len();
    }
    ranges.push(start..at);
    ranges.retain(|range| !text[range.clone()].trim().is_empty());
    ranges
}
