//! Templates in Tera: the templates of opctl, and the templates that a team adds.

mod embedded;
mod engine;
mod own;
mod packed;

pub use embedded::{Templates, verbatim};
pub use own::{Fault, render_own};
