//! An operator of documents.

pub mod controller;

pub use controller::*;
