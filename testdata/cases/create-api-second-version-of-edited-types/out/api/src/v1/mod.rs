//! Version `v1` of `example.com`.
mod common;
mod disk;
mod parts;

pub use common::Limits;
pub use common::Unit as Measure;
pub use disk::*;
pub use parts::*;
