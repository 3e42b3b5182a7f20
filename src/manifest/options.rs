//! The inputs of a generation beside the project's files.

use super::against::Older;
use crate::access::ExternalType;
use crate::model::Domain;
use std::path::PathBuf;

/// The choices of a generation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the api crate, below the project's root.
    pub api: PathBuf,
    /// The root module of the program that defines the types, below that folder; `None` where its library does.
    pub program: Option<PathBuf>,
    /// The domain of the groups that the project defines; types of other groups are copies of another project's. `None` where
    /// all are its own.
    pub domain: Option<Domain>,
    /// Features of that crate that the types need besides the default ones.
    pub features: Vec<String>,
    /// Compile even when nothing changed.
    pub force: bool,
    /// Compiles the types. If false, only unchanged answers of the last compilation are used.
    pub compile: bool,
    /// The bytes that a description may have; 0 leaves descriptions out.
    pub max_description_length: Option<usize>,
    /// The comments above every file.
    pub header: String,
    /// Makes a Role in the manager's namespace instead of a `ClusterRole`.
    pub namespaced: bool,
    /// Older definitions, to compare the new ones with.
    pub against: Option<Older>,
    /// Types of other crates that the operator has controllers for.
    pub external: Vec<ExternalType>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            api: PathBuf::from("api"),
            program: None,
            domain: None,
            features: Vec::new(),
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
