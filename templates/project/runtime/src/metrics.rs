//! Metrics with the names that controller-runtime uses, so that its dashboards and alerts work.

use crate::priority::Priority;
use crate::queue::Queue;
use crate::registry::{Counters, Gauges, Histograms, Labels, Times, add, add_times};
use parking_lot::Mutex;
use prometheus_client::{encoding::text, registry::Registry};
use std::{fmt, fmt::Write, fs, time::Duration};

const IN_PROGRESS: &str = "Total running time of the reconciliations in progress";
const LONGEST: &str = "Running time of the longest reconciliation in progress";
const WAITED: &str = "Time that ready objects wait until they are reconciled";
const TOOK: &str = "Duration of reconciliations";
const LATENCY: &str = "Time until the response to a request starts";
const LEADER: &str = "1 if this replica leads";
const UNLISTED: &str = "Namespaces that are not reconciled, because a kind is not listed there yet";

/// All metrics that `/metrics` serves.
pub struct Metrics {
    operator: &'static str,
    pub registry: Mutex<Registry>,
    reconciles: Counters,
    errors: Counters,
    pub panics: Counters,
    times: Histograms,
    waits: Histograms,
    works: Histograms,
    unfinished: Times,
    longest: Times,
    latencies: Histograms,
    pub active: Gauges,
    concurrency: Gauges,
    pub adds: Counters,
    pub retries: Counters,
    requests: Counters,
    depth: Gauges,
    leader: Gauges,
    unlisted: Gauges,
}

pub fn of(controller: &str) -> Labels {
    vec![("controller", controller.to_owned())]
}

pub fn queue(controller: &str) -> Labels {
    let name = controller.to_owned();
    vec![("name", name.clone()), ("controller", name)]
}

impl Metrics {
    pub fn new(operator: &'static str) -> Self {
        let mut registry = Registry::default();
        let all = &mut registry;
        let queues = all.sub_registry_with_prefix("workqueue");
        let waits = add_times(queues, "queue_duration_seconds", WAITED);
        let works = add_times(queues, "work_duration_seconds", TOOK);
        let depth = add(queues, "depth", "Objects that are ready to be reconciled");
        // The encoder adds `_total` to the name of a counter.
        let adds = add(queues, "adds", "Objects added to the queue");
        let retries = add(queues, "retries", "Failed reconciliations that are retried");
        let unfinished = add(queues, "unfinished_work_seconds", IN_PROGRESS);
        let longest = add(queues, "longest_running_processor_seconds", LONGEST);
        let own = all.sub_registry_with_prefix("controller_runtime");
        Self {
            reconciles: add(own, "reconcile", "Reconciliations"),
            errors: add(own, "reconcile_errors", "Reconciliations that failed"),
            panics: add(own, "reconcile_panics", "Reconciliations that panicked"),
            times: add_times(own, "reconcile_time_seconds", TOOK),
            active: add(own, "active_workers", "Reconciliations in progress"),
            concurrency: add(own, "max_concurrent_reconciles", "Most concurrent passes"),
            requests: add(all, "rest_client_requests", "Requests to the API server"),
            latencies: add_times(all, "rest_client_request_duration_seconds", LATENCY),
            leader: add(all, "leader_election_master_status", LEADER),
            unlisted: add(all, "controller_unlisted_namespaces", UNLISTED),
            waits,
            works,
            depth,
            adds,
            retries,
            unfinished,
            longest,
            operator,
            registry: Mutex::new(registry),
        }
    }

    pub fn controller(&self, controller: &str, concurrency: u16) {
        let at_a_time = self.concurrency.get_or_create(&of(controller));
        at_a_time.set(concurrency.into());
        // Shown from the beginning: a rate would miss the first event of a counter that appears
        // with it.
        self.errors.get_or_create(&of(controller)).inc_by(0);
        self.panics.get_or_create(&of(controller)).inc_by(0);
        self.retries.get_or_create(&queue(controller)).inc_by(0);
    }

    /// Counts a reconciliation that has ended.
    pub fn passed(&self, controller: &str, result: &str, took: Duration) {
        let mut labels = of(controller);
        self.active.get_or_create(&labels).dec();
        let (took, of_queue) = (took.as_secs_f64(), queue(controller));
        self.times.get_or_create(&labels).observe(took);
        self.works.get_or_create(&of_queue).observe(took);
        if result == "error" {
            self.errors.get_or_create(&labels).inc();
        }
        labels.push(("result", result.to_owned()));
        self.reconciles.get_or_create(&labels).inc();
    }

    /// Records how long an object has waited for its reconciliation.
    pub fn waited(&self, controller: &str, time: Duration) {
        let waits = self.waits.get_or_create(&queue(controller));
        waits.observe(time.as_secs_f64());
    }

    /// Sets the metrics of the queue: the number of ready objects for each priority (0 and -100, as
    /// in controller-runtime), and the total and the longest time of the passes in progress.
    pub fn queued(&self, controller: &str, waiting: &Queue) {
        for (priority, number) in [(Priority::High, "0"), (Priority::Low, "-100")] {
            let mut labels = queue(controller);
            labels.push(("priority", number.to_owned()));
            let depth = self.depth.get_or_create(&labels);
            depth.set(i64::try_from(waiting.depth(priority)).unwrap_or(i64::MAX));
        }
        let (labels, (all, longest)) = (queue(controller), waiting.running());
        for (times, time) in [(&self.unfinished, all), (&self.longest, longest)] {
            times.get_or_create(&labels).set(time.as_secs_f64());
        }
    }

    /// Sets the number of namespaces in which at least one watched kind has not been listed yet.
    pub fn unlisted(&self, controller: &str, namespaces: usize) {
        let unlisted = self.unlisted.get_or_create(&of(controller));
        unlisted.set(i64::try_from(namespaces).unwrap_or(i64::MAX));
    }

    pub fn requested(&self, code: String, method: String, host: String, took: Duration) {
        let mut labels = vec![("host", host), ("verb", method.clone())];
        let latencies = self.latencies.get_or_create(&labels);
        latencies.observe(took.as_secs_f64());
        labels[1] = ("method", method);
        labels.push(("code", code));
        self.requests.get_or_create(&labels).inc();
    }

    pub fn leads(&self, leads: bool) {
        let labels = vec![("name", self.operator.into())];
        self.leader.get_or_create(&labels).set(leads.into());
    }

    /// Writes all metrics in OpenMetrics' text format.
    pub fn encode(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode_registry(&mut text, &self.registry.lock())?;
        for (name, value) in process().into_iter().flatten() {
            // In OpenMetrics, the samples of a counter have a suffix that the counter lacks.
            let (family, type_) = match name.strip_suffix("_total") {
                Some(counter) => (counter, "counter"),
                None => (name, "gauge"),
            };
            writeln!(text, "# TYPE {family} {type_}\n{name} {value}")?;
        }
        text::encode_eof(&mut text).map(|()| text)
    }
}

/// Reads the metrics of this process, with the names that Prometheus clients use in every language.
/// Works only on Linux.
fn process() -> Option<[(&'static str, f64); 6]> {
    let word = |file: &str, line: &str, number| -> Option<f64> {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find(|found| found.starts_with(line))?;
        line.split_whitespace().nth(number)?.parse().ok()
    };
    // proc_pid_stat(5) numbers the fields from 1; the second field may contain blanks.
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let stat = stat.rsplit_once(')')?.1.split_whitespace();
    let stat: Vec<f64> = stat.map(|field| field.parse().unwrap_or(0.0)).collect();
    let ticks = 100.0;
    let used = (stat.get(11)? + stat.get(12)?) / ticks;
    let started = word("/proc/stat", "btime", 1)? + stat.get(19)? / ticks;
    let resident = word("/proc/self/status", "VmRSS:", 1)?;
    let files = fs::read_dir("/proc/self/fd").ok()?.count() as f64;
    let most = word("/proc/self/limits", "Max open files", 3)?;
    Some([
        ("process_cpu_seconds_total", used),
        ("process_start_time_seconds", started),
        ("process_virtual_memory_bytes", *stat.get(20)?),
        ("process_resident_memory_bytes", resident * 1024.0),
        ("process_open_fds", files),
        ("process_max_fds", most),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Key;
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn names_are_those_of_controller_runtime() {
        let metrics = Metrics::new("shop");
        metrics.controller("a", 10);
        for result in ["success", "error"] {
            metrics.active.get_or_create(&of("a")).inc();
            metrics.passed("a", result, Duration::from_millis(1));
        }
        metrics.waited("a", Duration::ZERO);
        let mut waiting = Queue::default();
        for (name, priority) in [
            ("x", Priority::High),
            ("y", Priority::Low),
            ("z", Priority::Low),
        ] {
            waiting.add(Key::new(None, name), Duration::ZERO, priority);
        }
        waiting.next().await;
        advance(Duration::from_secs(1)).await;
        waiting.next().await;
        advance(Duration::from_secs(4)).await;
        metrics.queued("a", &waiting);
        metrics.requested("200".into(), "GET".into(), "server".into(), Duration::ZERO);
        metrics.leads(true);
        metrics.unlisted("a", 1);
        let text = metrics.encode().unwrap();
        for line in [
            "controller_runtime_reconcile_total{controller=\"a\",result=\"success\"} 1",
            "controller_runtime_reconcile_total{controller=\"a\",result=\"error\"} 1",
            "controller_runtime_reconcile_errors_total{controller=\"a\"} 1",
            "controller_runtime_reconcile_time_seconds_count{controller=\"a\"} 2",
            "controller_runtime_active_workers{controller=\"a\"} 0",
            "controller_runtime_max_concurrent_reconciles{controller=\"a\"} 10",
            "workqueue_depth{name=\"a\",controller=\"a\",priority=\"0\"} 0",
            "workqueue_depth{name=\"a\",controller=\"a\",priority=\"-100\"} 1",
            "workqueue_work_duration_seconds_count{name=\"a\",controller=\"a\"} 2",
            "workqueue_unfinished_work_seconds{name=\"a\",controller=\"a\"} 9.0",
            "workqueue_longest_running_processor_seconds{name=\"a\",controller=\"a\"} 5.0",
            "workqueue_queue_duration_seconds_count{name=\"a\",controller=\"a\"} 1",
            "rest_client_requests_total{host=\"server\",method=\"GET\",code=\"200\"} 1",
            "rest_client_request_duration_seconds_count{host=\"server\",verb=\"GET\"} 1",
            "leader_election_master_status{name=\"shop\"} 1",
            "controller_unlisted_namespaces{controller=\"a\"} 1",
            "# TYPE process_cpu_seconds counter",
        ] {
            assert!(
                text.lines().any(|found| found == line),
                "{line} is not in\n{text}"
            );
        }
        assert!(
            text.contains("\nprocess_cpu_seconds_total ") && text.contains("\nprocess_open_fds ")
        );
    }
}
