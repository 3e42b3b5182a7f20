//! Differences between operating systems: processes, signals, and the modes of files. The rest of the crate is the same
//! everywhere, and a test holds that.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(target_os = "linux")]
pub use linux::{become_program, bound_to_this_process, guard, guarded_by_this_process};
#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;

use std::io::Write;
use std::path::Path;

/// Writes a file that only this user can read.
pub fn write_private_file(path: &Path, text: &str) -> std::io::Result<()> {
    create_private_file(path)?.write_all(text.as_bytes())
}

/// The bytes of a stack that suffices for what `syntax::LEVELS` lets through, several times over, and for the deepest
/// YAML and JSON that are read. Memory is used only for the part of it that is needed.
const LARGE_STACK: usize = 256 << 20;

/// Calls a function that parses what others wrote. The stack is this thread's own, so that it allocates memory as the
/// main thread does, which costs less.
pub fn with_large_stack<R>(parse: impl FnOnce() -> R) -> R {
    let mut room: Vec<u8> = Vec::new();
    // A process that may not have as much memory has to do with the stack that it has: to ask for another would panic.
    let has_room = room.try_reserve_exact(LARGE_STACK).is_ok();
    drop(std::hint::black_box(room));
    if has_room { stacker::grow(LARGE_STACK, parse) } else { parse() }
}

/// A signal to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// As Ctrl+C does.
    Interrupt,
    /// End in order.
    Terminate,
    /// End now.
    Kill,
    /// Do nothing until [`Signal::Continue`] comes.
    Suspend,
    /// Go on.
    Continue,
}

/// Stands in for a feature of Linux: programs that end with the process that started them.
#[cfg(not(target_os = "linux"))]
mod unbound {
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
}

#[cfg(not(target_os = "linux"))]
pub use unbound::{become_program, bound_to_this_process, guard, guarded_by_this_process};
