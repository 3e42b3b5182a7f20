//! `opctl build`: builds the operator's image, with a container tool or, with `--local`, without a container tool.

mod command;
mod engine;
mod local;

pub(super) use command::{BuildArgs, build_archive};
pub(super) use engine::execute;
pub(super) use local::LocalImage;
