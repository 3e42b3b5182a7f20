//! Adds the `mod` line of a new module to the parent module.

use crate::model::ProjectPath;
use crate::plan::{Edit, Operation};

pub(super) fn module(path: impl Into<ProjectPath>, visibility: &'static str, name: &str) -> Operation {
    Operation::edit(path, Edit::Module { visibility, name: name.to_owned() })
}
