//! `opctl explore`.

mod again;
mod args;
mod command;
mod exploration;
mod foreign;
mod page;
pub(super) mod remembered;
pub(super) mod seen;
mod stage;
mod verdict;

pub(super) use args::ExploreArgs;
pub(super) use exploration::explore_for;
pub use remembered::remembered_plans;
