//! Defines the results of an `opctl bench` measurement, such as the operator's memory, CPU time and requests.

use super::progress::Progress;
use serde::Serialize;
use std::collections::BTreeMap;

/// The measurement of the operator without objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Idle {
    /// The maximum resident memory, in bytes.
    pub peak_bytes: u64,
    /// The resident memory at rest, in bytes.
    pub steady_bytes: u64,
    /// The CPU usage of the operator at rest, in thousandths of a core.
    pub steady_millicores: f64,
}

/// The measurement of the operator with a number of objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// The number of objects.
    pub objects: u32,
    /// The maximum resident memory of the first start and of the restart, in bytes.
    pub peak_bytes: u64,
    /// The resident memory at rest, in bytes.
    pub steady_bytes: u64,
    /// The user and system CPU time until the operator was done with the last object, in seconds.
    pub cpu_seconds: f64,
    /// The time from the operator's first request until the operator was done with the last object, in seconds.
    pub seconds: f64,
    /// The median of the times of the operator's last write to each measured object, in seconds since the operator's
    /// first request; `None` without such writes.
    pub median_seconds: Option<f64>,
    /// The 99th percentile of the times of the operator's last write to each measured object, in seconds since the
    /// operator's first request; `None` without such writes.
    pub p99_seconds: Option<f64>,
    /// The number of requests by verb until the operator was done with the last object, without the requests for
    /// leases.
    pub requests: BTreeMap<&'static str, u64>,
    /// The number of `requests` that the API server refused.
    pub refused: u64,
    /// The size of the bodies of the API server's responses, in bytes.
    pub received_bytes: u64,
    /// The size of the bodies of the operator's requests, in bytes.
    pub sent_bytes: u64,
    /// The number of objects by status.
    pub progress: Progress,
    /// The CPU usage of the operator at rest, in thousandths of a core.
    pub steady_millicores: f64,
    /// The number of requests per minute of the operator at rest, without the requests for leases.
    pub steady_requests_per_minute: f64,
    /// The measurement of the restart of the operator with the same objects.
    pub restart: Restart,
}

/// The measurement of a restart of the operator with the same objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restart {
    /// The maximum resident memory, in bytes.
    pub peak_bytes: u64,
    /// The CPU time until the operator came to rest, in seconds.
    pub cpu_seconds: f64,
    /// The number of requests by verb.
    pub requests: BTreeMap<&'static str, u64>,
}

impl Measured {
    /// Returns the number of objects without a status or, with `needs_ready`, the number of objects that are not ready.
    pub fn unfinished_objects(&self, needs_ready: bool) -> u32 {
        self.progress.unfinished_objects(needs_ready)
    }

    /// Returns `number` divided by the number of objects.
    pub(super) fn per_object(&self, number: u64) -> f64 {
        as_f64(number) / f64::from(self.objects.max(1))
    }

    /// Returns the number of requests that write, such as `create` and `patch`.
    pub(super) fn writes(requests: &BTreeMap<&'static str, u64>) -> u64 {
        requests
            .iter()
            .filter(|(verb, _)| !["get", "list", "watch", "other"].contains(verb))
            .map(|(_, number)| number)
            .sum()
    }
}

/// Returns the percentile `share` (0 to 1) of the sorted values, or `None` if there are no values.
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

/// Converts a number of bytes or requests to `f64` for a calculation.
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
