// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The custom resources of platform-operator.
//!
//! Types only, without a client: other programs can depend on them at little cost.
pub mod apps;
pub mod cache;
pub mod core_;
pub mod dns;
pub mod v1;
pub mod v1alpha1;
