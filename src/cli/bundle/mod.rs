//! `opctl bundle`: writes a bundle for the Operator Lifecycle Manager, checks one, and adds it to a catalog.

mod catalog;
mod check;
mod command;
mod files;
mod recorded;

pub(super) use command::BundleArgs;
