//! Controllers, one module per kind.
pub mod apps;
pub mod core_;
pub mod networking;
pub mod parcel;
pub mod parcel_labels;
pub mod shop;
pub mod suite;
pub mod team;
