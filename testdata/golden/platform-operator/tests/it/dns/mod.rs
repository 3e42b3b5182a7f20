// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the API group `dns.example.org`.
mod dns_zone;
