// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Controllers of the group `core`.
mod config;
