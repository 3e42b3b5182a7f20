//! Renders health checks of the project's kinds for Argo CD and Flux, without side effects.
//!
//! The checks follow the rules in `opctl help deploying`: in Lua for Argo CD, and in CEL for Flux.

mod argo_cd;
mod flux;
mod kind;

pub use argo_cd::argo_cd;
pub use flux::flux;
pub use kind::CheckedKind;
