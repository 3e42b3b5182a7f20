// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the group `cache`.
pub mod database;
