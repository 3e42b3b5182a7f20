//! The cluster that the kubeconfig names.

use super::proxy;
use crate::{Error, Result};
use kube::Client;
use kube::config::{Config, KubeConfigOptions, Kubeconfig, KubeconfigError};
use std::path::PathBuf;
use std::time::Duration;

/// Which cluster is meant.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// A kubeconfig other than the one that `KUBECONFIG` names, or `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// A context other than the current one.
    pub context: Option<String>,
}

/// A client, and what to call its cluster.
#[derive(Clone)]
pub struct Connection {
    /// The client.
    pub client: Client,
    /// The context's name.
    pub context: String,
    /// The API server's URL.
    pub server: String,
}

/// Runs `future` to its end, at most for `limit`.
///
/// # Errors
/// Those of the future, and the limit: nothing of kube's client has one of its own.
pub fn run<T>(limit: Duration, future: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::environment("cannot start the network runtime").source(&error))?;
    runtime.block_on(async {
        tokio::time::timeout(limit, future).await.unwrap_or_else(|_| {
            Err(Error::cluster(format!("the cluster did not answer within {}s", limit.as_secs()))
                .hint("give it more time with `--timeout 300`, or look at `kubectl get --raw /readyz`"))
        })
    })
}

impl Connection {
    /// Reads the kubeconfig and makes a client. Nothing is sent yet.
    ///
    /// # Errors
    /// No kubeconfig, a damaged one, an unknown context, unusable credentials.
    pub async fn open(target: &Target) -> Result<Self> {
        let kubeconfig = read(target).map_err(|error| unreadable(&error, target))?;
        let context = target.context.clone().or_else(|| kubeconfig.current_context.clone()).unwrap_or_default();
        let known: Vec<String> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
        if !known.contains(&context) {
            return Err(unknown_context(&context, &known, target));
        }
        let options = KubeConfigOptions { context: Some(context.clone()), ..KubeConfigOptions::default() };
        let proxied = proxy::is_stated(&kubeconfig, &context);
        let mut config =
            Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(|error| unreadable(&error, target))?;
        config.connect_timeout = Some(Duration::from_secs(10));
        let server = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        // kube's client panics on an address without a scheme.
        if !matches!(config.cluster_url.scheme_str(), Some("http" | "https")) {
            return Err(Error::environment(format!("`{server}` of context `{context}` is not the URL of a server"))
                .hint("mend `server` in the kubeconfig: it begins with `https://`"));
        }
        if !proxied && proxy::is_bypassed(config.cluster_url.host().unwrap_or_default()) {
            config.proxy_url = None;
        }
        let client = Client::try_from(config).map_err(|error| match &error {
            kube::Error::ProxyProtocolDisabled { proxy_url, .. }
            | kube::Error::ProxyProtocolUnsupported { proxy_url } => proxy::unsupported(proxy_url, &server),
            _ => Error::environment(format!("cannot use the credentials of context `{context}`"))
                .source(&error)
                .hint(format!("kubectl --context {context} get --raw /version")),
        })?;
        Ok(Connection { client, context, server })
    }
}

/// Like [`Kubeconfig::read`], and as kubectl does it: of several files in `KUBECONFIG` some may be missing.
fn read(target: &Target) -> Result<Kubeconfig, KubeconfigError> {
    if let Some(path) = &target.kubeconfig {
        return Kubeconfig::read_from(path);
    }
    let value = std::env::var_os("KUBECONFIG").unwrap_or_default();
    let paths: Vec<PathBuf> = std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect();
    let there: Vec<&PathBuf> = paths.iter().filter(|path| path.exists()).collect();
    if there.is_empty() {
        return Kubeconfig::read();
    }
    let merge = |merged: Kubeconfig, path: &PathBuf| merged.merge(Kubeconfig::read_from(path)?);
    there.into_iter().try_fold(Kubeconfig::default(), merge)
}

/// The contexts of the kubeconfig, each with its cluster's name; none where it cannot be read.
pub fn contexts(kubeconfig: Option<PathBuf>) -> Vec<(String, Option<String>)> {
    let kubeconfig = read(&Target { kubeconfig, context: None }).unwrap_or_default();
    let named = |context: kube::config::NamedContext| (context.name, context.context.map(|context| context.cluster));
    kubeconfig.contexts.into_iter().map(named).collect()
}

fn unreadable(error: &KubeconfigError, target: &Target) -> Error {
    const HINT: &str =
        "export KUBECONFIG=\"$(opctl envtest start)\"    # a local API server; or name a file with --kubeconfig";
    let place = match (&target.kubeconfig, std::env::var_os("KUBECONFIG")) {
        (Some(path), _) => path.display().to_string(),
        (None, Some(path)) if !path.is_empty() => path.to_string_lossy().into_owned(),
        _ => "~/.kube/config".to_owned(),
    };
    match error {
        KubeconfigError::ReadConfig(cause, _) if cause.kind() == std::io::ErrorKind::NotFound => {
            Error::environment(format!("no kubeconfig: `{place}` does not exist")).hint(HINT)
        }
        KubeconfigError::FindPath => Error::environment("no kubeconfig: there is no home folder to look in").hint(HINT),
        _ => Error::environment(format!("cannot use the kubeconfig `{place}`")).source(error).hint(HINT),
    }
}

fn unknown_context(context: &str, known: &[String], target: &Target) -> Error {
    let flag = if target.context.is_some() { "" } else { "current " };
    let error = match context {
        "" => Error::environment("the kubeconfig has no current context"),
        _ => Error::environment(format!("the kubeconfig has no {flag}context `{context}`")),
    };
    match known {
        [] => error.caused_by("it has no context at all").hint("export KUBECONFIG=\"$(opctl envtest start)\""),
        [first, ..] => error.caused_by(format!("it has `{}`", known.join("`, `"))).hint(format!("--context {first}")),
    }
}
