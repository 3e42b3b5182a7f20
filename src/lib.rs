//! opctl: from an empty folder to a production Kubernetes operator on kube-rs.

pub mod cli;
pub mod cluster;
pub mod edit;
pub mod envtest;
pub mod error;
pub mod exec;
pub mod manifest;
pub mod model;
pub mod plan;
pub mod report;
pub mod scaffold;
pub mod template;
pub mod workspace;
pub mod yaml;

pub use error::{Error, Result};
