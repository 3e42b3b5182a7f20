//! An operator that existed before its `PROJECT`: `opctl adopt` took it over.

use std::path::{Component, Path};

/// The places of an operator that `opctl adopt` found: its types and its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// The crates that define the kinds, at least one, and no package twice.
    pub types: Vec<TypesPlace>,
    /// The folders of packages that define kinds, too, and are left out because `--package` named others.
    pub without: Vec<String>,
    /// The program that is the operator; `None` where the workspace has only types.
    pub operator: Option<OperatorProgram>,
}

/// A crate that defines kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypesPlace {
    /// The folder of the crate's package, below the project's root; `.` for the root itself.
    pub package: String,
    /// The root module of the program that defines the kinds, below the package's folder, such as `src/main.rs`; `None`
    /// where the package's library defines them.
    pub program: Option<String>,
    /// Features of the package that the types need besides the default ones.
    pub features: Vec<String>,
}

/// A program, as cargo names it: a package and a binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorProgram {
    /// The value of `--package`.
    pub package: String,
    /// The value of `--bin`.
    pub name: String,
}

impl OperatorProgram {
    /// Returns the arguments that make cargo build or run this program and no other.
    pub fn cargo_arguments(&self) -> [&str; 4] {
        ["--package", &self.package, "--bin", &self.name]
    }
}

impl Adopted {
    /// Returns the place that has this folder, as [`TypesPlace::package`] names it.
    pub fn types_in(&self, package: &str) -> Option<&TypesPlace> {
        self.types.iter().find(|place| place.package == package)
    }

    /// Returns true if the relative `path` stays below the folder that it starts from.
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
