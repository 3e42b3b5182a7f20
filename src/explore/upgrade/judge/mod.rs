//! Compares what the plays of an upgrade leave with what each version makes by itself.

mod answers;
mod deletion;
mod evidence;
mod findings;
mod objects;
mod requests;
mod restarts;
mod values;

pub(super) use answers::{Asked, answers};
pub(super) use evidence::Evidence;
pub(super) use findings::findings;

#[cfg(test)]
mod tests;
