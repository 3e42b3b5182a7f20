//! Errors of file operations.

use super::error::Error;
use super::refused::Refused;

/// Returns the error for a failed file operation, with the path and, for known reasons, a hint.
pub fn file_error(verb: &str, path: &std::path::Path, error: &std::io::Error) -> Error {
    use std::io::ErrorKind;
    if let Some(refused) = error.get_ref().and_then(|inner| inner.downcast_ref::<Refused>()) {
        let failure = Error::user(format!("cannot {verb} `{}`", path.display()));
        return failure.caused_by(refused).hint(refused.hint(path));
    }
    let hint = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Some("make the folder writable, or work in another folder with `-C DIR`")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Some("free some space, for example with `cargo clean`, and run the same command again")
        }
        ErrorKind::NotADirectory => {
            Some("a file exists where a folder is needed: move the file away, or name another folder")
        }
        _ => None,
    };
    let failure = Error::environment(format!("cannot {verb} `{}`", path.display())).caused_by(error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
