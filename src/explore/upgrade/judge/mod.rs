//! Compares the results of the plays of an upgrade with the results of each version without an upgrade, and returns the
//! findings. A play is a sequence of events around the upgrade, such as a rollback.

mod answers;
mod deletion;
mod evidence;
mod findings;
mod lost_values;
mod objects;
mod requests;
mod restarts;

pub(super) use answers::{ServerAnswers, answers};
pub(super) use evidence::Evidence;
pub(super) use findings::findings;

#[cfg(test)]
mod tests;
