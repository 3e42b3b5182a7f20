//! Lets the cluster call the webhooks of an operator that runs on this machine. Chooses a port, makes a certificate,
//! applies the webhook configurations, and deletes them when the operator ends.

mod wanted;

use super::context::{Context, tell};
use super::write::parse_project;
use crate::cluster::{
    Connection, Target, WebhookServer, apply_local_conversions, apply_local_webhooks, converted_definitions,
    delete_local_webhooks, end_local_conversions, local_configurations, local_conversion, run, unreachable_reason,
};
use crate::envtest::serving_certificate;
use crate::error::file_error;
use crate::exec::{TemporaryFolder, ignore_interrupts};
use crate::model::PROJECT_FILE;
use crate::reading::{self, Limit};
use crate::{Error, Result, system};
use kube::api::DynamicObject;
use std::ffi::{OsStr, OsString};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use wanted::{ManifestWebhooks, stamps};

/// The time limit for applying or deleting the webhook configurations, which takes only a few requests.
const LIMIT: Duration = Duration::from_secs(30);
/// The time between two checks of the manifests. While the operator serves the webhooks, opctl also checks the port,
/// but less often: see `BETWEEN`.
const GLANCE: Duration = Duration::from_millis(200);
/// The number of manifest checks per port check while the operator serves the webhooks: opctl checks the manifests more
/// often than the port.
const BETWEEN: u32 = 5;
/// The number of failed checks of the port in a row after which the operator counts as ended.
const SILENT: u32 = 3;

/// The port and the certificate with which an operator serves its webhooks on this machine.
pub(super) struct LocalWebhooks {
    port: u16,
    listens_everywhere: bool,
    /// The folder with tls.crt and tls.key, which only the owner may read.
    certificate: TemporaryFolder,
    shared: Shared,
}

#[derive(Clone)]
struct Shared {
    served: WebhookServer,
    project: String,
    root: PathBuf,
    port: u16,
}

impl LocalWebhooks {
    /// Chooses a port and makes a certificate. The API server reaches this machine at `host`, by default the loopback
    /// interface.
    pub(super) fn new(root: &Path, host: Option<&str>) -> Result<Self> {
        let failed = |error: &std::io::Error| {
            Error::environment(
                "cannot open a port for the webhook server on this \
             machine",
            )
            .source(error)
        };
        let address = if host.is_some() { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let port = TcpListener::bind((address, 0)).and_then(|listener| listener.local_addr());
        let port = port.map_err(|error| failed(&error))?.port();
        let name = host.unwrap_or("127.0.0.1");
        let made = serving_certificate(&[name, "127.0.0.1", "localhost"])?;
        let certificate = TemporaryFolder::new("webhooks")?;
        for (file, text) in [("tls.crt", &made.certificate), ("tls.key", &made.key)] {
            let path = certificate.path().join(file);
            system::write_private_file(&path, text).map_err(|error| file_error("write", &path, &error))?;
        }
        let path = root.join(PROJECT_FILE);
        let text = reading::text(&path, Limit::Settings).map_err(|error| file_error("read", &path, &error))?;
        let project = parse_project(&text)?.name.to_string();
        let url_host = if name.contains(':') { format!("[{name}]") } else { name.to_owned() };
        let served = WebhookServer { url: format!("https://{url_host}:{port}"), authority: made.authority };
        let shared = Shared { served, project, root: root.to_owned(), port };
        Ok(LocalWebhooks { port, listens_everywhere: host.is_some(), certificate, shared })
    }

    /// Returns the environment variables that tell the operator its webhook address and certificate.
    pub(super) fn environment(&self) -> [(&'static str, OsString); 2] {
        let address = if self.listens_everywhere { "" } else { "127.0.0.1" };
        [
            ("WEBHOOK_BIND_ADDRESS", format!("{address}:{}", self.port).into()),
            ("WEBHOOK_CERT_PATH", self.certificate.path().into()),
        ]
    }

    /// Returns true if the operator listens on the port of its webhooks.
    pub(super) fn is_served(&self) -> bool {
        self.shared.is_served()
    }

    /// Applies the webhook configurations, and waits until they are in effect; fails if the API server does not reach
    /// the webhooks.
    pub(super) fn apply(&self, target: &Target, context: &Context) -> Result<()> {
        match self.shared.apply(&self.shared.manifest_webhooks(), target, context)? {
            None => Ok(()),
            Some(reason) => Err(Error::cluster("the API server does not reach the webhooks").caused_by(reason)),
        }
    }

    /// Returns the admission webhook configurations with which the API server calls the operator on this machine.
    pub(super) fn admission(&self) -> Result<Vec<DynamicObject>> {
        let Shared { served, project, .. } = &self.shared;
        local_configurations(&self.shared.manifest_webhooks().admission, project, served)
    }

    /// Returns the CRD with the conversion webhook that the operator serves on this machine.
    pub(super) fn definition_with_conversion(&self, definition: &DynamicObject) -> DynamicObject {
        local_conversion(definition, &self.shared.project, &self.shared.served)
    }

    /// Starts a thread that keeps the webhook configurations in the cluster equal to the manifests while the operator
    /// serves its webhooks. Dropping the result ends the thread.
    pub(super) fn follow(self, target: Target, context: &Context) -> Following {
        let (stop, stopped) = channel();
        let (shared, context) = (self.shared.clone(), context.clone());
        let thread = std::thread::spawn(move || shared.follow(&target, &context, &stopped));
        Following { stop: Some(stop), thread: Some(thread), _certificate: self.certificate }
    }
}

/// Returns true if the user chooses the address or the certificate of the webhooks, so that opctl must choose neither.
pub(super) fn are_the_users(flags: &[OsString]) -> bool {
    let is_flag = |flag: &OsString| {
        let flag = flag.to_string_lossy();
        ["--webhook-bind-address", "--webhook-cert-path"].iter().any(|own| flag.starts_with(own))
    };
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| value.as_os_str() != OsStr::new(""));
    flags.iter().any(is_flag) || is_set("WEBHOOK_BIND_ADDRESS") || is_set("WEBHOOK_CERT_PATH")
}

/// The thread that keeps the webhook configurations current. Dropping this value waits until the thread has deleted
/// them.
pub(super) struct Following {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _certificate: TemporaryFolder,
}

impl Drop for Following {
    fn drop(&mut self) {
        // A second interrupt must not leave configurations behind, which make all writes fail.
        let _interrupts = ignore_interrupts();
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns true if the manifests of the project at `root` have webhooks.
pub(super) fn has_webhooks(root: &Path) -> bool {
    ManifestWebhooks::read(root).has_webhooks()
}

impl Shared {
    fn manifest_webhooks(&self) -> ManifestWebhooks {
        ManifestWebhooks::read(&self.root)
    }

    fn is_served(&self) -> bool {
        TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok()
    }

    /// Applies the webhook configurations, so that the API server calls the operator on this machine. Returns the
    /// reason if the API server does not reach the operator.
    fn apply(&self, wanted: &ManifestWebhooks, target: &Target, context: &Context) -> Result<Option<String>> {
        let configurations = local_configurations(&wanted.admission, &self.project, &self.served)?;
        let definitions = if wanted.conversions.is_empty() { Vec::new() } else { converted_definitions(&self.root)? };
        run(target, LIMIT, async {
            let connection = Connection::open(target, &context.console).await?;
            if let Some(reason) = unreachable_reason(&connection, &self.served, &self.project).await? {
                return Ok(Some(reason));
            }
            apply_local_conversions(&connection, &definitions, &self.project, &self.served).await?;
            delete_local_webhooks(&connection, &self.project).await?;
            apply_local_webhooks(&connection, &configurations).await?;
            // The second check shows that the configurations just applied are in effect.
            unreachable_reason(&connection, &self.served, &self.project).await
        })
    }

    /// Deletes the webhook configurations, and ends the conversions that the operator served. Returns warnings about
    /// the versions and fields that clients cannot use from then on.
    fn delete(&self, target: &Target, context: &Context) -> Result<Vec<String>> {
        run(target, LIMIT, async {
            let connection = Connection::open(target, &context.console).await?;
            self.delete_with(&connection).await
        })
    }

    async fn delete_with(&self, connection: &Connection) -> Result<Vec<String>> {
        delete_local_webhooks(connection, &self.project).await?;
        end_local_conversions(connection, &self.root, &self.project).await
    }

    fn follow(&self, target: &Target, context: &Context, stopped: &Receiver<()>) {
        let (mut seen, mut applied, mut glances, mut silent) = (None, false, 0_u32, 0);
        let mut read = (stamps(&self.root), self.manifest_webhooks());
        while stopped.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
            let stamps = stamps(&self.root);
            if read.0 != stamps {
                read = (stamps, self.manifest_webhooks());
            }
            let wanted = read.1.clone();
            if seen.as_ref() == Some(&wanted) {
                glances += 1;
                if applied && glances % BETWEEN == 0 {
                    silent = if self.is_served() { 0 } else { silent + 1 };
                }
                if silent < SILENT {
                    continue;
                }
                // The operator has ended: the API server would refuse all writes until the next one serves.
                let _ = self.delete(target, context);
                (seen, applied, silent) = (None, false, 0);
                continue;
            }
            if wanted.has_webhooks() && !self.is_served() {
                continue;
            }
            applied = wanted.has_webhooks() && self.apply_and_report(&wanted, target, context);
            if !applied {
                // Configurations that are left of removed webhooks, of an attempt that failed half way, or of a run that
                // was killed, make all writes fail.
                let _ = self.delete(target, context);
            }
            seen = Some(wanted);
        }
        if applied {
            match self.delete(target, context) {
                Ok(said) => said.iter().for_each(|sentence| context.console.warning(sentence)),
                Err(error) => tell("run", &error, &context.console),
            }
        }
    }

    /// Applies the webhook configurations and reports the result; returns false if the API server does not call the
    /// operator, though some of the configurations may be applied.
    fn apply_and_report(&self, wanted: &ManifestWebhooks, target: &Target, context: &Context) -> bool {
        match self.apply(wanted, target, context) {
            Ok(None) => {
                context.console.status("Serving", format!("webhooks at {}", self.served.url));
                return true;
            }
            Ok(Some(reason)) => tell("run", &left_out(&reason), &context.console),
            Err(error) => tell("run", &error, &context.console),
        }
        false
    }
}

fn left_out(reason: &str) -> Error {
    Error::cluster("the API server does not reach this machine, so the webhooks are not registered")
        .caused_by(reason)
        .hint("opctl run --webhook-host ADDRESS    # the address of this machine, as the cluster sees it")
}
