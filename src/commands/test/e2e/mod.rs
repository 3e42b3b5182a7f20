//! `opctl test --e2e`: tests of the deployed operator.

mod args;
mod checks;
mod cluster;
mod command;
mod image;
mod own_tests;

pub(super) use args::EndToEndArgs;
pub(super) use command::run;
