//! The steps of a migration: find the objects, rewrite them in the storage version, set the stored versions.

use super::options::MigrateOptions;
use super::plan::remaining_settle_time;
use super::report::{Done, MigratedCrd};
use super::rewrite_objects::{Objects, Rewritten};
use super::storage_version_migration::by_cluster;
use super::{report, stored};
use crate::Result;
use crate::cluster::crd::converted::is_converted;
use crate::cluster::{Connection, Definition, run_until_interrupted};
use crate::model::stored_version;
use crate::report::{Console, Report};

/// Rewrites the objects of `definitions` in the storage version of each CRD in the cluster, and sets
/// `status.storedVersions`.
///
/// # Errors
/// Fails if a CRD is not in the cluster, if the server refuses a request, such as writing an object, or, with `check`,
/// if there are objects to migrate.
pub fn migrate(definitions: &[Definition], options: &MigrateOptions, console: &Console) -> Result<Report> {
    run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        connection.show(console);
        migrate_in(&connection, definitions, options, console).await
    })
}

pub(super) async fn migrate_in(
    connection: &Connection,
    definitions: &[Definition],
    options: &MigrateOptions,
    console: &Console,
) -> Result<Report> {
    let mut all = Vec::new();
    for definition in definitions {
        all.push(find(connection, definition).await?);
    }
    if options.check {
        return report::report_check(&all, connection, options, console);
    }
    let unconverted = |found: &&MigratedCrd| is_converted(&found.definition.object) && !is_converted(&found.object);
    let mut moving = all.iter().filter(|found| !found.versions.are_moved() && found.objects != Some(0));
    if let Some(found) = moving.find(unconverted) {
        return Err(report::missing_conversion_error(found, connection));
    }
    // Dry-run the last step first, so that a missing right is known before any object is written.
    for found in all.iter().filter(|found| !found.versions.are_moved()) {
        stored::set(connection, &found.object, &found.versions, true).await?;
    }
    for found in all.iter_mut().filter(|found| !found.versions.are_moved()) {
        found.done = Some(store_anew(connection, found, options, console).await?);
    }
    report::report_migration(&all, connection, options, console)
}

async fn find<'a>(connection: &Connection, definition: &'a Definition) -> Result<MigratedCrd<'a>> {
    let live = stored::read(connection, &definition.name).await?;
    let project = serde_json::to_value(&definition.object).unwrap_or_default();
    let wanted = stored_version(&project).map(str::to_owned);
    let objects = match &live.versions.served {
        Some(version) => Objects { connection, definition, version, converted: false }.count().await?,
        None => None,
    };
    Ok(MigratedCrd { definition, object: live.object, versions: live.versions, wanted, objects, done: None })
}

async fn store_anew(
    connection: &Connection,
    found: &MigratedCrd<'_>,
    options: &MigrateOptions,
    console: &Console,
) -> Result<Done> {
    let MigratedCrd { definition, versions, .. } = found;
    let version = versions.served.as_deref().ok_or_else(|| report::not_served(definition, connection))?;
    let spinner = console.spinner("Migrating", format!("objects of {} to {}", definition.name, versions.storage));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    tokio::time::sleep(remaining_settle_time(&found.object, i64::try_from(now).unwrap_or_default())).await;
    if !options.dry_run && found.objects != Some(0) {
        match by_cluster(connection, definition, version, &spinner).await {
            Ok(()) => {
                stored::set(connection, &found.object, versions, false).await?;
                return Ok(Done::ByCluster);
            }
            Err(reason) => console.detail(reason),
        }
    }
    let converted = is_converted(&found.object);
    let objects = Objects { connection, definition, version, converted };
    let rewritten: Rewritten = objects.rewrite(options.parallel, options.dry_run, &spinner).await?;
    if rewritten.refused.is_empty() {
        stored::set(connection, &found.object, versions, options.dry_run).await?;
    }
    Ok(Done::ByPatches(rewritten))
}
