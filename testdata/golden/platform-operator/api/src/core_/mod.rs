// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The API group `core.example.org`.
pub mod v1alpha1;
