// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! The operator as a library, so that tests can drive its reconcilers without a process around them.
pub mod controller;
pub mod runtime;
