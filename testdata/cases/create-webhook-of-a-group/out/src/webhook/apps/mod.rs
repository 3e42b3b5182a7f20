//! Webhooks of the group `apps`.
pub mod database;
