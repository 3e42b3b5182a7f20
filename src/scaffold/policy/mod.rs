//! The operations of `create policy`.

mod check;
mod intent;
mod operations;

pub use check::with_policies;
pub use intent::PolicyIntent;
pub use operations::create_policy;
