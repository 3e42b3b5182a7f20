// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Policies of `config/policy`, which `opctl test` applies: a module for each.
mod config_map;
