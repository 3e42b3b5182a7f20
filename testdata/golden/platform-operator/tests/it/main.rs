// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The operator on a real API server, which `opctl test` starts: a module for each controller.
mod apps;
mod cache;
mod core_;
mod dns;
mod policies;
mod tenant;
