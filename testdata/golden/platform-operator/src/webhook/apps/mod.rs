// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Webhooks of the API group `apps.example.org`.
pub mod database;
