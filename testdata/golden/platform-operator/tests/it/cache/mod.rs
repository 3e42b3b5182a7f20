// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the API group `cache.example.org`.
mod database;
