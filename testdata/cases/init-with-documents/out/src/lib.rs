// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! The operator as a library, so that tests can call its reconcilers.
pub mod controller;
