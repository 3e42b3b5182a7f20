//! Controllers of the core API group.
mod pod_reports;
