//! Projects whose runtime is that of an earlier opctl.

use super::super::ApiIntent;
use crate::{Error, Result};

const EARLIER: &str = "src/runtime/mod.rs";
const CRATE: &str = "runtime/Cargo.toml";
const WEBHOOKS: &str = "runtime/src/webhook.rs";
const CONVERSION: &str = "runtime/src/webhook/conversion.rs";

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

/// Refuses webhooks where the runtime does not serve them; with `conversion`, where it does not convert.
///
/// # Errors
/// A project with the runtime of an earlier opctl.
pub fn check_webhook_runtime(holds: &dyn Fn(&str) -> bool, conversion: bool) -> Result<()> {
    let lacks = match (holds(WEBHOOKS), conversion && !holds(CONVERSION)) {
        (true, false) => return Ok(()),
        (true, true) => "convert objects",
        (false, _) => "serve webhooks",
    };
    Err(Error::user(format!("the runtime of this project does not {lacks}"))
        .caused_by("an earlier opctl made it")
        .hint("opctl update    # brings the project to what this opctl would make of it"))
}
