//! Runs one version of the operator in a namespace, and describes the resulting objects.

use super::picture::Picture;
use crate::error::Category;
use crate::explore::plan::fault_plan::{Plan, Step};
use crate::explore::proxy::gate::Gate;
use crate::explore::record::journal::{Entry, Event};
use crate::explore::record::random_names::Names;
use crate::explore::run::run_environment::{GLANCE, Site};
use crate::explore::run::steps::Outcome;
use crate::explore::run::{exercise, readiness, settle};
use crate::explore::server::operator::{ENDS, Line};
use crate::explore::server::shared_server::World;
use crate::{Error, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time limit for a deletion to end, and for a sample to become ready.
const PATIENCE: Duration = Duration::from_secs(8);

/// The number of exits after which opctl regards the start of the operator as failed.
const ENDED_TOO_OFTEN: usize = 4;

/// The result of one version in a namespace: its requests, its log, and the resulting objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) picture: Picture,
    pub(super) journal: Vec<Entry>,
    pub(super) log: Vec<Line>,
    /// The denied requests for leases and events, without the names of the objects. `journal`, the record of the
    /// operator's requests, contains all other denied requests.
    pub(super) denied: BTreeSet<String>,
    /// The samples that are not ready, each with the reason.
    pub(super) unready: BTreeMap<String, String>,
    /// True if the operator did not come to rest (stop sending requests or changing objects) within the time limit.
    pub(super) restless: bool,
    /// The reason why the operator did not start; `None` if it started.
    pub(super) failed: Option<String>,
    /// The resources whose objects were read: the resources in the operator's requests, and the resources in
    /// `Stage::known`.
    pub(super) resources: BTreeSet<String>,
}

/// A version of the operator and the namespace in which it runs.
pub(super) struct Stage<'a> {
    pub(super) world: &'a Arc<World>,
    pub(super) namespace: &'a str,
    pub(super) folder: &'a Path,
    /// The name of the version in the file name of the kubeconfig. Two versions may run in one namespace, each with a
    /// separate kubeconfig.
    pub(super) version: &'static str,
    /// Resources whose objects opctl reads and compares even if the operator sends no requests for these resources.
    pub(super) known: BTreeSet<String>,
}

impl Stage<'_> {
    /// Opens a proxy between the operator and the API server, without starting the operator. The proxy injects the
    /// fault of `plan`, which must be a fault for the step `create`.
    pub(super) async fn enter(&self, plan: Option<&Plan>) -> Result<Site> {
        let gate = Gate::new(false, Names::default());
        gate.begin_step(Step::Create, plan);
        let kubeconfig = self.folder.join(format!("{}-{}.kubeconfig", self.namespace, self.version));
        // The one of an earlier process of this version in this namespace, which has ended.
        let _ = std::fs::remove_file(&kubeconfig);
        Site::enter(self.world, self.namespace, kubeconfig, gate, self.known.clone(), &[]).await
    }

    /// Starts the operator, calls `act` to perform the user's actions, waits until the operator comes to rest, and
    /// returns the result. If the operator does not start, the result contains the reason.
    pub(super) async fn play(
        &self,
        plan: Option<&Plan>,
        act: impl AsyncFnOnce(&Site) -> Result<()>,
    ) -> Result<(Part, Site)> {
        self.world.empty_leases(self.namespace).await?;
        let site = self.enter(plan).await?;
        let work = async {
            site.start_up().await?;
            act(&site).await?;
            self.wait_for_rest(&site).await
        };
        let rested = tokio::select! {
            rested = work => rested.map_err(Ok),
            how = ends_again(&site) => Err(Err(how)),
        };
        let part = match rested {
            Ok(part) => part,
            // An error that is not the operator's stays one.
            Err(Ok(error)) if error.category() != Category::User => return Err(error),
            Err(Ok(error)) => self.failed_part(&site, error.message().to_owned()).await?,
            Err(Err(how)) => self.failed_part(&site, how).await?,
        };
        Ok((part, site))
    }

    /// Waits until the operator comes to rest, and returns its requests, its log and the objects in the namespace.
    pub(super) async fn wait_for_rest(&self, site: &Site) -> Result<Part> {
        let mut rested = settle::first(site, Step::Create).await?;
        let begun = Instant::now();
        let mut unready = self.unready_samples(site).await?;
        while (!unready.is_empty() || self.is_ending(site).await?) && begun.elapsed() < PATIENCE {
            site.keep_running().await?;
            tokio::time::sleep(5 * GLANCE).await;
            unready = self.unready_samples(site).await?;
        }
        if begun.elapsed() > 5 * GLANCE {
            rested = settle::first(site, Step::Create).await?;
        }
        let mut part = self.part(site).await?;
        while self.has_garbage(&part) && begun.elapsed() < PATIENCE {
            tokio::time::sleep(5 * GLANCE).await;
            part = self.part(site).await?;
        }
        Ok(Part { unready, restless: rested.restless, ..part })
    }

    /// Returns the samples that are not ready, without samples that are deleted or being deleted.
    async fn unready_samples(&self, site: &Site) -> Result<BTreeMap<String, String>> {
        let mut found = BTreeMap::new();
        for sample in &self.world.samples {
            let object = sample_name(self.world, &sample.object)?;
            let Ok(now) = self.world.request("GET", &site.path(&object)?, &Value::Null).await else {
                continue;
            };
            if now["metadata"].get("deletionTimestamp").is_none() {
                found.extend(readiness::reason(&now).map(|reason| (object, reason)));
            }
        }
        Ok(found)
    }

    /// Returns true if a sample is being deleted.
    async fn is_ending(&self, site: &Site) -> Result<bool> {
        for sample in &self.world.samples {
            let path = site.path(&sample_name(self.world, &sample.object)?)?;
            if let Ok(now) = self.world.request("GET", &path, &Value::Null).await
                && now["metadata"].get("deletionTimestamp").is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the operator's requests and log so far, and the current objects in the namespace.
    pub(super) async fn part(&self, site: &Site) -> Result<Part> {
        let resources: BTreeSet<String> = site.resources().union(&self.known).cloned().collect();
        let picture = Picture::take(self.world, self.namespace, &resources).await?;
        let (journal, log, denied) = (site.gate.journal(), site.operator.log(), site.gate.denied_requests());
        Ok(Part { picture, journal, log, denied, resources, ..Part::default() })
    }

    /// Returns true if the garbage collector has not yet removed the children of a deleted sample.
    fn has_garbage(&self, part: &Part) -> bool {
        let uids: BTreeSet<&str> =
            part.picture.raw.values().filter_map(|object| object["metadata"]["uid"].as_str()).collect();
        let is_sample = |kind: &Value| self.world.samples.iter().any(|sample| sample.object["kind"] == *kind);
        let owners = part.picture.raw.values().filter_map(|object| object["metadata"]["ownerReferences"].as_array());
        owners
            .flatten()
            .any(|owner| is_sample(&owner["kind"]) && owner["uid"].as_str().is_none_or(|uid| !uids.contains(uid)))
    }

    /// Kills an operator that did not start. Returns its requests, its log, the objects in the namespace, and `why` as
    /// the reason.
    async fn failed_part(&self, site: &Site, why: String) -> Result<Part> {
        site.operator.kill();
        Ok(Part { failed: Some(why), ..self.part(site).await? })
    }
}

/// Waits until the operator has exited [`ENDED_TOO_OFTEN`] times, and returns a description of the last exit.
async fn ends_again(site: &Site) -> String {
    loop {
        tokio::time::sleep(2 * GLANCE).await;
        let journal = site.gate.journal();
        let ends = journal.iter().filter_map(|entry| match &entry.event {
            Event::Operator(text) => text.strip_prefix(ENDS),
            _ => None,
        });
        if let Some(how) = ends.clone().nth(ENDED_TOO_OFTEN - 1) {
            return format!("the operator exits again and again{how}");
        }
    }
}

/// Returns the name of a sample, such as `shops.example.com/corner`.
pub(super) fn sample_name(world: &World, sample: &Value) -> Result<String> {
    Ok(format!("{}/{}", world.collection_of(sample)?, sample["metadata"]["name"].as_str().unwrap_or_default()))
}

/// Creates the samples, as a user of the operator would.
pub(super) async fn create(site: &Site) -> Result<()> {
    site.play(Step::Create).await
}

/// Fails if a version that runs before the upgrade did not start.
pub(super) fn check_operator_started(part: &Part, version: &str, site: &Site) -> Result<()> {
    let Some(failed) = &part.failed else { return Ok(()) };
    Err(with_log(Error::user(format!("{version} does not start: {failed}")), part, site))
}

/// Fails if the operator did no work for the samples, because the test of an upgrade would then have no objects to
/// compare.
pub(super) fn check_operator_worked(part: &Part, version: &str, site: &Site) -> Result<()> {
    let Part { journal, log, unready, denied, .. } = part.clone();
    let Some(reason) = exercise::nothing(&Outcome { journal, log, unready, denied, ..Outcome::default() }) else {
        return Ok(());
    };
    let error = Error::user(format!(
        "no upgrade was tested, because the operator of {version} did not handle the \
                                     samples: {reason}"
    ));
    Err(with_log(error, part, site))
}

/// Adds two texts to the error: the end of the operator's log, and the command that starts the operator by hand.
fn with_log(error: Error, part: &Part, site: &Site) -> Error {
    let last = crate::explore::run::log::last_lines(&part.log);
    last.into_iter().fold(error, Error::caused_by).hint(site.world.launch.by_hand.clone())
}
