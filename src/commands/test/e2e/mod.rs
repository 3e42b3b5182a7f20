//! `opctl test --e2e`: tests of the deployed operator.

mod args;
mod checks;
mod cluster;
mod command;
mod own_tests;
mod test_images;

pub(super) use args::EndToEndArgs;
pub(super) use command::run;
