//! The kinds of the shop's stock.

pub mod crd;
