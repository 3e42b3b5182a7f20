// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Webhooks of the core API group.
pub mod pod;
