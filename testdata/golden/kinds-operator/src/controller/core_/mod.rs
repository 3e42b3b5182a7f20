//! Controllers of the group `core`.
pub mod pod_reports;
