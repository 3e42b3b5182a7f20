//! Connects to the cluster that the kubeconfig selects.

use super::{answers, credential_plugin, kubeconfig, proxy};
use crate::cluster::Target;
use crate::error::{Hint, hint};
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Error, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderName, HeaderValue};
use kube::Client;
use kube::config::{Config, KubeConfigOptions, KubeconfigError};
use std::path::PathBuf;
use std::time::Duration;

/// A client for a cluster, with the names of the context and the server for messages.
#[derive(Clone)]
pub struct Connection {
    /// The kube client for the cluster.
    pub client: Client,
    /// The name of the kubeconfig context.
    pub context: String,
    /// The URL of the API server.
    pub server: String,
    /// The flags that selected the cluster.
    pub target: Target,
}

impl Connection {
    /// Shows the context and the server that the command works on.
    pub fn show(&self, console: &Console) {
        console.status("Context", format!("{} ({})", self.context, self.server));
    }

    /// Requests the version of the API server, such as `v1.36.1`.
    ///
    /// # Errors
    /// Fails if the request fails.
    pub async fn version(&self) -> Result<String, kube::Error> {
        self.client.apiserver_version().await.map(|version| version.git_version)
    }

    /// Returns the command line that runs kubectl on this cluster.
    pub fn kubectl(&self, arguments: impl Into<Hint>) -> Hint {
        self.target.kubectl(arguments)
    }

    /// Reads the kubeconfig, runs its credential plugin if it names one, and creates a client. Sends no request yet.
    ///
    /// # Errors
    /// Fails if no kubeconfig exists, or if the kubeconfig is damaged, lacks the context, or has unusable credentials.
    pub async fn open(target: &Target, console: &Console) -> Result<Self> {
        let kubeconfig = kubeconfig::read(target).await.map_err(|error| kubeconfig_error(&error, target))?;
        let context = target.context.clone().or_else(|| kubeconfig.current_context.clone()).unwrap_or_default();
        let known: Vec<String> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
        if !known.contains(&context) {
            return Err(unknown_context(&context, &known, target));
        }
        let options = KubeConfigOptions { context: Some(context.clone()), ..KubeConfigOptions::default() };
        let proxied = proxy::is_stated(&kubeconfig, &context);
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .map_err(|error| kubeconfig_error(&error, target))?;
        config.connect_timeout = Some(Duration::from_secs(10));
        config.headers.extend(impersonation(target));
        let server = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        // kube's client panics on an address without a scheme.
        if !matches!(config.cluster_url.scheme_str(), Some("http" | "https")) {
            return Err(Error::environment(format!("`{server}` of context `{context}` is not the URL of a server"))
                .hint("fix `server` in the kubeconfig: it must begin with `https://`"));
        }
        if !proxied && proxy::is_bypassed(config.cluster_url.host().unwrap_or_default()) {
            config.proxy_url = None;
        }
        let (client, plugin) = credential_plugin::client(config, &context, console).await?;
        let client = client.map_err(|error| match &error {
            kube::Error::ProxyProtocolDisabled { proxy_url, .. }
            | kube::Error::ProxyProtocolUnsupported { proxy_url } => proxy::unsupported_proxy_error(proxy_url, &server),
            _ => Error::environment(format!("cannot use the credentials of context `{context}`"))
                .source(&error)
                .hint(target.kubectl("get --raw /version")),
        })?;
        let client = answers::limited_client(client, plugin);
        Ok(Connection { client, context, server, target: target.clone() })
    }
}

/// Returns the headers that make the API server act as the target's user and groups.
fn impersonation(target: &Target) -> Vec<(HeaderName, HeaderValue)> {
    let header =
        |name: &'static str, value: &String| Some((HeaderName::from_static(name), HeaderValue::from_str(value).ok()?));
    let user = target.user.iter().filter_map(|name| header("impersonate-user", name));
    user.chain(target.groups.iter().filter_map(|name| header("impersonate-group", name))).collect()
}

/// Returns the contexts of the kubeconfig, each with its cluster's name; an empty list if no kubeconfig can be read. If
/// the kubeconfig is a pipe, does not wait for the pipe's data: the shell calls opctl for the contexts while the user
/// types a command line, and must not hang.
pub fn contexts(kubeconfig: Option<PathBuf>) -> Vec<(String, Option<String>)> {
    let kubeconfig = kubeconfig::at_once(&Target { kubeconfig, ..Target::default() }).unwrap_or_default();
    let named = |context: kube::config::NamedContext| (context.name, context.context.map(|context| context.cluster));
    kubeconfig.contexts.into_iter().map(named).collect()
}

/// Returns the context of `target` and the client certificate of its user, as PEM; `None` if the user has no client
/// certificate.
pub fn client_certificate(target: &Target) -> Option<(String, Vec<u8>)> {
    let kubeconfig = kubeconfig::at_once(target).ok()?;
    let name = target.context.clone().or(kubeconfig.current_context)?;
    let context = kubeconfig.contexts.into_iter().find(|context| context.name == name)?.context?;
    let user = kubeconfig.auth_infos.into_iter().find(|user| Some(&user.name) == context.user.as_ref())?.auth_info?;
    let pem = match (user.client_certificate_data, user.client_certificate) {
        (Some(data), _) => STANDARD.decode(data).ok()?,
        (None, path) => reading::bytes(path?, Limit::Settings).ok()?,
    };
    Some((name, pem))
}

fn kubeconfig_error(error: &KubeconfigError, target: &Target) -> Error {
    let hint = match &target.kubeconfig {
        Some(_) => {
            "name another file with --kubeconfig, or omit the flag and use a local API server:\nexport \
             KUBECONFIG=\"$(opctl envtest start)\""
        }
        None => {
            "export KUBECONFIG=\"$(opctl envtest start)\"    # a local API server; or name a file with --kubeconfig"
        }
    };
    let place = match (&target.kubeconfig, std::env::var_os("KUBECONFIG")) {
        (Some(path), _) => path.display().to_string(),
        (None, Some(path)) if !path.is_empty() => path.to_string_lossy().into_owned(),
        _ => "~/.kube/config".to_owned(),
    };
    match error {
        KubeconfigError::ReadConfig(cause, _) if cause.kind() == std::io::ErrorKind::NotFound => {
            Error::environment(format!("no kubeconfig: `{place}` does not exist")).hint(hint)
        }
        KubeconfigError::FindPath => Error::environment("no kubeconfig: there is no home folder to look in").hint(hint),
        _ => Error::environment(format!("cannot use the kubeconfig `{place}`")).source(error).hint(hint),
    }
}

fn unknown_context(context: &str, known: &[String], target: &Target) -> Error {
    let flag = if target.context.is_some() { "" } else { "current " };
    let error = match context {
        "" => Error::environment("the kubeconfig has no current context"),
        _ => Error::environment(format!("the {flag}context `{context}` is not in the kubeconfig")),
    };
    match known {
        [] => error.caused_by("it has no context at all").hint("export KUBECONFIG=\"$(opctl envtest start)\""),
        [first, ..] => {
            error.caused_by(format!("it has `{}`", known.join("`, `"))).hint(hint!("--context {first}", first))
        }
    }
}
