//! Troubles of simulated pods, Jobs and claims. An annotation of a namespace brings them about: `opctl explore` writes it,
//! and the simulated node reads it.

use std::fmt;
use std::str::FromStr;

/// The annotation of a namespace that causes a trouble. Its value is the kind of the pods' controller and the trouble,
/// such as `ReplicaSet=crash`; `Pod` stands for pods without a controller of Kubernetes.
pub(crate) const ANNOTATION: &str = "simulated.opctl.dev/trouble";

/// The kind that stands for claims in the annotation's value.
pub(crate) const CLAIM: &str = "PersistentVolumeClaim";

/// A simulated failure of pods, Jobs or claims.
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
    /// A claim stays unbound, without a volume.
    Pending,
}

impl Trouble {
    /// All troubles.
    pub(crate) const ALL: [Trouble; 7] = [
        Trouble::Crash,
        Trouble::Unready,
        Trouble::Slow,
        Trouble::Failed,
        Trouble::Evicted,
        Trouble::NodeGone,
        Trouble::Pending,
    ];

    /// Returns the name of the trouble in plans and in the annotation's value.
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

/// Parses the annotation's value, which consists of a kind and a trouble.
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
