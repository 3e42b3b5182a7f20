// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers, one module per kind.
pub mod apps;
pub mod cache;
pub mod core_;
pub mod dns;
pub mod tenant;
