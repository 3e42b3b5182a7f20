//! The kinds of the shop's orders.

pub mod crd;
