//! Controllers of the group `core`.
mod pod_reports;
