//! The `resources:` of the operator's container: the forecast with headroom, as Kubernetes quantities.

use super::forecast::Forecast;
use super::measured::{Idle, Measured};
use serde::Serialize;

/// The percentage that is added to the memory at rest for the memory request.
pub(super) const REQUEST_HEADROOM: u64 = 20;
/// The percentage that is added to the peak memory for the memory limit. An operator that reaches the limit is killed.
pub(super) const LIMIT_HEADROOM: u64 = 50;
/// The minimum CPU request, in thousandths of a core.
const LEAST_MILLICORES: u64 = 10;
/// The largest difference in CPU usage, in thousandths of a core, that counts as measurement noise. There is noise
/// because the operator renews its lease even without objects, and because the kernel counts CPU time in hundredths
/// of a second.
const CHANCE: f64 = 5.0;
const MEBIBYTE: u64 = 1 << 20;

/// The resource requests and limits of the operator's container. There is no CPU limit, because a CPU limit only slows
/// down the first pass over all objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resources {
    requests: Requests,
    limits: Limits,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Requests {
    cpu: String,
    memory: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Limits {
    memory: String,
}

impl Resources {
    /// Returns the CPU and memory requests and the memory limit for a forecast. The CPU request is computed from the
    /// CPU usage at rest in `largest`, the measurement with the most objects. The difference between this usage and the
    /// usage without objects (`idle`) is caused by the objects, so the difference is scaled up to the forecast's number
    /// of objects.
    pub fn of(forecast: &Forecast, idle: Idle, largest: &Measured) -> Resources {
        let caused = largest.steady_millicores - idle.steady_millicores;
        let growth = f64::from(forecast.objects) / f64::from(largest.objects.max(1));
        let growth = if caused > CHANCE { growth.max(1.0) } else { 1.0 };
        let millicores = largest.steady_millicores + caused.max(0.0) * (growth - 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is positive and small")]
        let millicores = (millicores.max(0.0).ceil() as u64).max(LEAST_MILLICORES);
        Resources {
            requests: Requests {
                cpu: format!("{}m", millicores.next_multiple_of(5)),
                memory: mebibytes(forecast.steady_bytes, REQUEST_HEADROOM),
            },
            limits: Limits { memory: mebibytes(forecast.peak_bytes, LIMIT_HEADROOM) },
        }
    }

    /// Returns the YAML lines of the container's `resources`, with the indentation of a Deployment.
    pub fn yaml(&self) -> String {
        let Resources { requests, limits } = self;
        let lines = [
            "resources:".to_owned(),
            "  requests:".to_owned(),
            format!("    cpu: {}", requests.cpu),
            format!("    memory: {}", requests.memory),
            "  limits:".to_owned(),
            format!("    memory: {}", limits.memory),
        ];
        lines.map(|line| format!("        {line}")).join("\n")
    }
}

/// Adds `headroom` percent to a number of bytes, and returns the quantity as a multiple of 8 mebibytes.
fn mebibytes(bytes: u64, headroom: u64) -> String {
    let wanted = bytes.saturating_mul(100 + headroom) / 100;
    format!("{}Mi", wanted.div_ceil(MEBIBYTE).max(1).next_multiple_of(8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn resources(steady: u64, peak: u64, millicores: f64) -> Resources {
        let forecast = Forecast {
            objects: 20_000,
            peak_bytes: peak,
            steady_bytes: steady,
            bytes_per_object: 0,
            seconds: 0.0,
            through_idle: false,
        };
        let largest = Measured { objects: 5000, steady_millicores: millicores, ..Measured::default() };
        Resources::of(&forecast, Idle { steady_millicores: 1.0, ..Idle::default() }, &largest)
    }

    #[test]
    fn the_lines_are_yaml_with_headroom() {
        let resources = resources(50 * MEBIBYTE, 80 * MEBIBYTE, 21.0);
        let read: Value = serde_yaml::from_str(&resources.yaml()).unwrap();
        let expected = json!({"requests": {"cpu": "85m", "memory": "64Mi"}, "limits": {"memory": "120Mi"}});
        assert_eq!(read, json!({ "resources": expected }));
        assert_eq!(serde_json::to_value(&resources).unwrap(), expected);
        assert!(resources.yaml().lines().all(|line| line.starts_with("        ")));
    }

    #[test]
    fn quantities_are_never_nothing() {
        let least = resources(0, 0, 0.0);
        assert_eq!(least.requests, Requests { cpu: "10m".to_owned(), memory: "8Mi".to_owned() });
        assert_eq!(least.limits.memory, "8Mi");
        assert_eq!(resources(0, 0, 4.1).requests.cpu, "10m", "it is by chance");
        assert_eq!(mebibytes(u64::MAX, 50), "175921860448Mi", "it does not overflow");
    }
}
