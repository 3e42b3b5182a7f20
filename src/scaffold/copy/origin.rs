//! Finds the file that a further version is copied from.

use super::files::Files;
use super::module;
use crate::error::hint;
use crate::model::{Key, ProjectPath};
use crate::scaffold::storage::type_file;
use crate::{Error, Result, edit};

/// Finds the file with the type of a version: the file that opctl generates, or else another file directly in the
/// version's folder.
pub(super) fn find(key: &Key, files: &Files<'_>) -> Result<String> {
    let made = type_file(key);
    let holds = |path: &&str| {
        let text = files.text(path).filter(|text| text.contains(key.kind.as_str()));
        text.is_some_and(|text| edit::has_version(text, key.kind.as_str(), key.version.as_str()))
    };
    if holds(&made.as_str()) {
        return Ok(made);
    }
    // A file that is not Rust has no type to find.
    files.items(&made)?;
    let found = files.paths.iter().map(ProjectPath::as_str).find(|path| holds(path));
    match found {
        Some(path) if module::name_below(key, path).is_some() => Ok(path.to_owned()),
        Some(path) => Err(Error::user(format!("`{path}` has the type of `{}`, and cannot be copied", key.kind))
            .caused_by("a further version begins with a copy of the file that has the type, in a folder of its own")
            .hint(hint!("move `{}` and its types to `{made}`, then run the same command again", key.kind, made))),
        None => Err(lost(key, &made)),
    }
}

pub(super) fn lost(key: &Key, path: &str) -> Error {
    let (kind, version) = (&key.kind, &key.version);
    Error::user(format!("`{path}` has no type of `{kind}` in version `{version}` to begin with"))
        .caused_by("a further version begins with a copy of the stored one, and a type that a macro writes cannot be read")
        .hint(hint!("write it out there, with `#[kube(kind = \"{kind}\", version = \"{version}\", ..)]` above its struct, then run the same \
             command again", kind, version))
}
