//! Reads markers in comments, `// +opctl:name:key=value,key=value`, without compiling anything.
//!
//! The grammar is that of controller-tools (`pkg/markers/parse.go`) with extensions: markers anywhere in a file count,
//! also in the body of a function or a macro; blanks around separators are ignored; `+opctl:` may be written for
//! `+kubebuilder:`; and a mistake that controller-gen silently ignores is an error with its column.

mod arguments;
mod comments;
mod error;
mod marker;
mod marker_names;

pub(crate) use arguments::{Argument, Printer};
pub(crate) use comments::line_comments;
pub(crate) use error::MarkerError;
pub(crate) use marker::{Marker, UNKNOWN_MARKER, markers};
pub(crate) use marker_names::closest;

#[cfg(test)]
pub(crate) mod random;
