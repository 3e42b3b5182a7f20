// Copyright Jo 'Quote' Doe
// SPDX-License-Identifier: MIT

//! The operator as a library, so that tests can drive its reconcilers without a process around them.
pub mod controller;
pub mod runtime;
