//! The operator, the objects and the settings of a measurement.

use crate::explore::Launch;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// The operator, its objects and the settings of a measurement.
pub struct Plan {
    /// The command that starts the operator.
    pub launch: Launch,
    /// The custom resource of which opctl creates copies.
    pub sample: Value,
    /// The objects that are created once, not copied.
    pub others: Vec<Value>,
    /// The namespace of the copies and the other objects.
    pub namespace: String,
    /// The namespace of the operator, in which the operator creates its lease.
    pub operator_namespace: String,
    /// The folder in which opctl writes the operator's kubeconfig.
    pub folder: PathBuf,
    /// The time for which the operator is measured at rest.
    pub steady: Duration,
    /// The time limit for the operator to be done with all objects.
    pub timeout: Duration,
    /// True if each object must become ready; false if each object only needs a status.
    pub needs_ready: bool,
}
