//! The numbers of one measurement.

use super::progress::Progress;
use serde::Serialize;
use std::collections::BTreeMap;

/// The operator without any object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Idle {
    /// The most resident memory, in bytes.
    pub peak_bytes: u64,
    /// The resident memory at rest, in bytes.
    pub steady_bytes: u64,
    /// The processor time per second at rest, in thousandths of a core.
    pub steady_millicores: f64,
}

/// The operator with a number of objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// The number of objects.
    pub objects: u32,
    /// The most resident memory, in bytes: of the first start or of the restart.
    pub peak_bytes: u64,
    /// The resident memory at rest, in bytes.
    pub steady_bytes: u64,
    /// The processor time until the last object was done, in seconds, of user and system.
    pub cpu_seconds: f64,
    /// The time from the operator's first request until the last object was done, in seconds.
    pub seconds: f64,
    /// The time until half of the objects were done, in seconds; none if the operator writes to no object.
    pub median_seconds: Option<f64>,
    /// The time until 99 of 100 objects were done, in seconds.
    pub p99_seconds: Option<f64>,
    /// The requests until then by verb, without those for leases.
    pub requests: BTreeMap<&'static str, u64>,
    /// The requests among them that the API server refused.
    pub refused: u64,
    /// The bytes in the bodies of the API server's answers.
    pub received_bytes: u64,
    /// The bytes in the bodies of the operator's requests.
    pub sent_bytes: u64,
    /// The objects by their status.
    pub progress: Progress,
    /// The processor time per second at rest, in thousandths of a core.
    pub steady_millicores: f64,
    /// The requests per minute at rest, without those for leases.
    pub steady_requests_per_minute: f64,
    /// The second start of the operator, over objects that are done.
    pub restart: Restart,
}

/// A start of the operator over objects that are done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restart {
    /// The most resident memory, in bytes.
    pub peak_bytes: u64,
    /// The processor time until it was at rest, in seconds.
    pub cpu_seconds: f64,
    /// The requests by verb.
    pub requests: BTreeMap<&'static str, u64>,
}

impl Measured {
    /// Returns the number of objects with which the operator was not done.
    pub fn left(&self, needs_ready: bool) -> u32 {
        self.progress.left(needs_ready)
    }

    /// Returns a number per object.
    pub(super) fn per_object(&self, number: u64) -> f64 {
        as_f64(number) / f64::from(self.objects.max(1))
    }

    /// Returns the requests that change something.
    pub(super) fn writes(requests: &BTreeMap<&'static str, u64>) -> u64 {
        requests
            .iter()
            .filter(|(verb, _)| !["get", "list", "watch", "other"].contains(verb))
            .map(|(_, number)| number)
            .sum()
    }
}

/// Returns the value below which `share` of the sorted values are.
pub(super) fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the product is between 0 and the length"
    )]
    let place = (share * as_f64(sorted.len() as u64)).ceil() as usize;
    sorted.get(place.saturating_sub(1).min(last)).copied()
}

/// Returns a number of bytes or requests for a calculation.
#[expect(clippy::cast_precision_loss, reason = "53 bits are enough for 8 pebibytes")]
pub(super) fn as_f64(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        for (values, share, expected) in [
            (&values[..], 0.5, Some(100.0)),
            (&values, 0.99, Some(198.0)),
            (&values, 1.0, Some(200.0)),
            (&values[..1], 0.5, Some(1.0)),
            (&values[..3], 0.0, Some(1.0)),
            (&[], 0.5, None),
        ] {
            assert_eq!(percentile(values, share), expected, "{share}");
        }
    }

    #[test]
    fn reads_are_no_writes() {
        let requests = BTreeMap::from([("list", 4), ("watch", 3), ("patch", 20), ("create", 1), ("other", 2)]);
        assert_eq!(Measured::writes(&requests), 21);
        assert!((Measured { objects: 10, ..Measured::default() }.per_object(21) - 2.1).abs() < 1e-9);
    }
}
