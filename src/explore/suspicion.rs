//! A suspicion: a possible bug of the operator.

use super::plan::Step;
use super::rest::Recovery;
use super::state::Difference;
use serde::Serialize;

/// The severity of a suspicion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// A suspicion that makes the command fail.
    Error,
    /// A suspicion that is only shown.
    Warning,
}

/// The oracle that raised a suspicion: the rule that the operator breaks. The most telling oracle comes first: an
/// action of the operator tells more than its consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oracle {
    /// The operator panicked.
    Panic,
    /// The operator lacks the right to send a request, either without a fault or only with the fault.
    Denied,
    /// The operator deleted an object that it keeps without the fault.
    Deletion,
    /// The operator writes although another client holds the lease.
    Lease,
    /// The operator removed a field that another client wrote.
    ForeignField,
    /// The operator changes a value that it makes only once, such as a password, although the user changed nothing.
    Rotated,
    /// The operator creates a child again while its owner is being deleted.
    Revival,
    /// The status says that an object is ready before its children have their final state.
    Dishonest,
    /// A restart of the operator at rest led to a write.
    RestartWrites,
    /// The children of an object depend on whether the object had a value from the start or got the value later.
    Differential,
    /// The objects that are left after a deletion differ from the objects in a run without the fault.
    Leak,
    /// The objects differ from the objects in a run without the fault.
    State,
    /// The operator does not come to rest.
    Restless,
    /// The API server refuses the children that the operator makes from a value that the CRD accepts.
    Refused,
    /// A sample is ready only if the samples were created in a certain order.
    Order,
    /// The operator waits for a response without a time limit.
    Waits,
    /// A sample never becomes ready, even without a fault.
    NotReady,
    /// An upgrade, or the return to the old version, breaks objects that the other version has made.
    Upgrade,
}

/// A possible bug of the operator, found in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Suspicion {
    pub(super) oracle: Oracle,
    pub(super) severity: Severity,
    /// The event after which the objects are the same as in the reference, for a suspicion about objects.
    pub(super) heals: Option<Recovery>,
    /// The bug as a sentence that does not mention the fault, such as "services/web is missing".
    pub(super) text: String,
    /// The key of the cause: suspicions with the same key have the same cause.
    pub(super) key: String,
    pub(super) step: Step,
    pub(super) differences: Vec<Difference>,
    /// The index of the journal entry that shows the suspicion, if a single entry shows it.
    pub(super) entry: Option<usize>,
}

/// Creates a suspicion that does not concern the objects at rest.
pub(super) fn suspicion(oracle: Oracle, severity: Severity, text: String, key: String, step: Step) -> Suspicion {
    Suspicion { oracle, severity, heals: None, text, key, step, differences: Vec::new(), entry: None }
}
