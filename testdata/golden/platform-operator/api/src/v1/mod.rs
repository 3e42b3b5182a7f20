// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Version `v1` of `example.org`.
mod tenant;

pub use tenant::*;
