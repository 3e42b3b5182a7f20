//! Computes the simulated status of a container from its image, its previous status and the time; sends no requests.
//!
//! The states and reasons are those of the kubelet (pkg/kubelet/kuberuntime, pkg/kubelet/images).

use super::pod::{Container, ContainerState, ContainerStatus, RestartPolicy, Running, Terminated, Waiting};
use crate::trouble::Trouble;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use std::time::Duration;

/// The time that a container runs if its pod's restart policy is not `Always`, such as in the pod of a `Job`.
const WORK: Duration = Duration::from_secs(1);
/// The time after which the reason `ErrImagePull` changes to `ImagePullBackOff`.
const PULL: Duration = Duration::from_secs(2);
/// The kubelet's back-off for crashed containers: the first value, doubled at each restart, up to the second value.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(300));

/// The simulated behaviour of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The container runs and is ready.
    Runs,
    /// The container runs for a short time and ends with exit code 0.
    Completes,
    /// The image is `fail:crash`: the container ends at once with exit code 1.
    Crashes,
    /// The image is `fail:unready`: the container runs and never becomes ready.
    NeverReady,
    /// The image is any other `fail:…`, such as `fail:pull`: the image cannot be pulled.
    CannotBePulled,
}

impl Fate {
    /// Returns the fate of a container with this image: the failure for an image name that begins with `fail:`, and
    /// `otherwise` for other images.
    pub(super) fn of(image: &str, otherwise: Fate) -> Self {
        match image.strip_prefix("fail:").map(|tag| tag.split('@').next()) {
            None => otherwise,
            Some(Some("crash")) => Fate::Crashes,
            Some(Some("unready")) => Fate::NeverReady,
            Some(_) => Fate::CannotBePulled,
        }
    }
}

impl Fate {
    /// Returns the simulated behaviour of all containers in a pod with the simulated failure `trouble`. Returns `None`
    /// without a failure, or if the failure does not affect containers.
    pub(super) fn in_trouble(trouble: Option<Trouble>) -> Option<Self> {
        match trouble? {
            Trouble::Crash | Trouble::Failed => Some(Fate::Crashes),
            Trouble::Unready | Trouble::Slow => Some(Fate::NeverReady),
            Trouble::Evicted | Trouble::NodeGone | Trouble::Pending => None,
        }
    }
}

/// The facts about a pod that determine the status of its containers.
#[derive(Clone, Copy, Debug)]
pub(super) struct PodContext<'a> {
    pub(super) uid: &'a str,
    /// The pod's name and namespace, in the form that messages use.
    pub(super) name: &'a str,
    pub(super) restarts: RestartPolicy,
    /// The start time of the pod.
    pub(super) begun: &'a Time,
    pub(super) now: &'a Time,
}

/// Returns the next status of a container, and the time after which the status must be computed again; `None` if the
/// status does not change with time.
pub(super) fn next(
    container: &Container,
    before: Option<&ContainerStatus>,
    fate: Fate,
    pod: PodContext<'_>,
) -> (ContainerStatus, Option<Duration>) {
    let same = before.filter(|before| before.image == container.image);
    // A changed image starts a new run.
    let restarts = same.map_or_else(|| before.map_or(0, |before| before.restart_count + 1), |same| same.restart_count);
    let status = ContainerStatus {
        name: container.name.clone(),
        image: container.image.clone(),
        restart_count: restarts,
        last_state: same.map(|same| same.last_state.clone()).unwrap_or_default(),
        ..ContainerStatus::default()
    };
    match fate {
        Fate::Runs | Fate::NeverReady => (running(status, same, fate == Fate::Runs, pod), None),
        Fate::Completes => {
            if let Some(same) = same.filter(|same| same.state.terminated.is_some()) {
                return (same.clone(), None);
            }
            let status = running(status, same, true, pod);
            let begun = status.state.running.as_ref().map_or(pod.now, |running| &running.started_at).clone();
            match remaining_duration(&begun, WORK, pod.now) {
                Some(left) => (status, Some(left)),
                None => (ended_status(status, 0, "Completed", &begun, pod), None),
            }
        }
        Fate::Crashes if pod.restarts == RestartPolicy::Never => match same {
            Some(same) if same.state.terminated.is_some() => (same.clone(), None),
            _ => (ended_status(status, 1, "Error", pod.now, pod), None),
        },
        Fate::Crashes => crashed_status(status, same, pod),
        Fate::CannotBePulled => {
            let refused = same.is_some_and(|same| same.state.waiting.is_some());
            let left = remaining_duration(pod.begun, PULL, pod.now);
            let image = &container.image;
            let (reason, message) = if refused && left.is_none() {
                ("ImagePullBackOff", format!("Back-off pulling image \"{image}\""))
            } else {
                ("ErrImagePull", format!("failed to pull and unpack image \"{image}\": not found"))
            };
            let again = (reason == "ErrImagePull").then(|| left.unwrap_or(Duration::from_secs(1)));
            (waiting(status, reason, Some(message)), again)
        }
    }
}

/// Returns the status of a container that waits for the init containers.
pub(super) fn not_yet(container: &Container) -> ContainerStatus {
    let status =
        ContainerStatus { name: container.name.clone(), image: container.image.clone(), ..ContainerStatus::default() };
    waiting(status, "PodInitializing", None)
}

/// Returns the status of a container that has ended.
pub(super) fn ended_status(
    mut status: ContainerStatus,
    code: i32,
    reason: &str,
    started: &Time,
    pod: PodContext<'_>,
) -> ContainerStatus {
    let terminated = terminated_state(&status, code, reason, started, pod);
    (status.ready, status.started) = (false, Some(false));
    status.container_id.clone_from(&terminated.container_id);
    status.image_id.clone_from(&status.image);
    status.state = ContainerState { terminated: Some(terminated), ..ContainerState::default() };
    status
}

fn terminated_state(
    status: &ContainerStatus,
    code: i32,
    reason: &str,
    started: &Time,
    pod: PodContext<'_>,
) -> Terminated {
    Terminated {
        exit_code: code,
        reason: reason.to_owned(),
        started_at: started.clone(),
        finished_at: pod.now.clone(),
        container_id: Some(container_id(status, pod)),
    }
}

fn running(
    mut status: ContainerStatus,
    same: Option<&ContainerStatus>,
    ready: bool,
    pod: PodContext<'_>,
) -> ContainerStatus {
    let before = same.and_then(|same| same.state.running.clone());
    let running = before.unwrap_or_else(|| Running { started_at: pod.now.clone() });
    status.state = ContainerState { running: Some(running), ..ContainerState::default() };
    (status.ready, status.started, status.container_id) = (ready, Some(true), Some(container_id(&status, pod)));
    status.image_id.clone_from(&status.image);
    status
}

fn waiting(mut status: ContainerStatus, reason: &str, message: Option<String>) -> ContainerStatus {
    let waiting = Waiting { reason: reason.to_owned(), message };
    status.state = ContainerState { waiting: Some(waiting), ..ContainerState::default() };
    status.started = Some(false);
    status
}

/// Returns the status of a crashed container between two runs. Each run ends at once; the pauses between runs are
/// [`BACK_OFF`].
fn crashed_status(
    mut status: ContainerStatus,
    same: Option<&ContainerStatus>,
    pod: PodContext<'_>,
) -> (ContainerStatus, Option<Duration>) {
    let last = same.and_then(|same| same.last_state.terminated.clone());
    let pause = |restarts: i32| {
        let doubled = u32::try_from(restarts - 1).ok().and_then(|times| 2_u32.checked_pow(times));
        doubled.map_or(BACK_OFF.1, |factor| BACK_OFF.0.saturating_mul(factor)).min(BACK_OFF.1)
    };
    let kept = last
        .and_then(|last| Some((remaining_duration(&last.finished_at, pause(status.restart_count), pod.now)?, last)));
    let (again, last) = kept.unwrap_or_else(|| {
        status.restart_count += 1;
        (pause(status.restart_count), terminated_state(&status, 1, "Error", pod.now, pod))
    });
    let seconds = pause(status.restart_count).as_secs();
    let message =
        format!("back-off {seconds}s restarting failed container={} pod={}({})", status.name, pod.name, pod.uid);
    status.container_id.clone_from(&last.container_id);
    status.image_id.clone_from(&status.image);
    status.last_state = ContainerState { terminated: Some(last), ..ContainerState::default() };
    (waiting(status, "CrashLoopBackOff", Some(message)), Some(again))
}

fn container_id(status: &ContainerStatus, pod: PodContext<'_>) -> String {
    format!("simulated://{}/{}/{}", pod.uid, status.name, status.restart_count)
}

/// Returns the remaining part of the duration `whole` that began at `begun`; `None` if no time remains.
fn remaining_duration(begun: &Time, whole: Duration, now: &Time) -> Option<Duration> {
    let passed = Duration::try_from(now.0.duration_since(begun.0)).unwrap_or_default();
    whole.checked_sub(passed).filter(|left| !left.is_zero())
}
