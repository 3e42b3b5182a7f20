//! `Database` of `v1alpha1` as one of `v1`, and back.
//!
//! The runtime keeps the fields that only one of the two versions has: do not convert them here.
use crate::{v1, v1alpha1};

impl From<v1alpha1::Database> for v1::Database {
    fn from(value: v1alpha1::Database) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1alpha1::DatabaseSpec> for v1::DatabaseSpec {
    fn from(value: v1alpha1::DatabaseSpec) -> Self {
        Self {
            engine: value.engine,
            // DatabaseSpec.settings_secret is only in v1, and config_secret only in v1alpha1: keep one of these lines.
            // settings_secret: value.config_secret, // config_secret under another name
            // settings_secret: None, // a separate field
            // DatabaseSpec.nodes is only in v1, and size only in v1alpha1: keep one of these lines.
            // nodes: value.size, // size under another name
            // nodes: 3, // a separate field
        }
    }
}

impl From<v1alpha1::DatabaseStatus> for v1::DatabaseStatus {
    fn from(value: v1alpha1::DatabaseStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1::Database> for v1alpha1::Database {
    fn from(value: v1::Database) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1::DatabaseSpec> for v1alpha1::DatabaseSpec {
    fn from(value: v1::DatabaseSpec) -> Self {
        Self {
            engine: value.engine,
            // DatabaseSpec.config_secret is only in v1alpha1, and settings_secret only in v1: keep one of these lines.
            // config_secret: value.settings_secret, // settings_secret under another name
            // config_secret: None, // a separate field
            // DatabaseSpec.size is only in v1alpha1, and nodes only in v1: keep one of these lines.
            // size: value.nodes, // nodes under another name
            // size: 3, // a separate field
        }
    }
}

impl From<v1::DatabaseStatus> for v1alpha1::DatabaseStatus {
    fn from(value: v1::DatabaseStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}
