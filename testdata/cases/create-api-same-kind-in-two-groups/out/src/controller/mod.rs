//! Controllers, one module per kind.
pub mod apps;
pub mod infra;
