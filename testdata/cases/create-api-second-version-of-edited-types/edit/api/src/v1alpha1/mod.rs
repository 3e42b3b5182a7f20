//! Version `v1alpha1` of `example.com`.
mod common;
mod disk;
mod parts;
mod pool;

pub use common::{Limits, Unit as Measure};
pub use disk::*;
pub use parts::*;
pub use pool::*;

/// Shared by all kinds.
pub const MOST: i32 = 9;
