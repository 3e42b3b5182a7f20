//! `VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll` of `v1alpha1` as one of `v1`, and back.
//!
//! The runtime keeps the fields that only one of the two versions has: do not convert them here.
use crate::{v1, v1alpha1};

impl From<v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll>
    for v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll
{
    fn from(value: v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllSpec>
    for v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllSpec
{
    fn from(value: v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllSpec) -> Self {
        Self {
            message: value.message,
        }
    }
}

impl From<v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllStatus>
    for v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllStatus
{
    fn from(
        value: v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllStatus,
    ) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}

impl From<v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll>
    for v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll
{
    fn from(value: v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAll) -> Self {
        Self {
            metadata: value.metadata,
            spec: value.spec.into(),
            status: value.status.map(Into::into),
        }
    }
}

impl From<v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllSpec>
    for v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllSpec
{
    fn from(value: v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllSpec) -> Self {
        Self {
            message: value.message,
        }
    }
}

impl From<v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllStatus>
    for v1alpha1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllStatus
{
    fn from(value: v1::VeryLongKindThatNobodyWouldTypeByHandAndThatIsLaidOutAllStatus) -> Self {
        Self {
            observed_generation: value.observed_generation,
            conditions: value.conditions,
        }
    }
}
