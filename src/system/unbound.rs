//! Stands in for a feature of Linux: programs that end with the process that started them.

use super::Usage;
use std::ffi::OsStr;
use std::io::{Error, Result};
use std::process::{Command, ExitStatus};

/// A command that runs `program`.
pub fn bound_to_this_process(program: impl AsRef<OsStr>) -> Result<Command> {
    Ok(Command::new(program))
}

/// Nothing guards a program here.
pub fn guarded_by_this_process(_: impl AsRef<OsStr>) -> Result<Command> {
    Err(only_linux())
}

/// Not on this system.
pub fn guard(_: u32, _: &OsStr, _: &[impl AsRef<OsStr>]) -> Result<ExitStatus> {
    Err(only_linux())
}

/// Not on this system.
pub fn become_program(_: u32, _: &OsStr, _: &[impl AsRef<OsStr>]) -> Error {
    only_linux()
}

fn only_linux() -> Error {
    Error::new(std::io::ErrorKind::Unsupported, "only Linux ends programs with the process that started them")
}

/// Children of other processes are not read on this system.
pub fn first_child(_: u32) -> Option<u32> {
    None
}

/// The memory of other processes is not read on this system.
pub fn usage_of_group(_: u32) -> Option<Usage> {
    None
}
