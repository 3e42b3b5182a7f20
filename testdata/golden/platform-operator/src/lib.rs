// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The operator as a library, so that tests can call its reconcilers.
pub mod controller;
pub mod webhook;
