//! `opctl explore`.

mod again;
mod args;
mod command;
mod exploration;
mod foreign;
mod meant;
mod page;
mod places;
mod reference;
pub(super) mod remembered;
pub(super) mod seen;
mod side;
mod stage;
mod upgrade;
mod verdict;

pub(super) use args::ExploreArgs;
pub(super) use exploration::explore_for;
pub use remembered::remembered_plans;
