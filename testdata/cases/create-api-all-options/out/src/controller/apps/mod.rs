//! Controllers of the API group `apps.example.com`.
pub mod tenant;
