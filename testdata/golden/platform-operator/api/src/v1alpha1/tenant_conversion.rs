// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! `Tenant` of `v1alpha1` as one of `v1`, and back.
//!
//! The runtime keeps the fields that only one of the two versions has: do not convert them here.
use crate::{v1, v1alpha1};

impl From<v1alpha1::Tenant> for v1::Tenant {
    fn from(value: v1alpha1::Tenant) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1alpha1::TenantSpec> for v1::TenantSpec {
    fn from(value: v1alpha1::TenantSpec) -> Self {
        Self {
            message: value.message,
        }
    }
}

impl From<v1alpha1::TenantStatus> for v1::TenantStatus {
    fn from(value: v1alpha1::TenantStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1::Tenant> for v1alpha1::Tenant {
    fn from(value: v1::Tenant) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1::TenantSpec> for v1alpha1::TenantSpec {
    fn from(value: v1::TenantSpec) -> Self {
        Self {
            message: value.message,
        }
    }
}

impl From<v1::TenantStatus> for v1alpha1::TenantStatus {
    fn from(value: v1::TenantStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}
