//! Helpers for tests of an operator: its controllers are tested on a real API server, which
//! `opctl test` starts, and its reconcilers on a [`FakeCluster`], which is in memory.
//!
//! The module needs the feature `testing`, which is on by default, so that cargo compiles
//! the crate only once for a program and its tests. Unused code is left out of the program.

mod children;
#[cfg(feature = "webhooks")]
mod conversion;
mod define;
mod fake;
mod objects;
mod operator;
#[cfg(feature = "webhooks")]
mod random;
#[cfg(feature = "webhooks")]
mod status;
#[cfg(feature = "webhooks")]
mod webhook;

pub use children::{comes_back, is_kept, is_made_once};
pub use define::define;
pub use fake::FakeCluster;
pub use objects::{create, gets_ready, gets_reason, goes_away, merge};
pub use operator::{Operator, namespace, until};
#[cfg(feature = "webhooks")]
pub use {conversion::conversion_loses_nothing, status::with_status, webhook::request};
