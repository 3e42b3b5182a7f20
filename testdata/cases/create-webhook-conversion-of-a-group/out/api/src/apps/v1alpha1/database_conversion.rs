//! `Database` of `v1alpha1` as one of `v1`, and back.
//!
//! The runtime keeps the fields that only one of the two versions has: do not convert them here.
use crate::apps::{v1, v1alpha1};

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
            message: value.message,
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
            message: value.message,
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
