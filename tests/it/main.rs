//! The one integration test binary.

mod manifest;
