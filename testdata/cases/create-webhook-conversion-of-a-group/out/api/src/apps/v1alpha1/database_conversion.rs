//! `Database` of `v1alpha1` as one of `v1`, and back.
//!
//! What one of the two lacks is kept by the runtime, so there is nothing to do about it here.
use crate::apps::{v1, v1alpha1};

impl From<apps::v1alpha1::Database> for apps::v1::Database {
    fn from(value: apps::v1alpha1::Database) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<apps::v1alpha1::DatabaseSpec> for apps::v1::DatabaseSpec {
    fn from(value: apps::v1alpha1::DatabaseSpec) -> Self {
        Self {
            message: value.message,
        }
    }
}

impl From<apps::v1alpha1::DatabaseStatus> for apps::v1::DatabaseStatus {
    fn from(value: apps::v1alpha1::DatabaseStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<apps::v1::Database> for apps::v1alpha1::Database {
    fn from(value: apps::v1::Database) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<apps::v1::DatabaseSpec> for apps::v1alpha1::DatabaseSpec {
    fn from(value: apps::v1::DatabaseSpec) -> Self {
        Self {
            message: value.message,
        }
    }
}

impl From<apps::v1::DatabaseStatus> for apps::v1alpha1::DatabaseStatus {
    fn from(value: apps::v1::DatabaseStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}
