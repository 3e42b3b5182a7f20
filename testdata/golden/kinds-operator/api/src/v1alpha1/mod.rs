//! Version `v1alpha1` of `example.net`.
mod parcel;
mod shop;
mod suite;
mod team;

pub use parcel::*;
pub use shop::*;
pub use suite::*;
pub use team::*;
