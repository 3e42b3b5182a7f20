// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Version `v1alpha1` of `apps.example.org`.
mod database;

pub use database::*;
