// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the group `dns`.
pub mod dns_zone;
