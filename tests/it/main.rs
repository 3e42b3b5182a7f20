//! The one integration test binary.

mod envtest;
