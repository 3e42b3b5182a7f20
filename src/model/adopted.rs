//! An existing operator for which `opctl adopt` created the file `PROJECT`.

use std::path::{Component, Path};

/// The parts of an operator that `opctl adopt` found: the crates with its types, and its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// The crates that define the kinds: at least one crate, and each package at most once.
    pub types: Vec<TypesPlace>,
    /// The folders of packages that define kinds but are left out because `--package` named other packages.
    pub without: Vec<String>,
    /// The program that runs the operator; `None` if the workspace has only types.
    pub operator: Option<OperatorProgram>,
}

/// A crate that defines kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypesPlace {
    /// The folder of the crate's package, relative to the project's root; `.` for the root itself.
    pub package: String,
    /// The root module of the program that defines the kinds, relative to the package's folder, such as `src/main.rs`;
    /// `None` if the package's library defines the kinds.
    pub program: Option<String>,
    /// The features of the package that the types need in addition to the default features.
    pub features: Vec<String>,
}

/// A binary of a package, as cargo's flags `--package` and `--bin` select it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorProgram {
    /// The name of the package, for cargo's flag `--package`.
    pub package: String,
    /// The name of the binary, for cargo's flag `--bin`.
    pub name: String,
}

impl OperatorProgram {
    /// Returns the arguments that make cargo build or run this program and no other.
    pub fn cargo_arguments(&self) -> [&str; 4] {
        ["--package", &self.package, "--bin", &self.name]
    }
}

impl Adopted {
    /// Returns the crate whose [`TypesPlace::package`] is `package`.
    pub fn types_in(&self, package: &str) -> Option<&TypesPlace> {
        self.types.iter().find(|place| place.package == package)
    }

    /// Returns true if `path` is a nonempty relative path without `..`, which cannot lead out of its base folder.
    pub(super) fn is_below(path: &str) -> bool {
        let inner = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        !path.is_empty() && Path::new(path).components().all(inner)
    }
}

impl TypesPlace {
    /// Returns the folder of the package; empty for the project's root.
    pub fn folder(&self) -> &Path {
        Path::new(if self.package == "." { "" } else { &self.package })
    }
}
