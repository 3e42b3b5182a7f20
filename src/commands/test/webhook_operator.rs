//! The operator that serves its webhooks while the tests run.

use crate::Result;
use crate::commands::context::Context;
use crate::commands::local_webhooks::has_webhooks;
use crate::commands::webhook_server::WebhookServer;
use crate::exec::{build, build_tests};
use std::ffi::OsString;
use std::path::Path;

/// Starts the operator's program, with the rights of the project's roles, to serve the webhooks, and has the API
/// server call them. Returns `None` if the project has no webhooks, or if no test of the run needs them.
pub(super) fn serve(
    arguments: &[OsString],
    root: &Path,
    administrator: &Path,
    operator: &Path,
    context: &Context,
) -> Result<Option<WebhookServer>> {
    if !has_webhooks(root) || arguments.iter().any(|argument| argument == "--no-run") {
        return Ok(None);
    }
    context.console.command("cargo test --no-run");
    let has = |flags: &[&str]| arguments.iter().any(|argument| flags.iter().any(|flag| argument == flag));
    let program = match build_tests(root, arguments)? {
        Some(program) => program,
        // The tests are those of the api package alone, which has nothing to do with webhooks.
        None if has(&["-p", "--package"]) => return Ok(None),
        None if has(&["--release"]) => build(root, &["--release"], None)?,
        None => build(root, &[], None)?,
    };
    WebhookServer::start(&program, root, administrator, operator, context).map(Some)
}
