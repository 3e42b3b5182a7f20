//! Templates in Tera: those of opctl, and those that a team wrote.

mod embedded;
mod engine;
mod own;
mod packed;

pub use embedded::{Templates, verbatim};
pub use own::{Fault, render_own};
