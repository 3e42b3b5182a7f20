// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the group `dns`.
mod dns_zone;
