// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Version `v1` of `cache.example.org`.
mod database;

pub use database::*;
