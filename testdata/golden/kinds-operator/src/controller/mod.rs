//! Controllers, one module per kind.
pub mod parcel;
pub mod shop;
pub mod suite;
pub mod team;
