//! The types of a project's files, with their fields and variants.

use super::type_paths::{Module, Names};
use std::path::{Path, PathBuf};
use syn::Type;

/// The types, fields and variants in source files.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) items: Vec<Item>,
    pub(super) shapes: Vec<Shape>,
    pub(super) names: Names,
}

/// The lines of a type, a field or a variant, from its first attribute to its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(super) file: PathBuf,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// A struct or an enum.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) line: usize,
    pub(super) module: Module,
    pub(super) parameters: Vec<String>,
    pub(super) members: Vec<Member>,
    /// True if a derive macro generates the schema of the type.
    pub(super) derived: bool,
}

/// A field or a variant.
#[derive(Debug)]
pub(crate) struct Member {
    /// The name in lower case, without `_` and `-`.
    pub(super) name: String,
    /// The name as written in YAML.
    pub(super) written: String,
    pub(super) line: usize,
    pub(super) rust_type: Option<Type>,
    /// True if the fields of the member's type appear next to the fields of the type that contains the member.
    pub(super) flattened: bool,
    /// True if an attribute replaces or removes the member's schema.
    pub(super) hidden: bool,
}

impl Shape {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the members whose types are part of a derived schema.
    pub(crate) fn described_members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| self.derived && !member.hidden)
    }
}

impl Member {
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Returns the member's name in a path; `None` for a flattened member.
    pub(crate) fn written_name(&self) -> Option<&str> {
        (!self.flattened).then_some(&self.written)
    }
}
