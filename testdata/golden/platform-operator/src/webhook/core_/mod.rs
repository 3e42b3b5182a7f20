// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Webhooks of the group `core`.
pub mod pod;
