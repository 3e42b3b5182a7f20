//! Implements `opctl adopt`, which sets up opctl for an existing kube-rs operator, or for existing CRDs.

mod adopted_samples;
mod args;
mod chosen;
mod command;
mod definer;
mod definitions;
mod kinds;
mod lacks;
mod operator;
mod refused;

pub(crate) use args::AdoptArgs;
pub use definitions::types_of;
