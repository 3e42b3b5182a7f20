//! Troubles of simulated pods, Jobs and claims. An annotation of a namespace brings them about: `opctl explore` writes it,
//! and the simulated node reads it.

use std::fmt;
use std::str::FromStr;

/// The annotation of a namespace: the kind of the pods' controller and the trouble, such as `ReplicaSet=crash`. `Pod`
/// stands for pods without one of the controllers of Kubernetes.
pub(crate) const ANNOTATION: &str = "simulated.opctl.dev/trouble";

/// The kind in the annotation for claims.
pub(crate) const CLAIM: &str = "PersistentVolumeClaim";

/// The reasons why a pod, a Job or a claim is not well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Trouble {
    /// The containers end at once with exit code 1, again and again.
    Crash,
    /// The containers run, and are never ready.
    Unready,
    /// The containers of a Job run, and do not end.
    Slow,
    /// A Job fails for good.
    Failed,
    /// The kubelet ends the pods that there are, for lack of memory or space.
    Evicted,
    /// The node does not answer: its pods are not ready, and those that are deleted stay.
    NodeGone,
    /// A claim gets no volume.
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

    /// Returns the name in plans and in the annotation.
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

/// Reads the value of the annotation: a kind, and its trouble.
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
