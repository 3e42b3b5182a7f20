//! Runs both versions of the operator in one namespace at the same time, as during a rolling update.

use super::code::Code;
use super::found::UpgradeFinding;
use super::play::Play;
use super::run_version::{Part, Stage};
use crate::Result;
use crate::explore::record::journal::Entry;
use crate::explore::run::run_environment::{GLANCE, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The time for both versions to come to rest; [`WATCHED`] is the time for which both versions are observed afterwards.
const SETTLES: Duration = Duration::from_secs(3);
const WATCHED: Duration = Duration::from_secs(3);

/// Runs both versions at the same time, then kills the old version. Returns the findings, and the requests, log and
/// objects of the new version.
pub(super) async fn both(old: &Stage<'_>, new: &Stage<'_>) -> Result<(Vec<UpgradeFinding>, Part)> {
    old.world.empty_leases(old.namespace).await?;
    let before = old.enter(None).await?;
    before.start_up().await?;
    let after = new.enter(None).await?;
    // A new version that waits for the lease reads nothing else: it may not come to its first request.
    after.operator.start()?;
    run(&before, &after, SETTLES).await?;
    let begin = [before.gate.entries(), after.gate.entries()];
    run(&before, &after, WATCHED).await?;
    let writes =
        [written_fields(&before.gate.journal()[begin[0]..]), written_fields(&after.gate.journal()[begin[1]..])];
    let leases = holders(&before).await?;
    let leads = before.gate.has_written_lease();
    before.operator.kill();
    new.world.empty_leases(new.namespace).await?;
    let part = new.wait_for_rest(&after).await?;

    let mut found = Vec::new();
    if leases.len() > 1 {
        let text = format!("while both versions run, each holds its own lease: {}", quote_names(&leases));
        found.push(UpgradeFinding::new(Code::Fight, Play::Beside, "leases", text));
    }
    for (object, fields) in &writes[0] {
        let Some(others) = writes[1].get(object) else { continue };
        let both: BTreeSet<_> = fields.intersection(others).cloned().collect();
        let what = if both.is_empty() { "writes".to_owned() } else { quote_names(&both) };
        let text = format!("while both versions run, they undo each other's {what} of {object} again and again");
        let fight = UpgradeFinding::new(Code::Fight, Play::Beside, object.clone(), text).seen_in(&part);
        // Without a lease, versions that differ at all do so for as long as both run.
        found.push(if leads { fight } else { fight.warning() });
    }
    Ok((found, part))
}

async fn run(one: &Site, other: &Site, time: Duration) -> Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        one.keep_running().await?;
        other.keep_running().await?;
        tokio::time::sleep(GLANCE).await;
    }
    Ok(())
}

/// Returns the objects that writes changed, each with its changed fields. Ignores writes that changed nothing.
fn written_fields(journal: &[Entry]) -> BTreeMap<String, BTreeSet<String>> {
    let mut written: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for request in journal.iter().filter_map(Entry::request).filter(|request| request.effective) {
        let fields = request.changes.iter().map(|change| change.trim_start_matches("without "));
        let fields = fields.map(|change| change.split(": ").next().unwrap_or(change).to_owned());
        written.entry(request.parts().1.to_owned()).or_default().extend(fields);
    }
    written
}

/// Returns the names of the leases that have a holder.
async fn holders(site: &Site) -> Result<BTreeSet<String>> {
    let leases = site.world.leases(&site.namespace).await?;
    let held =
        leases.iter().filter(|(_, lease)| lease["spec"]["holderIdentity"].as_str().is_some_and(|who| !who.is_empty()));
    Ok(held.filter_map(|(_, lease)| lease["metadata"]["name"].as_str()).map(str::to_owned).collect())
}

fn quote_names(names: &BTreeSet<String>) -> String {
    names.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
