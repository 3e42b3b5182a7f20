//! Projects whose runtime is not a crate yet.

use super::super::ApiIntent;
use crate::{Error, Result};

const EARLIER: &str = "src/runtime/mod.rs";
const CRATE: &str = "runtime/Cargo.toml";

/// Refuses a controller where the runtime is still below `src/`, as an earlier opctl made it: the two do not fit together.
///
/// # Errors
/// A project with the runtime of an earlier opctl.
pub fn check_runtime(intent: &ApiIntent, holds: &dyn Fn(&str) -> bool) -> Result<()> {
    if !intent.controller || !holds(EARLIER) || holds(CRATE) {
        return Ok(());
    }
    Err(Error::user("the runtime of this project is in `src/runtime`, where an earlier opctl put it")
        .caused_by("a new controller uses the crate `runtime`")
        .hint("opctl update    # brings the project to what this opctl would make of it"))
}
