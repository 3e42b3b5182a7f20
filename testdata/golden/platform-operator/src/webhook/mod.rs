// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Webhooks, one module per kind.
pub mod apps;
pub mod core_;
pub mod tenant;
pub mod tenant_conversion;
