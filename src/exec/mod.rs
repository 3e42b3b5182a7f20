//! Runs other programs in process groups of their own, and never leaves one behind.

mod answer;
mod build;
mod cache_folder;
mod cargo;
mod children;
mod command;
mod container;
mod git;
mod git_command;
mod git_state;
mod history;
mod image_archive;
mod image_store;
mod interrupts;
mod kind;
mod metadata;
mod port_forward;
mod rustc;

pub use crate::system::was_interrupted;
pub use answer::{Answer, NO_KUBECONFIG, answer};
pub use build::{build, build_tests, sources_of};
pub use cache_folder::{cache_folder, is_cache_folder, make_cache_folder, remove_cache_folder};
pub use cargo::{cannot_start_cargo, cargo, cargo_in_foreground, cargo_program, target_folder};
pub use children::{Ended, Guarded, end_process, install_interrupt_handler, on_interrupt, spawn};
pub use command::{command_for_this_process, print_to_stderr};
pub use container::{ContainerTool, ImageBuild, Lack, LocalCluster};
pub use git::files_at;
pub use git_state::GitState;
pub use history::earlier_versions;
pub use image_archive::only_image;
pub use image_store::{pull_image, save_image};
pub use interrupts::{Interrupts, ignore_interrupts, interrupts};
pub use kind::kind;
pub use metadata::{Metadata, Package, ResolvedDependency, Target, metadata, resolved};
pub use port_forward::PortForward;
pub use rustc::syntax_errors;
