// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the API group `dns.example.org`.
pub mod dns_zone;
