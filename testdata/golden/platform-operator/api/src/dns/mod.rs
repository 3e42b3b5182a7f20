// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The API group `dns.example.org`.
pub mod v1beta1;
