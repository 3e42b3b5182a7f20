//! Metrics under the names that controller-runtime gives them, so that its dashboards and alerts fit.
use super::NAME;
use super::process::Process;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};
use std::fmt;
use std::time::Instant;

const SECONDS: [f64; 12] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1., 2.5, 5., 10., 60.,
];

type Labels = Vec<(&'static str, String)>;
type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

pub struct Metrics {
    registry: Registry,
    reconciles: Family<Labels, Counter>,
    errors: Family<Labels, Counter>,
    panics: Family<Labels, Counter>,
    times: Histograms,
    active: Family<Labels, Gauge>,
    concurrency: Family<Labels, Gauge>,
    adds: Family<Labels, Counter>,
    retries: Family<Labels, Counter>,
    requests: Family<Labels, Counter>,
    leader: Family<Labels, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let times: Histograms = Family::new_with_constructor(|| Histogram::new(SECONDS));
        let name = "controller_runtime_reconcile_time_seconds";
        registry.register(name, "How long reconciliations take", times.clone());
        registry.register_collector(Box::new(Process));
        let all = &mut registry;
        // The encoder adds `_total` to the name of a counter.
        let reconcile = "controller_runtime_reconcile";
        Self {
            reconciles: family(all, reconcile, "Reconciliations"),
            errors: family(all, &format!("{reconcile}_errors"), "Those that failed"),
            panics: family(all, &format!("{reconcile}_panics"), "Those that panicked"),
            active: family(all, "controller_runtime_active_workers", "Those under way"),
            concurrency: family(
                all,
                "controller_runtime_max_concurrent_reconciles",
                "At a time",
            ),
            adds: family(
                all,
                "workqueue_adds",
                "Changes that ask for a reconciliation",
            ),
            retries: family(
                all,
                "workqueue_retries",
                "Reconciliations to be tried again",
            ),
            requests: family(all, "rest_client_requests", "Requests to the API server"),
            leader: family(
                all,
                "leader_election_master_status",
                "1 where the lease is held",
            ),
            times,
            registry,
        }
    }
}

fn family<M: Default + Clone>(registry: &mut Registry, name: &str, help: &str) -> Family<Labels, M>
where
    Family<Labels, M>: Metric,
{
    let family = Family::default();
    registry.register(name, help, family.clone());
    family
}

fn of(controller: &str) -> Labels {
    vec![("controller", controller.to_owned())]
}

fn queue_of(controller: &str) -> Labels {
    vec![
        ("name", controller.to_owned()),
        ("controller", controller.to_owned()),
    ]
}

impl Metrics {
    pub fn controller(&self, controller: &str, concurrency: u16) {
        let labels = of(controller);
        self.concurrency
            .get_or_create(&labels)
            .set(concurrency.into());
        // Shown before anything has happened, so that the first of them is a change.
        self.errors.get_or_create(&labels).inc_by(0);
        self.panics.get_or_create(&labels).inc_by(0);
        self.retries.get_or_create(&queue_of(controller)).inc_by(0);
    }

    pub fn triggered(&self, controller: &str) {
        self.adds.get_or_create(&queue_of(controller)).inc();
    }

    pub fn retried(&self, controller: &str) {
        self.retries.get_or_create(&queue_of(controller)).inc();
    }

    pub fn panicked(&self, controller: &str) {
        self.panics.get_or_create(&of(controller)).inc();
    }

    pub fn requested(&self, code: String, method: String, host: String) {
        let labels = vec![("code", code), ("method", method), ("host", host)];
        self.requests.get_or_create(&labels).inc();
    }

    pub fn leads(&self, leads: bool) {
        self.leader
            .get_or_create(&vec![("name", NAME.into())])
            .set(leads.into());
    }

    /// Measures a reconciliation until the timer is dropped.
    pub fn start<'a>(&'a self, controller: &'a str) -> Timer<'a> {
        self.active.get_or_create(&of(controller)).inc();
        Timer {
            metrics: self,
            controller,
            start: Instant::now(),
            result: "error",
        }
    }

    /// In OpenMetrics' text format.
    pub fn encode(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

pub struct Timer<'a> {
    metrics: &'a Metrics,
    controller: &'a str,
    start: Instant,
    result: &'static str,
}

impl Timer<'_> {
    /// Without a result, the reconciliation counts as failed.
    pub fn end(mut self, result: &'static str) {
        self.result = result;
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        let (metrics, mut labels) = (self.metrics, of(self.controller));
        metrics.active.get_or_create(&labels).dec();
        metrics
            .times
            .get_or_create(&labels)
            .observe(self.start.elapsed().as_secs_f64());
        if self.result == "error" {
            metrics.errors.get_or_create(&labels).inc();
        }
        labels.push(("result", self.result.into()));
        metrics.reconciles.get_or_create(&labels).inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_controller_runtime() {
        let metrics = Metrics::default();
        metrics.controller("a", 10);
        metrics.start("a").end("success");
        drop(metrics.start("a"));
        metrics.requested("200".into(), "GET".into(), "server".into());
        metrics.leads(true);
        let text = metrics.encode().unwrap();
        for line in [
            "controller_runtime_reconcile_total{controller=\"a\",result=\"success\"} 1",
            "controller_runtime_reconcile_total{controller=\"a\",result=\"error\"} 1",
            "controller_runtime_reconcile_errors_total{controller=\"a\"} 1",
            "controller_runtime_reconcile_time_seconds_count{controller=\"a\"} 2",
            "controller_runtime_active_workers{controller=\"a\"} 0",
            "controller_runtime_max_concurrent_reconciles{controller=\"a\"} 10",
            "rest_client_requests_total{code=\"200\",method=\"GET\",host=\"server\"} 1",
            &format!("leader_election_master_status{{name=\"{NAME}\"}} 1"),
        ] {
            assert!(
                text.lines().any(|found| found == line),
                "{line} is not in\n{text}"
            );
        }
    }
}
