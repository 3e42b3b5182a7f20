//! The `mod` line of a new module.

use crate::plan::{Edit, Operation};

pub(super) fn module(path: &str, visibility: &'static str, name: &str) -> Operation {
    Operation::edit(path, Edit::Module { visibility, name: name.to_owned() })
}
