// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the group `core`.
pub mod config;
