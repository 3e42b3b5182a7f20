// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! The custom resources of bare-operator.
//!
//! Types only, without a client: other programs can depend on them at little cost.
