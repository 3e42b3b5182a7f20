//! opctl: from an empty folder to a production Kubernetes operator on kube-rs.

pub mod error;
pub mod exec;
pub mod manifest;
pub mod report;

pub use error::{Error, Result};
