//! Health checks of the project's kinds for Argo CD and Flux: pure.
//!
//! The rules are those of `opctl help deploying`. Each tool gets them in its own language: Argo CD in Lua, Flux in CEL.

mod argo_cd;
mod flux;
mod kind;

pub use argo_cd::argo_cd;
pub use flux::flux;
pub use kind::CheckedKind;
