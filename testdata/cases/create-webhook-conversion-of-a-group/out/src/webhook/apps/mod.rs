//! Webhooks of the API group `apps.example.com`.
pub mod database_conversion;
