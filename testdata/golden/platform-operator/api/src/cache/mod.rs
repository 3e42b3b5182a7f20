// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The API group `cache.example.org`.
pub mod v1;
