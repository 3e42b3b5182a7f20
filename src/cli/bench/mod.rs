//! `opctl bench`.

mod args;
mod command;
mod sizes;
mod subject;

pub(super) use args::BenchArgs;
