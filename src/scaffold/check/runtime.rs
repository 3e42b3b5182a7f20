//! Refuses changes that need a newer version of the scaffolded `runtime` crate than the project has. An earlier opctl
//! version may have generated the crate.

use super::super::ApiIntent;
use crate::{Error, Result};

const EARLIER: &str = "src/runtime/mod.rs";
const CRATE: &str = "runtime/Cargo.toml";
const WEBHOOKS: &str = "runtime/src/webhook.rs";
const CONVERSION: &str = "runtime/src/webhook/conversion.rs";

/// Refuses a new controller if the scaffolded runtime code is still in `src/runtime`, the folder that an earlier opctl
/// version used. A new controller needs the crate `runtime` instead. `holds` returns true if the project has a file at
/// the given path.
///
/// # Errors
/// Fails if `intent` adds a controller and the project has the runtime of an earlier opctl version.
pub fn check_runtime(intent: &ApiIntent, holds: &dyn Fn(&str) -> bool) -> Result<()> {
    if !intent.controller || !holds(EARLIER) || holds(CRATE) {
        return Ok(());
    }
    Err(Error::user("the runtime of this project is in `src/runtime`, where an earlier opctl put it")
        .caused_by("a new controller needs the runtime as a separate crate `runtime`")
        .hint("opctl update    # updates the generated code of the project to this version of opctl"))
}

/// Refuses webhooks if the project's scaffolded `runtime` crate cannot serve webhooks or, with `conversion`, cannot
/// convert objects.
///
/// # Errors
/// Fails if the project has the runtime of an earlier opctl version.
pub fn check_webhook_runtime(holds: &dyn Fn(&str) -> bool, conversion: bool) -> Result<()> {
    let lacks = match (holds(WEBHOOKS), conversion && !holds(CONVERSION)) {
        (true, false) => return Ok(()),
        (true, true) => "convert objects",
        (false, _) => "serve webhooks",
    };
    Err(Error::user(format!("the runtime of this project does not {lacks}"))
        .caused_by("an earlier version of opctl generated the runtime")
        .hint("opctl update    # updates the generated code of the project to this version of opctl"))
}
