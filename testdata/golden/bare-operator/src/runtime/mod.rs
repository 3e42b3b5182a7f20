// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! What every controller needs and kube leaves open. Nothing here knows a kind, and all of it is
//! yours to change.
pub mod apply;
pub mod backoff;
pub mod conditions;
pub mod manager;
mod reconcile;
pub mod server;
pub mod telemetry;

use kube::Client;

/// What every reconciler is handed: add what yours need.
pub struct Context {
    pub client: Client,
}
