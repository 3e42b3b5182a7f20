//! The commands of opctl: each has a file or a folder with its arguments, and with the function that carries it out and
//! returns a report.
//!
//! The table in `cli` lists all commands.

pub(crate) mod adopt;
pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod build_installer;
pub(crate) mod bundle;
pub(crate) mod cache;
pub(crate) mod command;
pub(crate) mod context;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod demo;
pub(crate) mod deploy;
pub(crate) mod docs;
pub(crate) mod doctor;
pub(crate) mod edit;
pub(crate) mod envtest;
pub(crate) mod explain;
pub(crate) mod explore;
mod generated;
pub(crate) mod guarded;
pub(crate) mod health_checks;
pub(crate) mod init;
pub(crate) mod install;
pub(crate) mod list;
mod local_webhooks;
pub(crate) mod logs;
mod manifest_files;
pub(crate) mod manifests;
pub(crate) mod migrate;
mod operator_program;
mod outer_workspace;
mod output_file;
mod own_templates;
mod package;
mod reference_pages;
mod remote;
pub(crate) mod rename;
pub(crate) mod resolve;
pub(crate) mod run;
mod sizes;
pub(crate) mod status;
mod steps;
pub(crate) mod test;
mod time_limit;
pub(crate) mod update;
mod verify;
pub(crate) mod version;
mod webhook_server;
mod write;

pub use adopt::types_of;
pub use explore::remembered_plans;
