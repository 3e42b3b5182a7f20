// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Version `v1beta1` of `dns.example.org`.
mod dns_zone;

pub use dns_zone::*;
