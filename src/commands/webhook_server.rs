//! The operator's program without its controllers, which serves the webhooks for tests and for explorations.

use super::context::Context;
use super::local_webhooks::{LocalWebhooks, has_webhooks};
use super::operator_program::adoption_record;
use super::steps;
use crate::cluster::{Identity, Target};
use crate::envtest::ControlPlane;
use crate::error::file_error;
use crate::exec::{Guarded, command_for_this_process, spawn};
use crate::reading::{self, Limit};
use crate::{Error, Result, system};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The time within which the started program must listen for connections.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process of the operator's program that only serves webhooks. Dropping this value ends the process.
pub(super) struct WebhookServer {
    process: Guarded,
    log: PathBuf,
    webhooks: LocalWebhooks,
}

impl WebhookServer {
    /// Starts the operator's program of the project at `root` to serve webhooks, and has the API server of `plane` call
    /// it. Returns `None` if the project has no webhooks, or if the program cannot serve webhooks alone.
    ///
    /// # Errors
    /// Fails like [`WebhookServer::start`].
    pub(super) fn of_project(
        root: &Path,
        program: &Path,
        identity: &Identity,
        plane: &ControlPlane,
        context: &Context,
    ) -> Result<Option<Self>> {
        // An adopted operator has no flag to serve its webhooks alone.
        if adoption_record(root).is_some() || !has_webhooks(root) {
            return Ok(None);
        }
        let operator = steps::operator_kubeconfig("operator", identity, plane)?;
        WebhookServer::start(program, root, &plane.kubeconfig_path(), &operator, context).map(Some)
    }

    /// Starts the operator's program of the project at `root` to serve webhooks, and has the API server call it.
    /// `administrator` and `operator` are the paths of kubeconfigs.
    ///
    /// # Errors
    /// Fails if the program ends or does not listen, or if the API server does not reach the program.
    pub(super) fn start(
        program: &Path,
        root: &Path,
        administrator: &Path,
        operator: &Path,
        context: &Context,
    ) -> Result<Self> {
        let server = WebhookServer::serve(program, root, operator, context)?;
        let target = Target { kubeconfig: Some(administrator.to_owned()), ..Target::default() };
        server.webhooks.apply(&target, context)?;
        context.console.status("Serving", "the webhooks of the operator");
        Ok(server)
    }

    /// Starts the operator's program of the project at `root` to serve webhooks, with the kubeconfig `operator`. The
    /// API server does not call the program yet.
    ///
    /// # Errors
    /// Fails if the program ends or does not listen.
    pub(super) fn serve(program: &Path, root: &Path, operator: &Path, context: &Context) -> Result<Self> {
        let webhooks = LocalWebhooks::new(root, None)?;
        let log = operator.with_extension("webhooks.log");
        let process = start(program, &webhooks, operator, &log)?;
        let mut server = WebhookServer { process, log, webhooks };
        let begun = Instant::now();
        while !server.webhooks.is_served() {
            server.check(context)?;
            if begun.elapsed() > PATIENCE {
                return Err(server.not_serving_error("it does not listen on the webhook port", context));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// Returns the port and the certificate of the webhooks, with which the API server can call the program.
    pub(super) fn webhooks(&self) -> &LocalWebhooks {
        &self.webhooks
    }

    /// Fails if the process has ended: the API server then refuses requests that call webhooks, and the errors of these
    /// requests would not name the true cause.
    pub(super) fn check(&mut self, context: &Context) -> Result<()> {
        match self.process.child().try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(self.not_serving_error(&format!("it ended with {status}"), context)),
            Err(error) => Err(self.not_serving_error(&error.to_string(), context)),
        }
    }

    fn not_serving_error(&self, how: &str, context: &Context) -> Error {
        context.console.lines(&reading::text(&self.log, Limit::Bundle).unwrap_or_default());
        Error::user("the operator does not serve its webhooks")
            .caused_by(format!("{how}; the operator's output is printed above"))
            .hint("cargo run -- --webhooks-only")
    }
}

fn start(program: &Path, webhooks: &LocalWebhooks, kubeconfig: &Path, log: &Path) -> Result<Guarded> {
    let failed = |error: &std::io::Error| file_error("run", program, error);
    let output = system::create_private_file(log).map_err(|error| file_error("write", log, &error))?;
    let errors = output.try_clone().map_err(|error| file_error("write", log, &error))?;
    let mut command = command_for_this_process(program).map_err(|error| failed(&error))?;
    command.args(["--webhooks-only", "--health-probe-bind-address=0"]).env("KUBECONFIG", kubeconfig);
    command.envs(webhooks.environment()).stdin(Stdio::null()).stdout(output).stderr(errors);
    spawn(&mut command).map_err(|error| failed(&error))
}
