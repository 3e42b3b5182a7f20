//! The operator on a real API server, which `opctl test` starts: a module for each controller.
mod apps;
mod core_;
mod networking;
mod parcel;
mod parcel_labels;
mod shop;
mod suite;
mod team;
