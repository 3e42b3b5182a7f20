//! Version `v1beta1` of `example.net`.
mod parcel;

pub use parcel::*;
