//! Other programs: started in a process group of their own, and never left behind.

mod build;
mod cargo;
mod children;
mod git;
#[cfg(target_os = "linux")]
mod parent_death;

pub use build::{build, sources_of};
pub use cargo::{cannot_start_cargo, cargo, cargo_in_foreground, cargo_program, target_folder};
pub use children::{Guarded, install_interrupt_handler, interrupts, on_interrupt, spawn};
pub use git::files_at;
#[cfg(target_os = "linux")]
pub use parent_death::{become_program, guard};

/// Lets a program print to stderr what it prints: stdout is for reports.
pub fn print_to_stderr(command: &mut std::process::Command) {
    command.stdout(std::io::stderr());
}

/// A command that runs `program`, and on Linux ends with this process.
#[cfg(target_os = "linux")]
pub fn command_for_this_process(program: impl AsRef<std::ffi::OsStr>) -> std::io::Result<std::process::Command> {
    parent_death::bound_to_this_process(program)
}

/// A command that runs `program`.
#[cfg(not(target_os = "linux"))]
pub fn command_for_this_process(program: impl AsRef<std::ffi::OsStr>) -> std::io::Result<std::process::Command> {
    Ok(std::process::Command::new(program))
}
