//! Version `v1alpha1` of `apps.example.com`.
mod database;
mod database_conversion;

pub use database::*;
