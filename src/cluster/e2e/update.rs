//! Updates the operator while the API server calls the operator's webhooks, and checks that no request fails and no
//! object is lost.

use super::place::Place;
use crate::cluster::deploy::{Member, create_dry, group_kind, kinds, samples};
use crate::cluster::operator::replicas::{deployment, pods};
use crate::cluster::request::list_metadata::metadata;
use crate::cluster::{Attempt, Connection, Manager, request_error, run, run_until_interrupted};
use crate::report::Console;
use crate::{Error, Result};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::Api;
use kube::api::{DynamicObject, ObjectMeta};
use kube::discovery::{ApiGroup, verbs};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between two rounds of dry runs during an update.
const PAUSE: Duration = Duration::from_millis(50);

/// Kinds whose objects are often created and deleted without an action of the user.
const TRANSIENT: &[&str] = &["EndpointSlice", "Event", "Job", "Lease", "Pod"];

/// The uids of the samples and of the objects that the samples own, keyed by kind, namespace and name.
type Objects = BTreeMap<String, String>;

/// Updates the operator by calling `update`, and checks that no object and no request is lost. From the update until
/// the old pods are gone, creates the samples again and again in dry runs, so that the API server calls the webhooks.
/// After the update, the samples and the objects that the samples own must have the same uids as before.
///
/// # Errors
/// Fails if the update fails, if a dry run is refused, or if an object is gone or was created again.
pub fn update_loses_nothing(place: &Place, console: &Console, update: impl FnOnce() -> Result<()>) -> Result<()> {
    let before = run_until_interrupted(&place.target, place.timeout, objects(place, console))?;
    let has_ended = AtomicBool::new(false);
    let (updated, called) = thread::scope(|scope| {
        // The update and the wait for the pods take at most the time limit each.
        let calls = scope.spawn(|| run(&place.target, place.timeout * 3, call_until(place, console, &has_ended)));
        let wait = || run_until_interrupted(&place.target, place.timeout, until_old_pods_are_gone(place, console));
        let updated = update().and_then(|()| wait());
        has_ended.store(true, Ordering::Relaxed);
        let called = calls
            .join()
            .unwrap_or_else(|_| Err(Error::bug("the thread that sends requests during the update panicked")));
        (updated, called)
    });
    updated?;
    called?;
    let after = run_until_interrupted(&place.target, place.timeout, objects(place, console))?;
    let lost = lost_objects(&before, &after);
    if !lost.is_empty() {
        let error = Error::user("objects are deleted or re-created during the update of the operator");
        return Err(lost.iter().fold(error, Error::caused_by).hint(place.target.opctl("logs")));
    }
    Ok(())
}

/// Replaces the operator's pods, as `kubectl rollout restart` does.
///
/// # Errors
/// Fails if the server refuses the request.
pub fn restart(place: &Place, console: &Console) -> Result<()> {
    let manager = Manager::of(place.root)?;
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        let api: Api<Deployment> = Api::namespaced(connection.client.clone(), &manager.namespace);
        let restarted = api.restart(&manager.name).await;
        let namespace = Some(manager.namespace.as_str());
        let attempt = Attempt { verb: "patch", resource: "deployments", name: &manager.name, namespace };
        restarted.map(drop).map_err(|error| request_error(&error, &connection, attempt))
    })
}

/// Creates the samples in dry runs, again and again, until `has_ended` is true; then fails if the API server refused a
/// dry run. Samples that are refused in a first round are left out without an error, because the cluster may allow only
/// one object of the sample's kind.
async fn call_until(place: &Place<'_>, console: &Console, has_ended: &AtomicBool) -> Result<()> {
    let connection = Connection::open(&place.target, console).await?;
    let mut samples = samples(place.project, place.root, &[], &connection).await?;
    for index in (0..samples.len()).rev() {
        if create_dry(&samples[index], &connection).await.is_err() {
            samples.remove(index);
        }
    }
    let (mut calls, mut refused): (usize, Vec<(&Member, kube::Error)>) = (0, Vec::new());
    while !has_ended.load(Ordering::Relaxed) {
        for sample in &samples {
            calls += 1;
            refused.extend(create_dry(sample, &connection).await.err().map(|error| (sample, error)));
        }
        tokio::time::sleep(PAUSE).await;
    }
    let number = refused.len();
    let Some((sample, error)) = refused.into_iter().next() else { return Ok(()) };
    let refusal = request_error(&error, &connection, sample.attempt("create"));
    let error =
        Error::user(format!("{number} of {calls} dry-run requests of opctl fail during the update of the operator"));
    let error = refusal.causes().iter().fold(error.caused_by(refusal.message()), Error::caused_by);
    Err(error.hint(place.target.opctl("logs")))
}

/// Waits until all pods that are being deleted are gone, because such a pod answers webhooks until its end.
async fn until_old_pods_are_gone(place: &Place<'_>, console: &Console) -> Result<()> {
    let (manager, deadline) = (Manager::of(place.root)?, Instant::now() + place.timeout / 2);
    let connection = Connection::open(&place.target, console).await?;
    let Some(deployment) = deployment(&connection, &manager).await? else { return Ok(()) };
    loop {
        let pods = pods(&connection, &manager, &deployment).await?;
        let mut leaving = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_some());
        let Some(pod) = leaving.next() else { return Ok(()) };
        if Instant::now() > deadline {
            let name = pod.metadata.name.clone().unwrap_or_default();
            return Err(Error::user(format!("the operator's pod `{name}` does not terminate after the update"))
                .hint(place.target.opctl("logs")));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Reads the samples and the objects that they own.
async fn objects(place: &Place<'_>, console: &Console) -> Result<Objects> {
    let connection = Connection::open(&place.target, console).await?;
    let mut objects = Objects::new();
    for sample in samples(place.project, place.root, &[], &connection).await? {
        let live = sample.read_live_object(&connection).await?;
        objects.extend(live.and_then(|live| name_and_uid(&sample.group_kind(), live.metadata)));
    }
    let owners: Vec<String> = objects.values().cloned().collect();
    let kinds = kinds(&connection).await?;
    for (resource, capabilities) in kinds.groups().flat_map(ApiGroup::resources_by_stability) {
        if !capabilities.supports_operation(verbs::LIST) || TRANSIENT.contains(&resource.kind.as_str()) {
            continue;
        }
        let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &resource);
        let all = match metadata(&api, "").await {
            // The user may not list this kind.
            Err(kube::Error::Api(status)) if matches!(status.code, 403 | 405) => continue,
            all => {
                let name = resource.plural.as_str();
                let attempt = Attempt { verb: "list", resource: name, name, namespace: None };
                all.map_err(|error| request_error(&error, &connection, attempt))?
            }
        };
        let owned = all.into_iter().filter(|metadata| is_owned(metadata, &owners));
        objects.extend(owned.filter_map(|metadata| name_and_uid(&group_kind(&resource), metadata)));
    }
    Ok(objects)
}

fn name_and_uid(kind: &str, metadata: ObjectMeta) -> Option<(String, String)> {
    let namespace = metadata.namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
    Some((format!("{kind} {namespace}{}", metadata.name?), metadata.uid?))
}

fn is_owned(metadata: &ObjectMeta, owners: &[String]) -> bool {
    let is_one = |reference: &OwnerReference| owners.contains(&reference.uid);
    metadata.owner_references.iter().flatten().any(is_one)
}

/// Returns a line for each object that is gone or has another uid.
fn lost_objects(before: &Objects, after: &Objects) -> Vec<String> {
    let fate = |(object, uid): (&String, &String)| match after.get(object) {
        Some(now) if now == uid => None,
        Some(_) => Some(format!("`{object}` was deleted and created again")),
        None => Some(format!("`{object}` is gone")),
    };
    before.iter().filter_map(fate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_that_are_gone_or_made_anew_are_lost() {
        let objects = |all: &[(&str, Option<&str>, &str)]| -> Objects {
            let metadata = |namespace: Option<&str>, uid: &str| ObjectMeta {
                name: Some("a".to_owned()),
                namespace: namespace.map(str::to_owned),
                uid: Some(uid.to_owned()),
                ..ObjectMeta::default()
            };
            all.iter().filter_map(|&(kind, namespace, uid)| name_and_uid(kind, metadata(namespace, uid))).collect()
        };
        let (one, two) = (Some("one"), Some("two"));
        let before = objects(&[("Web", None, "1"), ("Service", one, "2"), ("Service", two, "3"), ("Job", one, "4")]);
        assert_eq!((before.len(), lost_objects(&before, &before)), (4, vec![]));
        let after = objects(&[("Web", None, "1"), ("Service", two, "3"), ("Job", one, "5"), ("Secret", one, "6")]);
        assert_eq!(
            lost_objects(&before, &after),
            ["`Job one/a` was deleted and created again", "`Service one/a` is gone"]
        );
    }
}
