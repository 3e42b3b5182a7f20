//! The steps of the scenario.

use serde::Serialize;

/// The steps of a scenario, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// The samples are created.
    Create,
    /// A field of each sample is changed.
    Change,
    /// The changed field gets its original value again.
    Back,
    /// The samples are deleted.
    Delete,
    /// The samples are created again with the same names, in the reverse order.
    Recreate,
    /// The samples are deleted with `propagationPolicy: Foreground`.
    Foreground,
}

impl Step {
    /// All steps.
    pub const ALL: [Step; 6] = [Step::Create, Step::Change, Step::Back, Step::Delete, Step::Recreate, Step::Foreground];

    /// Returns the name of the step in a plan, such as `create`.
    pub fn name(self) -> &'static str {
        match self {
            Step::Create => "create",
            Step::Change => "change",
            Step::Back => "back",
            Step::Delete => "delete",
            Step::Recreate => "recreate",
            Step::Foreground => "foreground",
        }
    }

    /// Returns the steps of a run with a fault in this step: the steps that must come before, and this step itself.
    pub fn way(self) -> &'static [Step] {
        match self {
            Step::Create => &[Step::Create],
            Step::Change => &[Step::Create, Step::Change],
            Step::Back => &[Step::Create, Step::Change, Step::Back],
            Step::Delete => &[Step::Create, Step::Delete],
            Step::Recreate => &[Step::Create, Step::Delete, Step::Recreate],
            Step::Foreground => &[Step::Create, Step::Foreground],
        }
    }

    /// Returns true if the step deletes the samples.
    pub fn deletes(self) -> bool {
        matches!(self, Step::Delete | Step::Foreground)
    }
}
