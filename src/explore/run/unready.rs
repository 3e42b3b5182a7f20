//! Simulated failures of Pods, Jobs and volume claims, and the reaction of the operator.

use super::held::UnwellObservations;
use super::reference::Reference;
use super::run_environment::{GLANCE, Site};
use super::settle::{self, Rest};
use super::steps::{Manner, Outcome, healthy, outcome};
use crate::Result;
use crate::explore::plan::fault_plan::{Plan, Step};
use crate::explore::plan::workload;
use crate::explore::proxy::gate::Gate;
use crate::explore::record::journal::Event;
use crate::explore::record::wellness::{claims, is_unwell};
use crate::explore::server::shared_server::World;
use crate::trouble::{ANNOTATION, Trouble};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time for which the operator must send no requests before opctl ends a simulated failure. In any case, the
/// failure lasts for at least [`AT_LEAST`], and for at most [`AT_MOST`] or twice the step's duration in an undisturbed
/// run, whichever is longer.
const QUIET: Duration = Duration::from_millis(900);
const AT_LEAST: Duration = Duration::from_secs(3);
const AT_MOST: Duration = Duration::from_secs(8);
/// The time for an operator to notice the simulated failure of a workload that the operator does not watch.
const A_PASS: Duration = Duration::from_secs(2);
/// The delay before opctl evicts or deletes pods, so that the simulated failure of the pods' node takes effect first.
const STATE_OF_A_NODE: Duration = Duration::from_millis(300);

/// Runs the scenario with the simulated failure of a plan.
pub async fn with_trouble(
    world: &Arc<World>,
    namespace: &str,
    folder: &Path,
    plan: &Plan,
    reference: &Reference,
    manner: Manner,
) -> Result<Outcome> {
    let Manner { placebo, patience } = manner;
    let gate = Gate::new(placebo, reference.names.clone());
    let site = Site::begin(world, namespace, folder, gate, reference.resources(), Some(plan)).await?;
    let Some((resource, trouble)) = plan.workload() else { return Ok(outcome(&site, Vec::new())) };
    let at_rest = matches!(trouble, Trouble::Evicted | Trouble::NodeGone);
    let in_trouble = Case { site: &site, resource, trouble };
    let (mut rests, mut held): (Vec<Rest>, _) = (Vec::new(), None);
    for &step in plan.step.way() {
        site.begin_step(step, Some(plan));
        let begins = step == plan.step && !placebo && !at_rest;
        if step == plan.step && placebo {
            site.gate.reach("");
        }
        let mut claims = Vec::new();
        if begins {
            in_trouble.begin_failure().await?;
            // At the creation, there is nothing yet that could be unwell.
            if step != Step::Create {
                in_trouble.wait_unwell().await?;
            }
            // Ready pods that become unready are seen before the change, which may hide it: the operator has work then.
            if step == Step::Change {
                site.wait_quiet(QUIET, AT_LEAST).await?;
                claims = in_trouble.claims_after_a_pass(reference).await?;
            }
        }
        site.play(step).await?;
        if begins && !step.deletes() {
            let mut observed = in_trouble.observe_failure(step, reference).await?;
            observed.claims.append(&mut claims);
            observed.claims.dedup();
            held = Some(observed);
            in_trouble.end_failure().await?;
        }
        // A Job that has failed stays so: an operator may leave it at that.
        if !(begins && trouble == Trouble::Failed) {
            rests.push(settle::like(&site, step, reference, patience).await?);
        }
        if !healthy(&rests) {
            break;
        }
        if step == plan.step && at_rest && !placebo {
            in_trouble.begin_failure().await?;
            held = Some(in_trouble.observe_failure(step, reference).await?);
            in_trouble.end_failure().await?;
            rests.push(settle::like(&site, step, reference, patience).await?);
        }
    }
    let deleted = rests.last().is_some_and(|rest| rest.step.deletes());
    if healthy(&rests) && site.gate.has_injected_faults() && !deleted {
        site.gate.begin_step(Step::Delete, None);
        site.play(Step::Delete).await?;
        rests.push(settle::like(&site, Step::Delete, reference, patience).await?);
    }
    Ok(Outcome { held, ..outcome(&site, rests) })
}

/// A simulated failure of the objects of one resource in one run.
struct Case<'a> {
    site: &'a Site,
    resource: &'a str,
    trouble: Trouble,
}

impl Case<'_> {
    fn objects(&self, resource: &str) -> Result<String> {
        self.site.world.path(&self.site.namespace, resource)
    }

    async fn list(&self, resource: &str) -> Result<Vec<Value>> {
        let mut list = self.site.world.send("GET", &self.objects(resource)?, &Value::Null).await?;
        Ok(list["items"].as_array_mut().map(std::mem::take).unwrap_or_default())
    }

    async fn annotate(&self, value: Option<String>) -> Result<()> {
        let path = format!("/api/v1/namespaces/{}", self.site.namespace);
        self.site.world.patch(&path, &json!({"metadata": {"annotations": {ANNOTATION: value}}})).await
    }

    /// Begins the simulated failure.
    async fn begin_failure(&self) -> Result<()> {
        self.site.gate.note(Event::Fault(workload::begins(self.resource, self.trouble)));
        if self.trouble != Trouble::Evicted {
            self.annotate(Some(workload::annotation(self.resource, self.trouble))).await?;
        }
        if matches!(self.trouble, Trouble::Evicted | Trouble::NodeGone) {
            tokio::time::sleep(STATE_OF_A_NODE).await;
            self.take_pods().await?;
        }
        Ok(())
    }

    /// Evicts the affected pods, or deletes them if the failure is a lost node, as Kubernetes does after some time.
    async fn take_pods(&self) -> Result<()> {
        let path = self.objects("pods")?;
        for pod in self.list("pods").await? {
            let name = pod["metadata"]["name"].as_str().unwrap_or_default();
            let is_running = pod["status"]["phase"] == "Running";
            if !is_running || !self.is_of_resource(&pod) {
                continue;
            }
            self.site.gate.arrive();
            if self.trouble == Trouble::Evicted {
                let message = "The node was low on resource: memory.";
                let conditions = json!([{"type": "Ready", "status": "False", "reason": "PodFailed"}]);
                let status =
                    json!({"phase": "Failed", "reason": "Evicted", "message": message, "conditions": conditions});
                self.site.world.patch(&format!("{path}/{name}/status"), &json!({"status": status})).await?;
            } else {
                self.site.world.remove(&format!("{path}/{name}")).await?;
            }
        }
        Ok(())
    }

    /// Returns true if the simulated failure affects the pod.
    fn is_of_resource(&self, pod: &Value) -> bool {
        let mut owners = pod["metadata"]["ownerReferences"].as_array().into_iter().flatten();
        let controller = owners.find(|owner| owner["controller"] == true).map(|owner| &owner["kind"]);
        let annotation = workload::annotation(self.resource, self.trouble);
        let kind = annotation.split('=').next().unwrap_or_default();
        match controller {
            Some(of) if kind == "Pod" => !["ReplicaSet", "StatefulSet", "DaemonSet", "Job"].iter().any(|own| of == own),
            Some(of) => of == kind,
            None => kind == "Pod",
        }
    }

    /// Makes Jobs with crashing pods fail at once, because the back-off of Kubernetes would take minutes. Returns true
    /// if a Job is still running. An operator without activity may then be waiting for this Job, and is not at rest.
    async fn fail_jobs(&self) -> Result<bool> {
        let path = self.objects("jobs.batch")?;
        let mut runs = false;
        for job in self.list("jobs.batch").await? {
            let conditions = job["status"]["conditions"].as_array().cloned().unwrap_or_default();
            runs |=
                !conditions.iter().any(|condition| condition["type"] == "Failed" || condition["type"] == "Complete");
            let has_run = job["status"]["failed"].as_i64().unwrap_or_default() > 0
                || job["status"]["active"].as_i64().unwrap_or_default() > 0;
            if conditions.is_empty() && has_run {
                let name = job["metadata"]["name"].as_str().unwrap_or_default();
                let message = "Job has reached the specified backoff limit";
                let target = json!([{
                    "type": "FailureTarget", "status": "True", "reason": "BackoffLimitExceeded", "message": message,
                }]);
                // The Job's controller may have changed the Job meanwhile: the next look finds it.
                let patch = json!({"status": {"conditions": target}});
                let _ = self.site.world.request("PATCH", &format!("{path}/{name}/status"), &patch).await;
            }
        }
        Ok(runs)
    }

    async fn is_unwell(&self) -> Result<bool> {
        Ok(self.list(self.resource).await?.iter().any(|object| is_unwell(self.resource, object)))
    }

    /// Waits until an object of the affected resource is unhealthy, but not longer than [`AT_LEAST`].
    async fn wait_unwell(&self) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < AT_LEAST && !self.site.gate.has_injected_faults() {
            if self.is_unwell().await? {
                self.site.gate.arrive();
            }
            tokio::time::sleep(2 * GLANCE).await;
        }
        Ok(())
    }

    /// Observes the operator's requests and the status of the samples for as long as the simulated failure lasts.
    async fn observe_failure(&self, step: Step, reference: &Reference) -> Result<UnwellObservations> {
        let (begun, first) = (Instant::now(), self.site.gate.entries());
        let at_most = AT_MOST.max(reference.usual(step) / 2);
        while begun.elapsed() < at_most {
            self.site.keep_running().await?;
            let runs = self.trouble == Trouble::Failed && self.fail_jobs().await?;
            if !self.site.gate.has_injected_faults() && self.is_unwell().await? {
                self.site.gate.arrive();
            }
            let rests = self.site.gate.is_quiet_for(QUIET) && !runs;
            if begun.elapsed() >= AT_LEAST && self.site.gate.has_injected_faults() && rests {
                break;
            }
            tokio::time::sleep(3 * GLANCE).await;
        }
        let (during, lasted) = (first..self.site.gate.entries(), begun.elapsed());
        // Pods that were evicted once have well successors by now.
        if self.trouble == Trouble::Evicted || !self.site.gate.has_injected_faults() {
            return Ok(UnwellObservations { claims: Vec::new(), during, lasted });
        }
        Ok(UnwellObservations { claims: self.claims_after_a_pass(reference).await?, during, lasted })
    }

    /// Returns each sample that claims to be ready although a child is unhealthy, with the child. If the operator does
    /// not watch the affected resource, first causes an event for each sample and gives the operator time to react.
    async fn claims_after_a_pass(&self, reference: &Reference) -> Result<Vec<(String, String)>> {
        if !reference.watches(self.resource) {
            self.site.touch_samples("while not well").await?;
            tokio::time::sleep(A_PASS / 4).await;
            self.site.wait_quiet(A_PASS / 4, A_PASS).await?;
        }
        self.claims().await
    }

    async fn claims(&self) -> Result<Vec<(String, String)>> {
        let world = &self.site.world;
        let mut unwell = Vec::new();
        // A claim without a volume keeps pods from running.
        let concerns = |resource: &&str| *resource == self.resource || self.trouble == Trouble::Pending;
        for resource in workload::resources().filter(concerns) {
            let objects = self.list(resource).await?;
            let objects = objects.into_iter().filter(|object| is_unwell(resource, object));
            unwell.extend(objects.map(|object| (resource, object)));
        }
        let mut found = Vec::new();
        for sample in &world.samples {
            let name = sample.object["metadata"]["name"].as_str().unwrap_or_default();
            let object = format!("{}/{name}", world.collection_of(&sample.object)?);
            let now = world.send("GET", &self.site.path(&object)?, &Value::Null).await?;
            let is_owner = |child: &Value| {
                let mut owners = child["metadata"]["ownerReferences"].as_array().into_iter().flatten();
                owners.any(|owner| owner["uid"] == now["metadata"]["uid"])
            };
            let child = unwell.iter().find(|(_, child)| is_owner(child)).filter(|_| claims(&now));
            found.extend(child.map(|(resource, child)| {
                let name = child["metadata"]["name"].as_str().unwrap_or_default();
                (object, format!("{resource}/{name}"))
            }));
        }
        Ok(found)
    }

    /// Ends the simulated failure, and removes the evicted pods that were replaced, as the garbage collector of
    /// Kubernetes does when there are thousands of such pods.
    async fn end_failure(&self) -> Result<()> {
        let text = match self.trouble {
            Trouble::Failed => "further Jobs do not fail",
            Trouble::Evicted => "evicted pods that have successors are removed",
            Trouble::NodeGone => "the node is back",
            _ => "the affected objects recover from now on",
        };
        self.site.gate.note(Event::Fault(text.to_owned()));
        self.annotate(None).await?;
        if self.trouble == Trouble::Evicted {
            let pods = self.list("pods").await?.into_iter().filter(|pod| self.is_of_resource(pod));
            let (evicted, others): (Vec<_>, Vec<_>) = pods.partition(|pod| pod["status"]["reason"] == "Evicted");
            // Without a successor, it is for the operator to replace it.
            for pod in evicted.iter().take(others.len()) {
                let name = pod["metadata"]["name"].as_str().unwrap_or_default();
                self.site.world.remove(&format!("{}/{name}", self.objects("pods")?)).await?;
            }
        }
        Ok(())
    }
}
