//! Metrics of webhooks, with the names that controller-runtime uses.

use super::certificate;
use crate::registry::{Counters, Gauges, Histograms, Labels, add, add_times};
use axum::http::StatusCode;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct Metrics {
    requests: Counters,
    panics: Counters,
    latencies: Histograms,
    in_flight: Gauges,
    expires: Gauges,
}

fn of(webhook: &str) -> Labels {
    vec![("webhook", webhook.to_owned())]
}

impl Metrics {
    pub(crate) fn new(all: &mut Registry) -> Self {
        let name = "webhook_certificate_expiration_timestamp_seconds";
        let expires = add(all, name, "Expiry of the served certificate");
        let own = all.sub_registry_with_prefix("controller_runtime_webhook");
        Self {
            requests: add(own, "requests", "Requests from the API server"),
            panics: add(own, "panics", "Requests for which a function panicked"),
            in_flight: add(own, "requests_in_flight", "Requests in progress"),
            latencies: add_times(own, "latency_seconds", "Duration of requests"),
            expires,
        }
    }

    /// Creates the counters of the webhook with the value 0. If a counter appeared only with its
    /// first event, at the value 1, the PromQL function `rate` would miss this event.
    pub(crate) fn show(&self, webhook: &str) {
        self.panics.get_or_create(&of(webhook)).inc_by(0);
        self.in_flight.get_or_create(&of(webhook)).inc_by(0);
        for code in [StatusCode::OK, StatusCode::INTERNAL_SERVER_ERROR] {
            self.requests.get_or_create(&with(webhook, code)).inc_by(0);
        }
    }

    /// Counts a request as in flight until the returned guard is dropped.
    pub(crate) fn under_way(&self, webhook: &str) -> UnderWay {
        let gauge = self.in_flight.get_or_create_owned(&of(webhook));
        gauge.inc();
        UnderWay(gauge)
    }

    pub(crate) fn panicked(&self, webhook: &str) {
        self.panics.get_or_create(&of(webhook)).inc();
    }

    pub(crate) fn answered(&self, webhook: &str, code: StatusCode, took: Duration) {
        self.requests.get_or_create(&with(webhook, code)).inc();
        let latencies = self.latencies.get_or_create(&of(webhook));
        latencies.observe(took.as_secs_f64());
    }

    /// Sets the metric for the time at which the first certificate of `chain` expires.
    pub(crate) fn serves(&self, chain: &[u8]) {
        let chain = certificate::parse(chain);
        let end = chain.first().and_then(certificate::expires);
        if let Some(end) = end.and_then(|end| i64::try_from(end).ok()) {
            self.expires.get_or_create(&Labels::new()).set(end);
        }
    }
}

fn with(webhook: &str, code: StatusCode) -> Labels {
    let mut labels = of(webhook);
    labels.push(("code", code.as_str().to_owned()));
    labels
}

pub(crate) struct UnderWay(Gauge);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::encoding::text::encode;

    #[test]
    fn names_are_those_of_controller_runtime() {
        let mut registry = Registry::default();
        let metrics = Metrics::new(&mut registry);
        metrics.show("/a");
        let under_way = metrics.under_way("/a");
        drop(metrics.under_way("/a"));
        metrics.answered("/a", StatusCode::OK, Duration::from_millis(1));
        metrics.panicked("/a");
        let own = rcgen::generate_simple_self_signed(["a".into()]).unwrap();
        metrics.serves(own.cert.pem().as_bytes());
        metrics.serves(b"rubbish");
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        for line in [
            "controller_runtime_webhook_requests_total{webhook=\"/a\",code=\"200\"} 1",
            "controller_runtime_webhook_requests_total{webhook=\"/a\",code=\"500\"} 0",
            "controller_runtime_webhook_panics_total{webhook=\"/a\"} 1",
            "controller_runtime_webhook_requests_in_flight{webhook=\"/a\"} 1",
            "controller_runtime_webhook_latency_seconds_count{webhook=\"/a\"} 1",
            // The end of the year 4095, which is rcgen's default.
            "webhook_certificate_expiration_timestamp_seconds{} 67090118400",
        ] {
            assert!(
                text.lines().any(|found| found == line),
                "{line} is not in\n{text}"
            );
        }
        drop(under_way);
    }
}
