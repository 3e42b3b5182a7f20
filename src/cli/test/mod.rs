//! `opctl test`.

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
mod webhooks;

pub(super) use args::TestArgs;
