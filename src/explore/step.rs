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
    /// The field gets its value back.
    Back,
    /// The samples are deleted.
    Delete,
    /// The samples are created again, under the same names, the last one first.
    Recreate,
    /// The samples are deleted with `propagationPolicy: Foreground`.
    Foreground,
}

impl Step {
    /// All steps.
    pub const ALL: [Step; 6] = [Step::Create, Step::Change, Step::Back, Step::Delete, Step::Recreate, Step::Foreground];

    /// Returns the name in a plan.
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

    /// Returns the steps of a run whose fault comes in this step: those that this step needs, and itself.
    pub(super) fn way(self) -> &'static [Step] {
        match self {
            Step::Create => &[Step::Create],
            Step::Change => &[Step::Create, Step::Change],
            Step::Back => &[Step::Create, Step::Change, Step::Back],
            Step::Delete => &[Step::Create, Step::Delete],
            Step::Recreate => &[Step::Create, Step::Delete, Step::Recreate],
            Step::Foreground => &[Step::Create, Step::Foreground],
        }
    }

    /// Returns true if the samples are gone after the step.
    pub fn deletes(self) -> bool {
        matches!(self, Step::Delete | Step::Foreground)
    }
}
