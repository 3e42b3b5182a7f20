//! The operator of a measurement, and its objects.

use crate::explore::Launch;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// The operator and its objects.
pub struct Plan {
    /// The command that starts the operator.
    pub launch: Launch,
    /// The object that is copied.
    pub sample: Value,
    /// The objects that are created once.
    pub others: Vec<Value>,
    /// The namespace of the objects.
    pub namespace: String,
    /// The namespace of the operator, which has its lease.
    pub operator_namespace: String,
    /// The folder for the operator's kubeconfig.
    pub folder: PathBuf,
    /// The time for which the operator is looked at while it is at rest.
    pub steady: Duration,
    /// The time limit for all objects to be done.
    pub timeout: Duration,
    /// True if each object must be ready, and false if a status is enough.
    pub needs_ready: bool,
}
