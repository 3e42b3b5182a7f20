//! `opctl build`: builds the operator's image, with a container tool or, with `--local`, without a container tool.

mod command;
mod engine;
mod local;

pub(crate) use command::BuildArgs;
pub(super) use command::build_archive;
pub(super) use engine::execute;
pub(super) use local::LocalImage;
