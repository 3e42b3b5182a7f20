//! The API group `apps.example.com`.
pub mod v1beta1;
