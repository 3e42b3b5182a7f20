// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the API group `core.example.org`.
mod config;
