// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the API group `apps.example.org`.
mod database;
