//! The names of webhooks.

use crate::model::{Project, Resource};
use crate::scaffold::values::WebhookValues;

/// Returns the paths and names for the markers of a kind's webhooks: the paths of the mutating and the validating
/// webhook, then the names of the mutating and the validating webhook.
pub(in crate::scaffold) fn webhook_names(project: &Project, resource: &Resource) -> [String; 4] {
    let WebhookValues { path, name, .. } = WebhookValues::of(project, resource);
    [format!("/mutate-{path}"), format!("/validate-{path}"), format!("m{name}"), format!("v{name}")]
}
