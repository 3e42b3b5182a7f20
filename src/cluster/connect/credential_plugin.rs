//! Runs the credential plugin of a kubeconfig: another program, which may be missing, hang, or ask the user something.
//!
//! kube would run the plugin several times for a client, and would block the thread until the plugin exits, so that
//! opctl could not enforce a time limit. Here the plugin runs once, on another thread, and ends when opctl ends.

use super::credential::{Credential, Plugin};
use super::deadline::remaining_time;
use crate::error::hint;
use crate::report::Console;
use crate::{Error, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kube::config::Config;
use kube::{Client, client};
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The time after which a message tells the user that opctl waits for the plugin.
const QUIET: Duration = Duration::from_secs(2);

/// The time by which the credential plugin's time limit is shorter than that of the command. The plugin's limit ends
/// first, so the error names the plugin.
const EARLIER: Duration = Duration::from_millis(200);

/// Returns a client, and the credential plugin of the context if the kubeconfig names one. The client uses the plugin's
/// certificate, if any; the plugin provides the tokens of requests.
///
/// # Errors
/// Fails if the plugin is not installed, fails, or does not end.
pub async fn client(
    mut config: Config,
    context: &str,
    console: &Console,
) -> Result<(kube::Result<Client>, Option<Plugin>)> {
    let Some(plugin) = config.auth_info.exec.take_if(|plugin| plugin.command.is_some()) else {
        return Ok((Client::try_from(config), None));
    };
    let name = plugin.command.clone().unwrap_or_default();
    if !is_there(&name) {
        let error =
            Error::environment(format!("the credential plugin `{name}` of context `{context}` is not installed"));
        let error = error.caused_by("the plugin is neither a file nor a program on PATH");
        // The kubeconfig's own words are no command of opctl's.
        let told = plugin.install_hint.as_deref().map(|text| format!("the kubeconfig says: {}", text.trim_end()));
        let hint = hint!("put `{name}` on PATH, or choose another context with --context", name);
        return Err(told.into_iter().fold(error, Error::caused_by).hint(hint));
    }
    let plugin = Plugin::new(plugin);
    let (sender, mut receiver) = oneshot::channel();
    let (runtime, runs) = (Handle::current(), plugin.clone());
    std::thread::spawn(move || {
        let _context = runtime.enter();
        let _ = sender.send(runs.credential().map(|credential| with_certificate(config, credential)));
    });
    let limit = remaining_time().saturating_sub(EARLIER);
    let begun = std::time::Instant::now();
    let mut answer = tokio::time::timeout(QUIET.min(limit), &mut receiver).await;
    if answer.is_err() && limit > QUIET {
        console.status("Waiting", format!("for the credential plugin `{name}` of context `{context}`"));
        answer = tokio::time::timeout(limit.saturating_sub(QUIET), receiver).await;
    }
    match answer {
        Ok(Ok(Err(error))) => Err(plugin_error(&name, context, &error)),
        Ok(Ok(Ok(client))) => Ok((client, Some(plugin))),
        Ok(Err(_)) => Err(Error::bug("the thread of the credential plugin stopped without a result")),
        Err(_) => {
            Err(Error::environment(format!("the credential plugin `{name}` of context `{context}` does not exit"))
                .caused_by(format!("it was killed after {}s", begun.elapsed().as_secs_f32().round()))
                .hint(hint!(
                    "run `{name}` directly to see what it waits for, or give it more time with --timeout 5m",
                    name
                )))
        }
    }
}

fn plugin_error(name: &str, context: &str, error: &client::AuthError) -> Error {
    let failure = Error::environment(format!("the credential plugin `{name}` of context `{context}` fails"));
    let failure = match error {
        client::AuthError::AuthExecRun { out, .. } => {
            let said = String::from_utf8_lossy(&out.stderr);
            let said = said.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned);
            said.into_iter().fold(failure.caused_by(format!("it ended with {}", out.status)), Error::caused_by)
        }
        other => failure.source(other),
    };
    failure.hint(hint!("run `{name}` directly to see why, or choose another context with --context", name))
}

fn is_there(program: &str) -> bool {
    if Path::new(program).components().count() > 1 {
        return Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .any(|folder| folder.join(program).is_file() || folder.join(format!("{program}.exe")).is_file())
}

/// Returns a client with the client certificate in `credential`, if any.
fn with_certificate(mut config: Config, credential: Credential) -> kube::Result<Client> {
    let user = &mut config.auth_info;
    if let (Some(certificate), Some(key)) = (credential.client_certificate_data, credential.client_key_data) {
        user.client_certificate_data = Some(STANDARD.encode(certificate));
        user.client_key_data = Some(STANDARD.encode(key).into());
    }
    Client::try_from(config)
}
