// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Webhooks of the group `apps`.
pub mod database;
