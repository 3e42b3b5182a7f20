//! Webhooks of the group `apps`.
pub mod database_conversion;
