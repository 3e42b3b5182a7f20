//! A suspicion: a possible bug of the operator.

use crate::explore::plan::fault_plan::Step;
use crate::explore::record::state::Difference;
use crate::explore::run::settle::Recovery;
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

/// The oracle that raised a suspicion, which identifies the rule that the operator breaks. The oracles are in order
/// of significance: an action of the operator is more significant than its consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oracle {
    /// The operator panicked: its log shows a panic of Rust.
    Panic,
    /// The API server denied a request, because the operator lacks the permission to send it. In a run with a fault, a
    /// request counts only if the same request is not also denied in the runs without the fault.
    Denied,
    /// The operator deleted an object that it does not delete without the fault.
    Deletion,
    /// The operator writes although another client holds the operator's lease.
    Lease,
    /// The operator removed a field that another client wrote.
    ForeignField,
    /// The operator changes a value that it should generate only once, such as a password, without a change by a user.
    Rotated,
    /// The operator creates a child again while its owner is being deleted.
    Revival,
    /// The status says that an object is ready before its children have their final state.
    Dishonest,
    /// The operator was at rest, but wrote to an object after a restart.
    RestartWrites,
    /// The children of an object depend on the time at which a field was set: the same value leads to different
    /// children if it is set at the creation of the object or by a later change.
    Differential,
    /// The objects that are left after a deletion differ from the objects in a run without the fault.
    Leak,
    /// The objects differ from the objects in a run without the fault.
    State,
    /// The operator never comes to rest: it keeps changing objects.
    Restless,
    /// The API server refuses the children that the operator creates for a value that the CRD accepts.
    Refused,
    /// A sample is ready only if the samples were created in a certain order.
    Order,
    /// The operator waits for a response without a time limit.
    Waits,
    /// A sample never becomes ready, even without a fault.
    NotReady,
    /// An upgrade of the operator, or the return to its old version, breaks objects that the other version has created.
    Upgrade,
}

/// A possible bug of the operator, found in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    pub oracle: Oracle,
    pub severity: Severity,
    /// The event after which the objects are the same as in the reference run, or `Recovery::Never` if they stay
    /// different; `None` for a suspicion that is not about differences between objects.
    pub heals: Option<Recovery>,
    /// The bug as a sentence that does not mention the fault, such as "services/web is missing".
    pub text: String,
    /// The key of the cause: suspicions with the same key have the same cause.
    pub key: String,
    pub step: Step,
    pub differences: Vec<Difference>,
    /// The index of the journal entry that shows the suspicion, if a single entry shows it.
    pub entry: Option<usize>,
}

/// Creates a suspicion that is not about differences between objects.
pub fn suspicion(oracle: Oracle, severity: Severity, text: String, key: String, step: Step) -> Suspicion {
    Suspicion { oracle, severity, heals: None, text, key, step, differences: Vec::new(), entry: None }
}
