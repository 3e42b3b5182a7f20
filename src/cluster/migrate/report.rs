//! Reports the findings and results of a migration to people and programs.

use super::options::MigrateOptions;
use super::plan::Versions;
use super::rewrite_objects::{RefusedObject, Rewritten};
use crate::cluster::{Connection, Definition};
use crate::error::hint;
use crate::report::{ChangeLine, Console, Outcome, Report, columns};
use crate::{Error, Result};
use kube::api::DynamicObject;
use serde_json::{Value, json};

/// The maximum number of refused objects that an error names.
const SHOWN: usize = 50;

/// A CRD of the project, as found in the cluster.
pub(super) struct MigratedCrd<'a> {
    pub(super) definition: &'a Definition,
    pub(super) object: DynamicObject,
    pub(super) versions: Versions,
    /// The storage version that the project's manifest has.
    pub(super) wanted: Option<String>,
    /// The number of objects, if the server reports it.
    pub(super) objects: Option<u64>,
    pub(super) done: Option<Done>,
}

/// The way in which the objects of a CRD were migrated.
pub(super) enum Done {
    ByCluster,
    ByPatches(Rewritten),
}

impl Done {
    fn refused_objects(&self) -> &[RefusedObject] {
        match self {
            Done::ByCluster => &[],
            Done::ByPatches(rewritten) => &rewritten.refused,
        }
    }
}

impl MigratedCrd<'_> {
    fn objects(&self) -> String {
        match self.objects {
            Some(1) => "1 object".to_owned(),
            Some(number) => format!("{number} objects"),
            None => "some objects".to_owned(),
        }
    }

    fn to_do(&self, dry_run: bool) -> String {
        let storage = &self.versions.storage;
        match &self.done {
            _ if self.versions.are_moved() => "nothing".to_owned(),
            None => format!("store in {storage}"),
            Some(Done::ByCluster) => format!("stored in {storage} by the cluster"),
            Some(Done::ByPatches(rewritten)) if !rewritten.refused.is_empty() => {
                format!("{} refused", rewritten.refused.len())
            }
            Some(Done::ByPatches(_)) if dry_run => format!("store in {storage}"),
            Some(Done::ByPatches(rewritten)) => format!("stored in {storage}, {} rewritten", rewritten.written),
        }
    }

    /// Returns true if the objects of the CRD were migrated, and the server refused none of them; false for a dry run,
    /// or
    /// if no migration was needed.
    fn is_done(&self, dry_run: bool) -> bool {
        !dry_run && self.done.as_ref().is_some_and(|done| done.refused_objects().is_empty())
    }

    fn data(&self, dry_run: bool) -> Value {
        let is_done = self.is_done(dry_run);
        let stored = if is_done { std::slice::from_ref(&self.versions.storage) } else { &self.versions.stored[..] };
        let rewritten = match &self.done {
            Some(Done::ByPatches(rewritten)) => json!({
                "by": "patches", "written": rewritten.written, "passed": rewritten.passed, "refused": rewritten.refused.len(),
            }),
            Some(Done::ByCluster) => json!({"by": "StorageVersionMigration"}),
            None => Value::Null,
        };
        json!({
            "name": self.definition.name,
            "kind": self.definition.kind,
            "storageVersion": self.versions.storage,
            "storedVersions": stored,
            "objects": self.objects,
            "toMigrate": !is_done && !self.versions.are_moved(),
            "rewritten": rewritten,
        })
    }
}

/// Reports the result of `--check`.
///
/// # Errors
/// Fails if there are objects to migrate.
pub(super) fn report_check(
    all: &[MigratedCrd<'_>],
    connection: &Connection,
    options: &MigrateOptions,
    console: &Console,
) -> Result<Report> {
    let open: Vec<&MigratedCrd<'_>> = all.iter().filter(|found| !found.versions.are_moved()).collect();
    if open.is_empty() {
        return report_migration(all, connection, options, console);
    }
    let error = Error::conflict("objects may be stored in versions other than the storage version");
    let error = open.iter().fold(error, |error, found| {
        let (name, versions) = (&found.definition.name, &found.versions);
        error.caused_by(format!(
            "the CRD `{name}` has {} that may be stored in these versions: {}; the storage version is `{}`",
            found.objects(),
            versions.stored_version_list(),
            versions.storage
        ))
    });
    Err(error.hint(connection.target.opctl(hint!("migrate{}", options.arguments))))
}

/// Reports the result of a migration.
///
/// # Errors
/// Fails if the server refused to write objects.
pub(super) fn report_migration(
    all: &[MigratedCrd<'_>],
    connection: &Connection,
    options: &MigrateOptions,
    console: &Console,
) -> Result<Report> {
    let mut rows = vec![["DEFINITION", "STORAGE VERSION", "STORED VERSIONS", "OBJECTS", "TO DO"].map(str::to_owned)];
    if all.iter().any(|found| found.done.is_some()) && !options.dry_run {
        "DONE".clone_into(&mut rows[0][4]);
    }
    rows.extend(all.iter().map(|found| {
        let objects = found.objects.map_or_else(|| "unknown".to_owned(), |number| number.to_string());
        let stored = found.versions.stored.join(", ");
        [found.definition.name.clone(), found.versions.storage.clone(), stored, objects, found.to_do(options.dry_run)]
    }));
    let table = columns(&rows);
    if all.iter().any(|found| found.done.as_ref().is_some_and(|done| !done.refused_objects().is_empty())) {
        if console.talkative() {
            console.lines(&table);
        }
        return Err(refusal(all, connection, options));
    }
    let number = all.iter().filter(|found| found.done.is_some()).count();
    let outcome = match (number, options.dry_run) {
        (0, _) => Outcome::Unchanged,
        (_, true) => Outcome::DryRun,
        (_, false) => Outcome::Changed,
    };
    let summary = match number {
        0 => "nothing to migrate".to_owned(),
        1 => "1 CRD migrated".to_owned(),
        _ => format!("{number} CRDs migrated"),
    };
    let data = json!({"definitions": all.iter().map(|found| found.data(options.dry_run)).collect::<Vec<_>>()});
    let mut report = Report { outcome, ..Report::shown("migrate", table, data) }.summary(summary);
    report.told = true;
    report.changes = all.iter().map(change).collect();
    report.warnings = all.iter().filter_map(|found| other_version(found, connection)).collect();
    Ok(report)
}

fn change(found: &MigratedCrd<'_>) -> ChangeLine {
    let action = if found.done.is_some() { "update" } else { "unchanged" }.to_owned();
    ChangeLine { action, path: format!("customresourcedefinition/{}", found.definition.name), diff: None }
}

/// Returns the warning for a CRD whose storage version in the project differs from the storage version in the cluster;
/// `None` if the versions do not differ.
fn other_version(found: &MigratedCrd<'_>, connection: &Connection) -> Option<String> {
    let wanted = found.wanted.as_ref().filter(|wanted| **wanted != found.versions.storage)?;
    Some(format!(
        "the storage version of `{}` is `{}` in the cluster and `{wanted}` in the project: run `{}` first",
        found.definition.name,
        found.versions.storage,
        connection.target.opctl("install").as_str()
    ))
}

/// Returns the error for a CRD that has no conversion webhook in the cluster: without the webhook, rewritten objects
/// would lose the fields that the storage version lacks.
pub(super) fn missing_conversion_error(found: &MigratedCrd<'_>, connection: &Connection) -> Error {
    let (name, target) = (&found.definition.name, &connection.target);
    Error::conflict(format!("no conversion webhook runs for the objects of `{name}`"))
        .caused_by(format!(
            "objects stored in version {} would lose the fields that the storage version `{}` lacks",
            found.versions.stored_version_list(),
            found.versions.storage
        ))
        .hint(hint!("{}    # or, to run the operator on this machine: {}", target.opctl("deploy"), target.opctl("run")))
}

/// Returns the error for a kind without a served version.
pub(super) fn not_served(definition: &Definition, connection: &Connection) -> Error {
    Error::cluster(format!("no version of `{}` is served", definition.name))
        .caused_by("objects are rewritten through a version that the cluster serves")
        .hint(connection.target.opctl("install    # with `served = true` in a version"))
}

fn refusal(all: &[MigratedCrd<'_>], connection: &Connection, options: &MigrateOptions) -> Error {
    let refused = |found: &'_ MigratedCrd<'_>| {
        found.done.as_ref().map(|done| done.refused_objects().to_vec()).unwrap_or_default()
    };
    let each: Vec<(&Definition, RefusedObject)> =
        all.iter().flat_map(|found| refused(found).into_iter().map(|one| (found.definition, one))).collect();
    let objects = if each.len() == 1 { "1 object".to_owned() } else { format!("{} objects", each.len()) };
    let mut error =
        Error::cluster(format!("the API server refuses to write {objects} still stored in an older version"));
    for (definition, RefusedObject { namespace, name, reason }) in each.iter().take(SHOWN) {
        let place = namespace.as_ref().map(|name| format!(" in namespace `{name}`")).unwrap_or_default();
        error = error.caused_by(format!("{} `{name}`{place}: {reason}", definition.kind));
    }
    if each.len() > SHOWN {
        error = error.caused_by(format!("and {} more", each.len() - SHOWN));
    }
    let again = connection.target.opctl(hint!("migrate{}", options.arguments));
    let Some((definition, RefusedObject { namespace, name, .. })) = each.first() else { return error };
    let within = namespace.as_ref().map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
    let edit = connection.kubectl(hint!("edit {} {name}{within}", definition.name, name, within));
    error.hint(hint!("fix or delete each object, then migrate the rest:\n{edit}\n{again}", edit, again))
}
