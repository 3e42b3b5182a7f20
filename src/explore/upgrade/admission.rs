//! Has the API server call the admission webhooks of the version that works.

use super::definitions::{SETTLES, apply_object};
use crate::{Error, Result};
use kube::Client;
use serde_json::Value;

const PATH: &str = "/apis/admissionregistration.k8s.io/v1";

/// Applies the webhook configurations in `wanted`, and deletes the configurations in `before` that `wanted` lacks.
pub(super) async fn replace(admin: &Client, before: &[Value], wanted: &[Value]) -> Result<()> {
    for configuration in wanted {
        if let Some(message) = apply_object(admin, &path(configuration), configuration).await? {
            return Err(Error::user("the API server refuses the configuration of a version's webhooks")
                .caused_by(message)
                .hint("kubectl apply --dry-run=server --filename config/webhook/manifests.yaml"));
        }
    }
    for configuration in before.iter().filter(|before| !wanted.iter().any(|wanted| path(wanted) == path(before))) {
        let request = http::Request::delete(path(configuration)).body(Vec::new());
        let request = request.map_err(|error| Error::bug("a request cannot be made").source(&error))?;
        if let Err(error) = admin.request::<Value>(request).await {
            return Err(Error::cluster("cannot delete the configuration of a version's webhooks").source(&error));
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
