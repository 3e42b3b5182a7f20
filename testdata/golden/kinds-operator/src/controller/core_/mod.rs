//! Controllers of the core API group.
pub mod pod_reports;
