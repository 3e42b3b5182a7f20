//! `opctl bundle`: writes and checks a bundle for the Operator Lifecycle Manager, and adds a bundle to a catalog.

mod bundle_files;
mod catalog;
mod check;
mod command;
mod recorded;

pub(crate) use command::BundleArgs;
