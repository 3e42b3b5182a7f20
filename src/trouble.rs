//! Simulated failures of pods, Jobs and persistent volume claims. `opctl explore` requests a failure with an
//! annotation of the namespace, and the simulated node reads the annotation.

use std::fmt;
use std::str::FromStr;

/// The annotation of a namespace that requests a simulated failure. The annotation's value, such as `ReplicaSet=crash`,
/// consists of a kind and a failure. For a failure of pods, the kind is the kind of the pods' controller, or `Pod` for
/// pods without a built-in controller.
pub(crate) const ANNOTATION: &str = "simulated.opctl.dev/trouble";

/// The kind that selects persistent volume claims in the value of [`ANNOTATION`].
pub(crate) const CLAIM: &str = "PersistentVolumeClaim";

/// A simulated failure of pods, Jobs or persistent volume claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Trouble {
    /// The containers exit immediately with exit code 1, again and again.
    Crash,
    /// The containers run, but never become ready.
    Unready,
    /// The containers of a Job run, but never finish.
    Slow,
    /// A Job fails permanently.
    Failed,
    /// The kubelet evicts the existing pods because of a lack of memory or disk space.
    Evicted,
    /// The node does not respond: its pods are not ready, and deleted pods stay in the API server.
    NodeGone,
    /// A `PersistentVolumeClaim` stays unbound, without a volume.
    Pending,
}

impl Trouble {
    /// All failures of workloads that opctl simulates.
    pub(crate) const ALL: [Trouble; 7] = [
        Trouble::Crash,
        Trouble::Unready,
        Trouble::Slow,
        Trouble::Failed,
        Trouble::Evicted,
        Trouble::NodeGone,
        Trouble::Pending,
    ];

    /// Returns the name of the simulated failure in fault plans and in the value of [`ANNOTATION`].
    pub(crate) fn name(self) -> &'static str {
        match self {
            Trouble::Crash => "crash",
            Trouble::Unready => "unready",
            Trouble::Slow => "slow",
            Trouble::Failed => "failed",
            Trouble::Evicted => "evicted",
            Trouble::NodeGone => "node-gone",
            Trouble::Pending => "pending",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Trouble {
    type Err = ();

    fn from_str(text: &str) -> Result<Trouble, ()> {
        Trouble::ALL.into_iter().find(|trouble| trouble.name() == text).ok_or(())
    }
}

/// Parses the value of [`ANNOTATION`], such as `ReplicaSet=crash`, into a kind and a simulated failure.
pub(crate) fn read(value: &str) -> Option<(String, Trouble)> {
    let (kind, trouble) = value.split_once('=')?;
    Some((kind.to_owned(), trouble.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_annotation_is_read_as_it_is_written() {
        for trouble in Trouble::ALL {
            assert_eq!(read(&format!("Job={trouble}")), Some(("Job".to_owned(), trouble)));
        }
        assert_eq!(read("Job"), None);
        assert_eq!(read("Job=flu"), None);
    }
}
