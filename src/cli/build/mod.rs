//! `opctl build`: the operator's image, by a container tool or without one.

mod command;
mod engine;
mod local;

pub(super) use command::{BuildArgs, build_archive};
pub(super) use engine::execute;
pub(super) use local::LocalImage;
