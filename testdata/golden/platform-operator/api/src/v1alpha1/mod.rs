// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Version `v1alpha1` of `example.org`.
mod tenant;
mod tenant_conversion;

pub use tenant::*;
