//! The reasons why opctl refuses to read a file, for use in a [`std::io::Error`].

use super::{Hint, hint};
use std::fmt::{Display, Formatter};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The reason why opctl refuses to read a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The file is a device, a pipe or a socket, whose content may be endless or may never arrive.
    NotAFile,
    /// The file is larger than this number of bytes.
    TooLarge(u64),
    /// The content of the file is nested more deeply than `levels`.
    TooDeep {
        /// The line in which the nesting becomes too deep, counted from 1.
        line: usize,
        /// The maximum nesting depth.
        levels: usize,
    },
    /// The file is at this path outside of the project, and a symlink in the project leads to the path.
    Outside(PathBuf),
}

impl Refused {
    /// Returns the hint for the file at `path`: a command that shows why opctl refuses the file, such as its size, with
    /// a comment that says how to solve the problem.
    pub(super) fn hint(&self, path: &Path) -> Hint {
        let path = path.display();
        match self {
            Refused::NotAFile => hint!("ls -lL {path}    # shows its type; replace it with a regular file", path),
            Refused::TooLarge(_) => hint!("ls -lLh {path}    # shows its size; make it smaller, or remove it", path),
            Refused::TooDeep { line, .. } => {
                hint!("sed -n {line}p {path}    # shows the line; reduce its nesting", line, path)
            }
            Refused::Outside(_) => {
                hint!(
                    "ls -l {path}    # shows the target of the symlink; replace the symlink with a copy of the file",
                    path
                )
            }
        }
    }
}

impl Display for Refused {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::NotAFile => formatter.write_str("the path is neither a regular file nor a link to one"),
            Refused::TooLarge(limit) => {
                write!(formatter, "the file is larger than {} MiB, which is more than opctl reads", limit >> 20)
            }
            Refused::TooDeep { line, levels } => {
                write!(formatter, "the content is nested more than {levels} levels deep, at line {line}")
            }
            Refused::Outside(target) => {
                write!(formatter, "a symlink leads out of the project, to `{}`", target.display())
            }
        }
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        let kind = match refused {
            Refused::TooLarge(_) => ErrorKind::FileTooLarge,
            _ => ErrorKind::InvalidInput,
        };
        Error::new(kind, refused)
    }
}
