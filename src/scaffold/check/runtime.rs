//! Projects whose runtime is not a crate yet.

use super::super::ApiIntent;
use crate::model::Project;
use crate::{Error, Result};

const EARLIER: &str = "src/runtime/mod.rs";
const CRATE: &str = "runtime/Cargo.toml";

/// Refuses a controller where the runtime is still below `src/`, as an earlier opctl made it: the two do not fit together.
///
/// # Errors
/// A project with the runtime of an earlier opctl.
pub fn check_runtime(intent: &ApiIntent, project: &Project, holds: &dyn Fn(&str) -> bool) -> Result<()> {
    if !intent.controller || !holds(EARLIER) || holds(CRATE) {
        return Ok(());
    }
    let (name, domain) = (&project.name, &project.domain);
    Err(Error::user("the runtime of this project is in `src/runtime`, where an earlier opctl put it")
        .caused_by("a new controller uses the crate `runtime`")
        .hint(format!(
            "opctl init --domain {domain} --name {name} ../{name}-new    # take its `runtime` folder, Cargo.toml, Cargo.lock, \
             Dockerfile and src/main.rs,\nremove `src/runtime`, and let controllers `use runtime::{{Action, Context, Controller, \
             Manager, conditions}};`"
        )))
}
