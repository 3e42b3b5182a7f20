//! The command `opctl test`: runs the project's tests on a separate API server or in a cluster.

mod args;
mod cargo;
mod command;
mod e2e;
mod ignored;
mod kubernetes;
mod once;
mod selection;
#[cfg(test)]
mod tests;
mod webhook_operator;

pub(crate) use args::TestArgs;
