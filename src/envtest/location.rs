//! The URL or the path of a file.

use super::failure::redact_url;
use std::fmt;
use std::path::PathBuf;

/// The location of a file: a URL or a path on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Url(String),
    File(PathBuf),
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Url(url) => formatter.write_str(&redact_url(url)),
            Location::File(path) => path.display().fmt(formatter),
        }
    }
}
