// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The API group `apps.example.org`.
pub mod v1alpha1;
