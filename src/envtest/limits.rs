//! Time limits of a control plane, by controller-runtime's environment variables.

use super::places::variable;
use crate::{Error, Result};
use std::time::Duration;

/// The time that a control plane may take to start and to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// For each server to answer. A server that ends is noticed at once, so this is for slow machines.
    pub(super) start: Duration,
    /// For a server to end by itself before it is killed: nothing of a throw-away plane is worth waiting for.
    pub(super) stop: Duration,
}

impl Limits {
    /// Reads `KUBEBUILDER_CONTROLPLANE_START_TIMEOUT` and `KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT`.
    pub(super) fn of_this_process() -> Result<Self> {
        Ok(Limits {
            start: read("KUBEBUILDER_CONTROLPLANE_START_TIMEOUT", Duration::from_secs(60))?,
            stop: read("KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT", Duration::from_secs(1))?,
        })
    }
}

/// Returns true if `KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT` asks for the servers' output on stderr.
pub(super) fn output_is_wanted() -> bool {
    variable("KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT")
        .is_some_and(|value| ["1", "t", "true"].contains(&value.to_string_lossy().to_lowercase().as_str()))
}

fn read(name: &str, default: Duration) -> Result<Duration> {
    let Some(value) = variable(name) else { return Ok(default) };
    let value = value.to_string_lossy();
    parse(&value).ok_or_else(|| {
        Error::environment(format!("`{name}` is not a duration: `{value}`"))
            .caused_by("a duration is numbers with units, such as `90s` or `1m30s`")
            .hint(format!("export {name}=90s"))
    })
}

/// Parses a duration as Go writes it: numbers with units, such as `1m30s` or `1.5h`, or `0`.
fn parse(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let unit = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let number: f64 = rest[..unit].parse().ok()?;
        rest = &rest[unit..];
        let end = rest.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(rest.len());
        let factor = match &rest[..end] {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" | "μs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        seconds += number * factor;
        rest = &rest[end..];
    }
    if text.is_empty() { None } else { Duration::try_from_secs_f64(seconds).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        for (text, milliseconds) in [("20s", 20_000), ("1m30s", 90_000), ("1.5s", 1500), ("250ms", 250), ("0", 0)] {
            assert_eq!(parse(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "20", "s", "1x", "-1s", "1m30"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
