//! Applies the webhook configurations of an operator version, so that the API server calls its admission webhooks.

use super::apply_crds::{SETTLES, apply_object};
use crate::{Error, Result};
use kube::Client;
use serde_json::Value;

const PATH: &str = "/apis/admissionregistration.k8s.io/v1";

/// Applies the webhook configurations in `wanted`, and deletes the configurations in `before` that `wanted` lacks.
pub(super) async fn replace(admin: &Client, before: &[Value], wanted: &[Value]) -> Result<()> {
    for configuration in wanted {
        if let Some(message) = apply_object(admin, &path(configuration), configuration).await? {
            return Err(Error::user("the API server refuses the webhook configuration of an operator version")
                .caused_by(message)
                .hint("kubectl apply --dry-run=server --filename config/webhook/manifests.yaml"));
        }
    }
    for configuration in before.iter().filter(|before| !wanted.iter().any(|wanted| path(wanted) == path(before))) {
        let request = http::Request::delete(path(configuration)).body(Vec::new());
        let request = request.map_err(|error| Error::bug("cannot build a request").source(&error))?;
        if let Err(error) = admin.request::<Value>(request).await {
            return Err(Error::cluster("cannot delete the webhook configuration of an operator version").source(&error));
        }
    }
    if !(before.is_empty() && wanted.is_empty()) {
        tokio::time::sleep(SETTLES).await;
    }
    Ok(())
}

fn path(configuration: &Value) -> String {
    let is_mutating = configuration["kind"] == "MutatingWebhookConfiguration";
    let plural = if is_mutating { "mutatingwebhookconfigurations" } else { "validatingwebhookconfigurations" };
    format!("{PATH}/{plural}/{}", configuration["metadata"]["name"].as_str().unwrap_or_default())
}
