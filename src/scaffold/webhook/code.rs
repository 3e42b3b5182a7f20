//! Renders the code of webhooks: for each webhook, its function, its unit test and its test on an API server.

use crate::model::{Resource, Webhooks};
use crate::scaffold::values::{Values, WebhookCode};
use crate::template::Templates;
use crate::{Error, Result};

/// Renders the code of the webhooks that `resource` has, the defaulting webhook first.
pub(super) fn webhook_code(
    resource: &Resource,
    templates: &Templates,
    values: &Values<'_>,
) -> Result<Vec<WebhookCode>> {
    let Webhooks { defaulting, validation } = resource.webhooks;
    let kinds = [
        (defaulting, "defaulting", "webhook::defaulting(default)"),
        (validation, "validation", "webhook::validating(validate)"),
    ];
    let code = |(_, name, call): &(bool, &str, &'static str)| {
        let part = |part: &str| {
            let text = templates.render(&format!("src/webhook/{name}/{part}.rs"), values)?;
            Ok::<_, Error>(text.trim_end().to_owned())
        };
        let (function, unit_test, server_test) = (part("function")?, part("unit_test")?, part("server_test")?);
        Ok(WebhookCode { call, function, unit_test, server_test })
    };
    kinds.iter().filter(|(wanted, ..)| *wanted).map(code).collect()
}
