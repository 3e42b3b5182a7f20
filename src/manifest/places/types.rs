//! The types of a project's files, with their fields and variants.

use super::names::{Module, Names};
use std::path::{Path, PathBuf};
use syn::Type;

/// All types, fields and variants of some files.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) items: Vec<Item>,
    pub(super) shapes: Vec<Shape>,
    pub(super) names: Names,
}

/// The lines of a type, a field or a variant, from its first attribute to its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::manifest) struct Item {
    pub(super) file: PathBuf,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// A struct or an enum.
#[derive(Debug)]
pub(in crate::manifest) struct Shape {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) line: usize,
    pub(super) module: Module,
    pub(super) parameters: Vec<String>,
    pub(super) members: Vec<Member>,
    /// Whether a derive makes its schema.
    pub(super) derived: bool,
}

/// A field or a variant.
#[derive(Debug)]
pub(in crate::manifest) struct Member {
    /// In no case.
    pub(super) name: String,
    /// As YAML has it.
    pub(super) written: String,
    pub(super) line: usize,
    pub(super) rust_type: Option<Type>,
    /// Whether its fields stand beside those of its owner.
    pub(super) flattened: bool,
    /// Whether its type says nothing about its schema.
    pub(super) hidden: bool,
}

impl Shape {
    pub(in crate::manifest) fn name(&self) -> &str {
        &self.name
    }

    pub(in crate::manifest) fn file(&self) -> &Path {
        &self.file
    }

    /// Its members whose types are part of a derived schema.
    pub(in crate::manifest) fn described(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| self.derived && !member.hidden)
    }
}

impl Member {
    pub(in crate::manifest) fn line(&self) -> usize {
        self.line
    }

    /// What a path says for it; nothing for what is flattened.
    pub(in crate::manifest) fn written(&self) -> Option<&str> {
        (!self.flattened).then_some(&self.written)
    }
}
