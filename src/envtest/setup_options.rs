//! The options and the result of a setup.

use super::extent::Extent;
use super::origin::Origin;
use super::store::Entry;
use super::version::Selector;

/// Options of `opctl envtest setup`.
#[derive(Clone, Debug, Default)]
pub struct SetupOptions {
    /// The version; by default any patch version of the pinned one.
    pub selector: Selector,
    /// The programs that are needed.
    pub extent: Extent,
    /// The place that missing programs come from; by default a mirror that the environment names, or what is published.
    pub origin: Option<Origin>,
    /// Build the published Go modules, and download nothing.
    pub from_source: bool,
    /// Allow http to other machines than this one.
    pub plain_http: bool,
    /// Report what would be done, and do nothing.
    pub dry_run: bool,
}

/// The result of a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The version was installed already.
    Present(Entry),
    /// The version was downloaded or built, or completed.
    Installed(Entry),
    /// A dry run; with a sentence that says what a setup would do.
    Planned(String),
}
