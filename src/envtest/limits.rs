//! Time limits of a control plane, read from controller-runtime's environment variables.

use super::places::variable;
use crate::error::hint;
use crate::{Error, Result};
use std::time::Duration;

/// The time limits for the servers of a control plane to start and to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// The time limit for each server to answer after its start. Only slow machines reach the limit, because opctl
    /// notices at once if a server exits.
    pub(super) start: Duration,
    /// The time limit for a server to end before it is killed. Its default is short, because a throw-away control plane
    /// has nothing to save.
    pub(super) stop: Duration,
}

impl Limits {
    /// Reads the limits from `KUBEBUILDER_CONTROLPLANE_START_TIMEOUT` and `KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT`.
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
    crate::duration::parse(&value).ok_or_else(|| {
        Error::environment(format!("`{name}` is set to `{value}`, not a duration"))
            .caused_by("a duration consists of numbers with units, such as `90s` or `1m30s`")
            .hint(hint!("export {name}=90s", name))
    })
}
