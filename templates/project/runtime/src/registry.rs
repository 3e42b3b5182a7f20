//! Types of metrics, and functions that register metrics.

use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge};
use prometheus_client::{metrics::histogram::Histogram, registry::Metric, registry::Registry};
use std::sync::atomic::AtomicU64;

const SECONDS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1., 5., 60.];

pub type Labels = Vec<(&'static str, String)>;
pub type Counters = Family<Labels, Counter>;
pub type Gauges = Family<Labels, Gauge>;
pub type Times = Family<Labels, Gauge<f64, AtomicU64>>;
pub type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

pub fn add<M: Clone + Default + Metric>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

pub fn add_times(registry: &mut Registry, name: &str, help: &str) -> Histograms {
    let times: Histograms = Family::new_with_constructor(|| Histogram::new(SECONDS));
    registry.register(name, help, times.clone());
    times
}
