//! `uninstall`: deletes the project's CRDs from the cluster, unless objects of users would be deleted with them.

use super::crd::crd_api::{RESOURCE, api_resource};
use super::request::list_metadata::metadata_of_all;
use super::{Attempt, Connection, Definition, Target, read_definitions, request_error, run_until_interrupted};
use crate::error::{Hint, hint};
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject, ListParams, ObjectMeta};
use kube::core::GroupVersionKind;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The maximum number of remaining objects that an error names.
const SHOWN: u32 = 5;

/// The maximum number of objects with finalizers that an error or a warning names.
const NAMED: usize = 3;

/// Options of `uninstall`.
#[derive(Clone, Debug)]
pub struct UninstallOptions {
    /// The cluster to uninstall from.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// Delete custom resources as well.
    pub force: bool,
    /// Let the server validate everything and change nothing.
    pub dry_run: bool,
}

/// Deletes the CRDs of the project at `root` and waits until they are gone.
///
/// # Errors
/// Fails before anything is deleted if custom resources exist, unless [`UninstallOptions::force`] is set. Even with
/// this option, fails before anything is deleted if custom resources have finalizers that only the running operator
/// removes. Also fails if the server refuses a request, or if a CRD still exists at the end of the time limit.
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
            let Some(found) = found.map_err(|error| request_error(&error, &connection, attempt))? else { continue };
            present.push(definition);
            match Occupied::of(definition, &connection).await {
                // Such as a conversion webhook that does not answer: the deletion of the CRD needs none.
                Err(error) if options.force => {
                    uncounted.push(format!(
                        "the objects of `{}` are not counted: {}",
                        definition.name,
                        error.message()
                    ));
                }
                // The objects of a CRD that is already being deleted are, too.
                objects if found.metadata.deletion_timestamp.is_some() => {
                    occupied.push(Occupied { held: Vec::new(), ..objects? });
                }
                objects => occupied.push(objects?),
            }
        }
        occupied.retain(|occupied| !occupied.counts.is_empty());
        if !options.force && !occupied.is_empty() {
            return Err(refusal(&occupied, &connection));
        }
        if let Some(first) = occupied.iter().find(|occupied| !occupied.held.is_empty()) {
            return Err(held_back(first, &occupied, &connection));
        }
        for definition in &present {
            let attempt = Attempt { verb: "delete", resource: RESOURCE, name: &definition.name, namespace: None };
            let parameters = DeleteParams { dry_run: options.dry_run, ..DeleteParams::default() };
            let deleted = api.delete(&definition.name, &parameters).await;
            deleted.map_err(|error| request_error(&error, &connection, attempt))?;
        }
        if !options.dry_run {
            let _spinner = console.spinner("Waiting", "for the API server to remove the CRDs");
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
            .flat_map(|occupied| places(occupied.definition, &occupied.counts))
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
        0 => "nothing to do: no CRD of the project is installed".to_owned(),
        number => format!("CRDs: {number} removed"),
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

/// Counts the objects of `definition` by namespace; cluster-scoped objects are counted under the empty name.
pub(super) async fn count_objects(connection: &Connection, definition: &Definition) -> Result<BTreeMap<String, usize>> {
    let mut counts = BTreeMap::new();
    let Some(api) = objects_of(connection, definition) else { return Ok(counts) };
    let attempt = Attempt { verb: "list", resource: &definition.plural, name: &definition.name, namespace: None };
    for metadata in metadata_of_all(connection, &api, "", attempt).await? {
        *counts.entry(metadata.namespace.unwrap_or_default()).or_default() += 1;
    }
    Ok(counts)
}

/// A CRD and its objects in a cluster.
struct Occupied<'a> {
    definition: &'a Definition,
    /// The number of objects in each namespace.
    counts: BTreeMap<String, usize>,
    /// The objects with finalizers that only the operator removes.
    held: Vec<HeldObject>,
}

impl<'a> Occupied<'a> {
    async fn of(definition: &'a Definition, connection: &Connection) -> Result<Self> {
        let counts = count_objects(connection, definition).await?;
        let held = if counts.is_empty() { Vec::new() } else { finalized_objects(connection, definition).await? };
        Ok(Occupied { definition, counts, held })
    }
}

/// An object that is deleted only after its finalizers have been removed.
pub(super) struct HeldObject {
    namespace: Option<String>,
    name: String,
    finalizers: Vec<String>,
}

/// Returns a description of each of the first [`NAMED`] objects. If there are further objects, the last text is their
/// number, such as `and 3 more`.
pub(super) fn describe_first_objects(held: &[HeldObject]) -> Vec<String> {
    let describe = |held: &HeldObject| {
        let place = held.namespace.as_ref().map(|name| format!(" in namespace `{name}`")).unwrap_or_default();
        format!("`{}`{place} has the finalizer `{}`", held.name, held.finalizers.join("`, `"))
    };
    let more = held.len().saturating_sub(NAMED);
    held.iter().take(NAMED).map(describe).chain((more > 0).then(|| format!("and {more} more"))).collect()
}

/// Returns the objects of the CRD that have finalizers, without the finalizers that the API server and its garbage
/// collector remove themselves. Leaves out an object that has only such finalizers.
pub(super) async fn finalized_objects(connection: &Connection, definition: &Definition) -> Result<Vec<HeldObject>> {
    // The API server and its garbage collector remove these finalizers themselves.
    const OWN: [&str; 2] = ["foregroundDeletion", "orphan"];
    let Some(api) = objects_of(connection, definition) else { return Ok(Vec::new()) };
    let attempt = Attempt { verb: "list", resource: &definition.plural, name: &definition.name, namespace: None };
    let all = metadata_of_all(connection, &api, "", attempt).await?;
    let held = |metadata: ObjectMeta| {
        let mut finalizers = metadata.finalizers.unwrap_or_default();
        finalizers.retain(|finalizer| !OWN.contains(&finalizer.as_str()));
        let (namespace, name) = (metadata.namespace, metadata.name.unwrap_or_default());
        (!finalizers.is_empty()).then_some(HeldObject { namespace, name, finalizers })
    };
    Ok(all.into_iter().filter_map(held).collect())
}

fn objects_of(connection: &Connection, definition: &Definition) -> Option<Api<DynamicObject>> {
    let kind = GroupVersionKind::gvk(&definition.group, definition.served.first()?, &definition.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
    Some(Api::all_with(connection.client.clone(), &resource))
}

/// Returns the error for a CRD that is not removed in time, usually because an object still has a finalizer.
async fn stuck(connection: &Connection, definition: &Definition, limit: Duration) -> Error {
    let error = Error::cluster(format!("the CRD `{}` still exists after {:.0}s", definition.name, limit.as_secs_f64()));
    let waiting = match objects_of(connection, definition) {
        Some(api) => api.list_metadata(&ListParams::default().limit(SHOWN)).await.map(|page| page.items),
        None => Ok(Vec::new()),
    };
    let waiting = waiting.unwrap_or_default();
    let Some(first) = waiting.first().map(|object| &object.metadata) else {
        return error.hint("give the deletion of the CRD more time with `--timeout 5m`");
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
    let patch = without_finalizers(connection, definition, first.name.as_deref(), first.namespace.as_deref());
    error.hint(hint!(
        "run the operator to remove the finalizers:\n{}\nor remove them without the operator:\n{patch}",
        connection.target.cargo_run(),
        patch
    ))
}

/// Returns, for each namespace in `counts`, the number of objects of the CRD as text for messages, such as '2 objects
/// of webservers in namespace `web`'.
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

/// Returns the kubectl command line that removes the finalizers of an object.
fn without_finalizers(
    connection: &Connection,
    definition: &Definition,
    name: Option<&str>,
    namespace: Option<&str>,
) -> Hint {
    connection.kubectl(hint!(
        "patch {} {}{} --type merge --patch '{{\"metadata\":{{\"finalizers\":null}}}}'",
        definition.name,
        name.unwrap_or_default(),
        namespace.map(|name| hint!(" --namespace {name}", name)).unwrap_or_default()
    ))
}

/// Returns two parts of a kubectl command line: the names of the CRDs, separated by commas, and ` --all-namespaces`, or
/// an empty text if all objects are cluster-scoped.
fn kinds(occupied: &[Occupied<'_>]) -> (String, &'static str) {
    let names: Vec<&str> = occupied.iter().map(|occupied| occupied.definition.name.as_str()).collect();
    // The objects of the cluster are counted under the empty name.
    let in_namespaces = occupied.iter().any(|occupied| occupied.counts.keys().any(|namespace| !namespace.is_empty()));
    (names.join(","), if in_namespaces { " --all-namespaces" } else { "" })
}

/// Returns the error for CRDs that still have objects, which would be deleted with the CRDs.
fn refusal(occupied: &[Occupied<'_>], connection: &Connection) -> Error {
    let first = &occupied[0];
    let total = first.counts.values().sum::<usize>();
    let mut error = Error::conflict(format!("`{}` still has {}", first.definition.name, objects(total)));
    for place in occupied.iter().flat_map(|occupied| places(occupied.definition, &occupied.counts)) {
        error = error.caused_by(place);
    }
    let held: Vec<String> = occupied.iter().flat_map(|occupied| describe_first_objects(&occupied.held)).collect();
    let (kinds, everywhere) = kinds(occupied);
    if held.is_empty() {
        return error.hint(hint!(
            "{}    # deletes only the objects; or, to delete the CRDs with their objects: {}",
            connection.kubectl(hint!("delete {kinds} --all{everywhere}", kinds, everywhere = Hint::from(everywhere))),
            connection.target.opctl("uninstall --force")
        ));
    }
    held.into_iter().fold(error, Error::caused_by).hint(hint!(
        "run the operator, unless it already runs, to remove the finalizers; then delete the objects:\n{}\n{} && {}",
        connection.target.cargo_run(),
        connection.kubectl(hint!("delete {kinds} --all{everywhere}", kinds, everywhere = Hint::from(everywhere))),
        connection.target.opctl("uninstall")
    ))
}

/// Returns the error for objects with finalizers, whose deletion would never end without a running operator.
fn held_back(first: &Occupied<'_>, occupied: &[Occupied<'_>], connection: &Connection) -> Error {
    let name = &first.definition.name;
    let error = Error::conflict(format!(
        "the CRD `{name}` has objects with finalizers, and only the operator removes \
                                         these finalizers"
    ));
    let held = occupied.iter().flat_map(|occupied| describe_first_objects(&occupied.held));
    let error = held.fold(error, Error::caused_by);
    let free = |held: &HeldObject| {
        without_finalizers(connection, first.definition, Some(&held.name), held.namespace.as_deref())
    };
    let patch = first.held.first().map(free).unwrap_or_default();
    let (kinds, everywhere) = kinds(occupied);
    error.hint(hint!(
        "run the operator, unless it already runs, to remove the finalizers; then delete the objects:\n{}\n{} && {}\nor remove the finalizers without the operator, which skips the cleanup:\n{patch}",
        connection.target.cargo_run(),
        connection.kubectl(hint!("delete {kinds} --all{everywhere}", kinds, everywhere = Hint::from(everywhere))),
        connection.target.opctl("uninstall"),
        patch
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
