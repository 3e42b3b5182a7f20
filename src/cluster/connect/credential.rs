//! The credentials from a kubeconfig plugin. As in client-go, a plugin runs once in a process, and again when the
//! credential has expired or the server refuses it: a plugin may ask the user for a code or a fingerprint.

use crate::exec::command_for_this_process;
use http::{HeaderValue, Request, header};
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use kube::client::{AuthError, Body};
use kube::config::{ExecConfig, ExecInteractiveMode};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

/// The credentials that plugins returned in this process, keyed by the settings of the plugin.
static GIVEN: Mutex<BTreeMap<String, Credential>> = Mutex::new(BTreeMap::new());

/// The margin before the expiry time within which a credential already counts as expired.
const EARLIER: SignedDuration = SignedDuration::from_secs(10);

/// A token, or a client certificate, or both (client.authentication.k8s.io `ExecCredentialStatus`).
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    token: Option<String>,
    /// The client certificate in PEM.
    pub client_certificate_data: Option<String>,
    /// The key of the client certificate in PEM.
    pub client_key_data: Option<String>,
    expiration_timestamp: Option<Timestamp>,
}

#[derive(Deserialize)]
struct Answer {
    status: Option<Credential>,
}

impl Credential {
    fn is_valid(&self) -> bool {
        self.expiration_timestamp.is_none_or(|end| Timestamp::now() + EARLIER < end)
    }
}

/// A credential plugin of the kubeconfig, which provides the tokens of requests.
#[derive(Clone)]
pub struct Plugin {
    settings: Arc<ExecConfig>,
    name: String,
}

impl Plugin {
    pub fn new(settings: ExecConfig) -> Self {
        let cluster = serde_json::to_value(&settings.cluster).unwrap_or_default();
        let name = json!([settings, settings.drop_env, cluster]).to_string();
        Plugin { settings: Arc::new(settings), name }
    }

    /// Returns the stored credential of the plugin. If no valid credential is stored, runs the plugin and waits for it.
    ///
    /// # Errors
    /// Fails if the plugin cannot be started, fails, or prints no credential.
    pub fn credential(&self) -> Result<Credential, AuthError> {
        // Another thread that wants the same waits here.
        let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = given.get(&self.name).filter(|known| known.is_valid()) {
            return Ok(known.clone());
        }
        let credential = run(&self.settings)?;
        given.insert(self.name.clone(), credential.clone());
        Ok(credential)
    }

    /// Adds the plugin's token to `request`.
    ///
    /// # Errors
    /// Fails if the credential has expired, and the plugin gives no new credential.
    pub async fn authorize(&self, request: &mut Request<Body>) -> Result<(), AuthError> {
        let plugin = self.clone();
        let credential = tokio::task::spawn_blocking(move || plugin.credential()).await;
        let credential = credential.map_err(|lost| AuthError::AuthExec(lost.to_string()))??;
        if let Some(token) = credential.token {
            let value = HeaderValue::try_from(format!("Bearer {token}")).map_err(AuthError::InvalidBearerToken)?;
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        Ok(())
    }

    /// Removes the stored credential of the plugin, because the server has refused the credential.
    pub fn forget(&self) {
        GIVEN.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// Runs a credential plugin and returns its credential. On Linux, the plugin is killed when opctl ends, so a hung
/// plugin cannot outlive opctl.
fn run(plugin: &ExecConfig) -> Result<Credential, AuthError> {
    let name = plugin.command.as_deref().ok_or(AuthError::MissingCommand)?;
    let mut command = command_for_this_process(name).map_err(|error| AuthError::AuthExec(error.to_string()))?;
    command.args(plugin.args.iter().flatten());
    let pairs = plugin.env.iter().flatten().filter_map(|pair| Some((pair.get("name")?, pair.get("value")?)));
    command.envs(pairs);
    let interactive = plugin.interactive_mode != Some(ExecInteractiveMode::Never);
    if interactive {
        command.stdin(Stdio::inherit()).stderr(Stdio::inherit());
    } else {
        command.stdin(Stdio::null());
    }
    let mut spec = json!({ "interactive": interactive });
    if plugin.provide_cluster_info {
        let cluster = plugin.cluster.as_ref().ok_or(AuthError::ExecMissingClusterInfo)?;
        spec["cluster"] = serde_json::to_value(cluster).map_err(AuthError::AuthExecSerialize)?;
    }
    let information: Value = json!({"apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec});
    command.env("KUBERNETES_EXEC_INFO", information.to_string());
    for variable in plugin.drop_env.iter().flatten() {
        command.env_remove(variable);
    }
    let output = command.output().map_err(AuthError::AuthExecStart)?;
    if !output.status.success() {
        return Err(AuthError::AuthExecRun { cmd: name.to_owned(), out: Box::new(output) });
    }
    let answer: Answer =
        serde_yaml::from_slice(&output.stdout).map_err(|error| AuthError::AuthExecParse(Box::new(error)))?;
    answer.status.ok_or(AuthError::ExecPluginFailed)
}
