// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Policies of `config/policy`, which `opctl test` applies: a module for each.
mod dns_zone;
mod dns_zone_mutating;
