//! Implements `opctl explore`, which finds bugs of the operator with the faults of real clusters.

mod again;
mod args;
mod command;
mod compatibility;
mod exploration;
mod foreign;
mod meant;
mod page;
mod places;
mod reference;
pub(super) mod remembered;
pub(crate) mod seen;
mod side;
mod stage;
mod upgrade;
mod verdict;

pub(crate) use args::ExploreArgs;
pub(super) use args::ForeignArgs;
pub(super) use exploration::{explore_for, run_unless_interrupted};
pub(super) use foreign::{Folders, grant_in, install, prepare as foreign};
pub use remembered::remembered_plans;
pub(super) use stage::{Belong, Kinds, Subject, arguments, client_of, launch, samples};
