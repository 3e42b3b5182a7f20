//! Replaces, on systems other than Linux, the functions that end a program when the process that started the program
//! ends. Other systems cannot end programs in this way, so the functions here fail, return nothing, or start the
//! program without this protection.

use super::Usage;
use std::ffi::OsStr;
use std::io::{Error, Result};
use std::process::{Command, ExitStatus};

/// Returns a command that runs `program`. On this system, the program is not killed when this process ends.
pub fn bound_to_this_process(program: impl AsRef<OsStr>) -> Result<Command> {
    Ok(Command::new(program))
}

/// Fails: only Linux kills programs and their descendants when this process ends.
pub fn guarded_by_this_process(_: impl AsRef<OsStr>) -> Result<Command> {
    Err(only_linux())
}

/// Fails: only Linux can run a program that is killed when another process ends.
pub fn guard(_: u32, _: &OsStr, _: &[impl AsRef<OsStr>]) -> Result<ExitStatus> {
    Err(only_linux())
}

/// Returns an error: only Linux can replace this process by a program that is killed when another process ends.
pub fn become_program(_: u32, _: &OsStr, _: &[impl AsRef<OsStr>]) -> Error {
    only_linux()
}

fn only_linux() -> Error {
    Error::new(
        std::io::ErrorKind::Unsupported,
        "only Linux can stop a program together with the process that started it",
    )
}

/// Returns `None`: on this system, the children of other processes are not read.
pub fn first_child(_: u32) -> Option<u32> {
    None
}

/// Returns `None`: on this system, the memory of other processes is not read.
pub fn usage_of_group(_: u32) -> Option<Usage> {
    None
}
