//! `uninstall`: deletes the project's CRDs from the cluster, unless that would delete somebody's objects.

use super::crds::RESOURCE;
use super::crds::api_resource;
use super::listed::metadata_of_all;
use super::{Attempt, Connection, Definition, Target, read_definitions, request_error, run_until_interrupted};
use crate::error::hint;
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject, ListParams, ObjectMeta};
use kube::core::GroupVersionKind;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The maximum number of objects that an error names.
const SHOWN: u32 = 5;

/// Options of `uninstall`.
#[derive(Clone, Debug)]
pub struct UninstallOptions {
    /// The cluster to uninstall from.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// Delete custom resources too.
    pub force: bool,
    /// Let the server validate everything and change nothing.
    pub dry_run: bool,
}

/// Deletes the CRDs of the project at `root` and waits until they are gone.
///
/// # Errors
/// Fails if custom resources exist (nothing is deleted then, unless [`UninstallOptions::force`] is set), if the server
/// refuses a request, or if a CRD is still there at the end of the time limit.
pub fn uninstall(root: &Path, options: &UninstallOptions, console: &Console) -> Result<Report> {
    let definitions = read_definitions(root)?;
    // Part of the time limit is kept for finding out why a CRD is not removed.
    let patience = options.timeout.saturating_sub((options.timeout / 4).min(Duration::from_secs(2)));
    let deadline = Instant::now() + patience;
    run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        connection.show(console);
        let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
        let mut present = Vec::new();
        let (mut occupied, mut uncounted) = (Vec::new(), Vec::new());
        for definition in &definitions {
            let attempt = Attempt { verb: "get", resource: RESOURCE, name: &definition.name, namespace: None };
            let found = api.get_opt(&definition.name).await;
            if found.map_err(|error| request_error(&error, &connection, attempt))?.is_none() {
                continue;
            }
            present.push(definition);
            match count_objects(&connection, definition).await {
                // Such as a conversion webhook that does not answer: the deletion of the CRD needs none.
                Err(error) if options.force => {
                    uncounted.push(format!(
                        "the objects of `{}` are not counted: {}",
                        definition.name,
                        error.message()
                    ));
                }
                objects => occupied.push((definition, objects?)),
            }
        }
        occupied.retain(|(_, objects)| !objects.is_empty());
        if !options.force && !occupied.is_empty() {
            return Err(refusal(&occupied, &connection));
        }
        for definition in &present {
            let attempt = Attempt { verb: "delete", resource: RESOURCE, name: &definition.name, namespace: None };
            let parameters = DeleteParams { dry_run: options.dry_run, ..DeleteParams::default() };
            let deleted = api.delete(&definition.name, &parameters).await;
            deleted.map_err(|error| request_error(&error, &connection, attempt))?;
        }
        if !options.dry_run {
            let _spinner = console.spinner("Waiting", "for the API server to remove them");
            for definition in &present {
                match tokio::time::timeout_at(deadline.into(), until_gone(&connection, &api, definition)).await {
                    Ok(gone) => gone?,
                    Err(_) => return Err(stuck(&connection, definition, patience).await),
                }
            }
        }
        let mut report = report(&definitions, &present, options.dry_run);
        let verb = if options.dry_run { "would be deleted" } else { "deleted" };
        report.warnings = occupied
            .iter()
            .flat_map(|(definition, counts)| places(definition, counts))
            .map(|place| format!("{verb} with it: {place}"))
            .chain(uncounted)
            .collect();
        Ok(report)
    })
}

fn report(definitions: &[Definition], present: &[&Definition], dry_run: bool) -> Report {
    let outcome = match (present.is_empty(), dry_run) {
        (true, _) => Outcome::Unchanged,
        (false, true) => Outcome::DryRun,
        (false, false) => Outcome::Changed,
    };
    let summary = match present.len() {
        0 => "nothing to do: no definition is installed".to_owned(),
        number => format!("definitions: {number} removed"),
    };
    let mut report = Report::new("uninstall", outcome).summary(summary);
    report.show_unchanged = true;
    report.changes = definitions
        .iter()
        .map(|definition| {
            let is_present = present.iter().any(|present| present.name == definition.name);
            let action = if is_present { "remove" } else { "unchanged" }.to_owned();
            ChangeLine { action, path: format!("customresourcedefinition/{}", definition.name), diff: None }
        })
        .collect();
    report
}

/// Counts the objects by namespace; cluster-scoped objects are counted under the empty name.
pub(super) async fn count_objects(connection: &Connection, definition: &Definition) -> Result<BTreeMap<String, usize>> {
    let mut counts = BTreeMap::new();
    let Some(api) = objects_of(connection, definition) else { return Ok(counts) };
    let attempt = Attempt { verb: "list", resource: &definition.plural, name: &definition.name, namespace: None };
    for metadata in metadata_of_all(connection, &api, "", attempt).await? {
        *counts.entry(metadata.namespace.unwrap_or_default()).or_default() += 1;
    }
    Ok(counts)
}

/// Returns the objects with finalizers that somebody must remove before they can be deleted, each with its finalizers.
pub(super) async fn finalized_objects(connection: &Connection, definition: &Definition) -> Result<Vec<String>> {
    // The API server and its garbage collector remove these finalizers themselves.
    const OWN: [&str; 2] = ["foregroundDeletion", "orphan"];
    let Some(api) = objects_of(connection, definition) else { return Ok(Vec::new()) };
    let attempt = Attempt { verb: "list", resource: &definition.plural, name: &definition.name, namespace: None };
    let all = metadata_of_all(connection, &api, "", attempt).await?;
    let waits = |metadata: ObjectMeta| {
        let mut finalizers = metadata.finalizers.unwrap_or_default();
        finalizers.retain(|finalizer| !OWN.contains(&finalizer.as_str()));
        let place = metadata.namespace.map(|name| format!(" in namespace `{name}`")).unwrap_or_default();
        let name = metadata.name.unwrap_or_default();
        (!finalizers.is_empty()).then(|| format!("`{name}`{place} has the finalizer `{}`", finalizers.join("`, `")))
    };
    Ok(all.into_iter().filter_map(waits).collect())
}

fn objects_of(connection: &Connection, definition: &Definition) -> Option<Api<DynamicObject>> {
    let kind = GroupVersionKind::gvk(&definition.group, definition.served.first()?, &definition.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
    Some(Api::all_with(connection.client.clone(), &resource))
}

/// Finds out why a CRD is not removed: mostly because nobody removes the finalizer of an object.
async fn stuck(connection: &Connection, definition: &Definition, limit: Duration) -> Error {
    let error = Error::cluster(format!("`{}` is still there after {:.0}s", definition.name, limit.as_secs_f64()));
    let waiting = match objects_of(connection, definition) {
        Some(api) => api.list_metadata(&ListParams::default().limit(SHOWN)).await.map(|page| page.items),
        None => Ok(Vec::new()),
    };
    let waiting = waiting.unwrap_or_default();
    let Some(first) = waiting.first().map(|object| &object.metadata) else {
        return error.hint("give it more time with `--timeout 5m`");
    };
    let place = |namespace: &Option<String>, before: &str| match namespace {
        Some(namespace) => format!("{before}{namespace}"),
        None => String::new(),
    };
    let error = waiting.iter().map(|object| &object.metadata).fold(error, |error, object| {
        let name = object.name.as_deref().unwrap_or_default();
        let finalizers = object.finalizers.as_deref().unwrap_or_default().join("`, `");
        let why =
            if finalizers.is_empty() { String::new() } else { format!(" waits for the finalizer `{finalizers}`") };
        error.caused_by(format!("{} `{name}`{}{why}", definition.kind, place(&object.namespace, " in namespace ")))
    });
    let patch = connection.kubectl(hint!(
        "patch {} {}{} --type merge --patch '{{\"metadata\":{{\"finalizers\":null}}}}'",
        definition.name,
        first.name.as_deref().unwrap_or_default(),
        first.namespace.as_ref().map(|name| hint!(" --namespace {name}", name)).unwrap_or_default()
    ));
    error.hint(hint!(
        "run the operator, which takes its finalizers off:\n{}\nor take them off without it:\n{patch}",
        connection.target.cargo_run(),
        patch
    ))
}

/// Describes the objects of each namespace in a phrase.
pub(super) fn places(definition: &Definition, counts: &BTreeMap<String, usize>) -> Vec<String> {
    let place = |namespace: &str| match namespace {
        "" => "in the cluster".to_owned(),
        namespace => format!("in namespace `{namespace}`"),
    };
    counts
        .iter()
        .map(|(namespace, number)| format!("{} of {} {}", objects(*number), definition.plural, place(namespace)))
        .collect()
}

fn refusal(occupied: &[(&Definition, BTreeMap<String, usize>)], connection: &Connection) -> Error {
    let (first, counts) = &occupied[0];
    let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
    let mut error = Error::conflict(format!("`{}` still has {}", first.name, objects(total(counts))));
    for place in occupied.iter().flat_map(|(definition, counts)| places(definition, counts)) {
        error = error.caused_by(place);
    }
    error.hint(hint!(
        "{}    # or: {}, which deletes them too",
        connection.kubectl(hint!("delete {} --all --all-namespaces", first.name)),
        connection.target.opctl("uninstall --force")
    ))
}

fn objects(number: usize) -> String {
    if number == 1 { "1 object".to_owned() } else { format!("{number} objects") }
}

async fn until_gone(connection: &Connection, api: &Api<DynamicObject>, definition: &Definition) -> Result<()> {
    let attempt = Attempt { verb: "get", resource: RESOURCE, name: &definition.name, namespace: None };
    while api.get_opt(&definition.name).await.map_err(|error| request_error(&error, connection, attempt))?.is_some() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}
