//! The inputs of a generation beside the project's files.

use super::against::Older;
use std::path::PathBuf;

/// What may be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the api crate, below the project's root.
    pub api: PathBuf,
    /// Compile even when nothing changed.
    pub force: bool,
    /// Whether anything is compiled at all; if not, what the types say is known only while it is kept from the last time.
    pub compile: bool,
    /// The bytes that a description may have; 0 leaves descriptions out.
    pub max_description_length: Option<usize>,
    /// The comments above every file.
    pub header: String,
    /// Whether the manager has a Role, in the namespace that it runs in.
    pub namespaced: bool,
    /// Older definitions, to compare the new ones with.
    pub against: Option<Older>,
    /// Types of other crates that the operator has controllers for.
    pub external: Vec<ExternalType>,
}

/// A type of another crate.
#[derive(Clone, Debug)]
pub struct ExternalType {
    /// Its path in Rust, such as `certs::v1::Certificate`.
    pub path: String,
    /// Its kind.
    pub kind: String,
    /// The whole API group.
    pub group: String,
    /// The plural, which names it in roles.
    pub plural: String,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            api: PathBuf::from("api"),
            force: false,
            compile: true,
            max_description_length: None,
            header: String::new(),
            namespaced: false,
            against: None,
            external: Vec::new(),
        }
    }
}
