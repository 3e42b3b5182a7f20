//! Waits until the API server reaches the operator's webhooks: until then, it refuses every object of the webhooks'
//! kinds. A ready pod may not be reachable yet, because each node needs time to route the Service's connections to
//! the pod. A firewall or a network policy may also block the API server permanently.

use super::member::Member;
use super::read_samples::samples;
use super::steps::Steps;
use crate::cluster::{Connection, FIELD_MANAGER, RefusedBy, request_error};
use crate::error::hint;
use crate::model::Project;
use crate::{Error, Result};
use kube::api::PostParams;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time limit of the first try to reach a webhook; each further try has twice the limit of the previous try. The
/// first limit is short because a connection opened before the nodes route the Service loses its first packet, and
/// hangs until it times out. A new connection succeeds sooner than the hanging connection.
const FIRST: Duration = Duration::from_millis(250);
/// The longest time that the API server waits for a webhook (`timeoutSeconds` of its configuration).
const LONGEST: Duration = Duration::from_secs(30);
/// The interval between two tries.
const PAUSE: Duration = Duration::from_millis(200);

/// Waits until the API server reaches the webhooks in `objects`. As a test, opctl creates in a dry run each sample
/// whose kind has such a webhook, and repeats the dry run until all called webhooks answer.
///
/// # Errors
/// Fails if a webhook does not answer before `deadline`, or if a request to the server fails.
pub(super) async fn until_they_answer(
    (project, root): (&Project, &Path),
    objects: &[Value],
    connection: &Connection,
    deadline: Instant,
    steps: &Steps<'_>,
) -> Result<()> {
    let called = || objects.iter().flat_map(called_for);
    if called().next().is_none() {
        return Ok(());
    }
    // A project whose samples cannot be read can be deployed all the same.
    let samples = samples(project, root, objects, connection).await.unwrap_or_default();
    let is_called = |sample: &&Member| {
        called().any(|kind| kind == (sample.resource.group.as_str(), sample.resource.plural.as_str()))
    };
    let mut is_said = false;
    for sample in samples.iter().filter(is_called) {
        let mut patience = FIRST;
        while let Some(reason) = silence(sample, connection, patience).await? {
            if Instant::now() >= deadline {
                let logs = connection.target.opctl("logs");
                return Err(Error::cluster("the operator runs, but the API server does not reach its webhooks")
                    .caused_by(reason)
                    .hint(hint!(
                        "{logs}    # shows whether the operator serves its webhooks; if it does, a firewall or a \
                         network policy blocks the API server",
                        logs
                    )));
            }
            if !is_said {
                steps.say("Waiting", "for the API server to reach the webhooks");
                is_said = true;
            }
            tokio::time::sleep(PAUSE).await;
            patience = (patience * 2).min(LONGEST);
        }
    }
    Ok(())
}

/// Creates a copy of `sample` under another name in a dry run, so that the API server does not store the copy.
pub(in crate::cluster) async fn create_dry(sample: &Member, connection: &Connection) -> kube::Result<()> {
    let mut object = sample.object.clone();
    object.metadata.name = None;
    object.metadata.generate_name = Some("opctl-probe-".to_owned());
    let parameters = PostParams { dry_run: true, field_manager: Some(FIELD_MANAGER.to_owned()) };
    sample.api(&connection.client).create(&parameters, &object).await.map(drop)
}

/// Returns the reason if a webhook does not answer within `patience` when a copy of `sample` is created in a dry run;
/// `None` if all webhooks answer, even if a webhook refuses the copy.
async fn silence(sample: &Member, connection: &Connection, patience: Duration) -> Result<Option<String>> {
    match tokio::time::timeout(patience, create_dry(sample, connection)).await {
        Err(_) => Ok(Some(format!(
            "a webhook does not answer within {} s when an object like `{}` is created in a dry run",
            patience.as_secs_f32(),
            sample.path()
        ))),
        Ok(Err(kube::Error::Api(status))) => Ok(RefusedBy::of(&status.message).is_silent().then_some(status.message)),
        Ok(Err(error)) => Err(request_error(&error, connection, sample.attempt("create"))),
        Ok(Ok(())) => Ok(None),
    }
}

/// Returns the group and the plural of each kind for which the API server calls the webhooks in `object`.
fn called_for(object: &Value) -> impl Iterator<Item = (&str, &str)> {
    let webhooks = object["webhooks"].as_array().into_iter().flatten();
    let rules = webhooks.flat_map(|webhook| webhook["rules"].as_array().into_iter().flatten());
    let admission = rules.flat_map(|rule| {
        strings(&rule["apiGroups"]).flat_map(|group| strings(&rule["resources"]).map(move |plural| (group, plural)))
    });
    let spec = object.pointer("/spec/conversion/strategy").filter(|strategy| *strategy == "Webhook");
    let spec = spec.map(|_| &object["spec"]);
    admission.chain(spec.and_then(|spec| Some((spec["group"].as_str()?, spec["names"]["plural"].as_str()?))))
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_kinds_that_webhooks_are_called_for_are_read_from_rules_and_conversions() {
        let admission = json!([
            {"rules": [{"apiGroups": ["a.com", "b.com"], "resources": ["disks"]}, {"apiGroups": [""], "resources": ["pods"]}]},
            {"rules": []},
        ]);
        let definition = |strategy: &str| json!({"group": "a.com", "names": {"plural": "volumes"}, "conversion": {"strategy": strategy}});
        for (object, expected) in [
            (json!({"webhooks": admission}), vec![("a.com", "disks"), ("b.com", "disks"), ("", "pods")]),
            (json!({"spec": definition("Webhook")}), vec![("a.com", "volumes")]),
            (json!({"spec": definition("None")}), vec![]),
            (json!({}), vec![]),
        ] {
            assert_eq!(called_for(&object).collect::<Vec<_>>(), expected, "{object}");
        }
    }
}
