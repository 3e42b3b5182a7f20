//! The options and the result of a setup.

use super::extent::Extent;
use super::kubernetes_version::Selector;
use super::origin::Origin;
use super::store::Entry;

/// Options of `opctl envtest setup`.
#[derive(Clone, Debug, Default)]
pub struct SetupOptions {
    /// The version of Kubernetes; by default, any patch version of the minor version that opctl uses (`PINNED`).
    pub selector: Selector,
    /// The programs to set up.
    pub extent: Extent,
    /// The source of missing programs. If `None`, the mirror in `OPCTL_ENVTEST_MIRROR` or, if this environment variable
    /// is not set, the published downloads.
    pub origin: Option<Origin>,
    /// True to build the programs from the published Go modules instead of downloading programs.
    pub from_source: bool,
    /// True to allow http to machines other than this one.
    pub plain_http: bool,
    /// True to report the steps of the setup without performing them.
    pub dry_run: bool,
}

/// The result of a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The version was already installed, and no program was added.
    Present(Entry),
    /// The version was downloaded or built, or missing programs were added.
    Installed(Entry),
    /// A dry run, with a sentence that describes the steps of a setup.
    Planned(String),
}
