//! Finds the file that a further version is copied from.

use super::crate_files::Files;
use super::module;
use crate::error::hint;
use crate::model::{Key, ProjectPath};
use crate::scaffold::storage::type_file;
use crate::{Error, Result, edit};

/// Finds the file that defines the type of a version: the file that opctl generates for the type, or else another
/// file directly in the version's folder.
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
        Some(path) => Err(Error::user(format!("`{path}` contains the type of `{}`, but cannot be copied", key.kind))
            .caused_by(
                "a new version starts as a copy of the file that contains the type, and this file must be directly in \
                 the folder of its version",
            )
            .hint(hint!("move `{}` and its types to `{made}`, then run the same command again", key.kind, made))),
        None => Err(missing_type_error(key, &made)),
    }
}

pub(super) fn missing_type_error(key: &Key, path: &str) -> Error {
    let (kind, version) = (&key.kind, &key.version);
    Error::user(format!("`{path}` has no type for `{kind}` in version `{version}` to copy"))
        .caused_by(
            "a new version starts as a copy of the stored version, and opctl cannot read a type that a macro generates",
        )
        .hint(hint!(
            "write the type in that file, with `#[kube(kind = \"{kind}\", version = \"{version}\", ..)]` above its \
             struct, then run the same command again",
            kind,
            version
        ))
}
