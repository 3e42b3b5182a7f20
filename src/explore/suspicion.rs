//! One thing that seems to be wrong with the operator.

use super::plan::Step;
use super::rest::Heals;
use super::state::Difference;
use serde::Serialize;

/// Errors fail the command, warnings do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// It does.
    Error,
    /// It is shown.
    Warning,
}

/// The rule that an operator breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oracle {
    /// The objects are not what they are without the fault.
    State,
    /// After a deletion something is left that the reference does not leave, or the other way round.
    Leak,
    /// The operator does not come to rest.
    Restless,
    /// The operator panicked.
    Panic,
    /// The operator lacks a right that it does not need without the fault.
    Denied,
    /// The operator deleted an object that it keeps without the fault.
    Deletion,
    /// The operator undid what somebody else wrote.
    ForeignField,
    /// A restart at rest wrote something.
    RestartWrites,
    /// Children are different by the time at which a field got its value.
    Differential,
    /// The API server refuses what the operator makes of a value that the definition accepts.
    Refused,
    /// The status says that an object is ready before its children are what they are in the end.
    Dishonest,
    /// The operator makes a child again while its owner is being deleted.
    Revival,
    /// The operator writes although somebody else holds the lease.
    Lease,
}

/// One thing that is wrong with the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Suspicion {
    pub(super) oracle: Oracle,
    pub(super) severity: Severity,
    /// How it heals, for what is about objects.
    pub(super) heals: Option<Heals>,
    /// A sentence without the fault: "services/web is missing".
    pub(super) text: String,
    /// Suspicions with the same key have the same cause.
    pub(super) key: String,
    pub(super) step: Step,
    pub(super) differences: Vec<Difference>,
    /// The entry of the journal that shows it, if there is one and no fault before.
    pub(super) entry: Option<usize>,
}

/// A suspicion that is not about the objects at rest.
pub(super) fn suspicion(oracle: Oracle, severity: Severity, text: String, key: String, step: Step) -> Suspicion {
    Suspicion { oracle, severity, heals: None, text, key, step, differences: Vec::new(), entry: None }
}
