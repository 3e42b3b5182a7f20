// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Version `v1alpha1` of `core.example.org`.
mod config;

pub use config::*;
