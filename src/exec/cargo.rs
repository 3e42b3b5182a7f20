//! Finding and running cargo.

use crate::reading::{self, Limit};
use crate::{Error, system};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a cargo command for the project at `root`: the `cargo` that `CARGO` names, or else the `cargo` on `PATH`.
///
/// The command runs in `root`, so that the project's toolchain file and `.cargo/config.toml` apply. On Linux, cargo and
/// its compilers end when opctl ends, even if opctl is killed; start the command with [`super::spawn`].
pub fn cargo(root: &Path) -> Command {
    let program = cargo_program();
    let mut command = guarded_command(&program, root).unwrap_or_else(|| Command::new(program));
    run_as_user(&mut command, root);
    command
}

fn guarded_command(program: &OsStr, root: &Path) -> Option<Command> {
    // A missing program has to fail when it is started itself. A program that embeds this library has no command to
    // guard with.
    let there = match Path::new(program).components().count() {
        1 => std::env::split_paths(&std::env::var_os("PATH")?).any(|folder| root.join(folder).join(program).is_file()),
        _ => root.join(program).is_file(),
    };
    (there && super::children::is_opctl()).then(|| system::guarded_by_this_process(program).ok())?
}

/// Returns a command for `cargo run` in the foreground. cargo replaces its process with the operator's process, so
/// that an interrupt reaches only the operator; on Linux, the operator ends when opctl ends.
pub fn cargo_in_foreground(root: &Path) -> std::io::Result<Command> {
    let mut command = super::command_for_this_process(cargo_program())?;
    run_as_user(&mut command, root);
    Ok(command)
}

fn run_as_user(command: &mut Command, root: &Path) {
    system::run_as_served_user(command, &[root, &target_folder(root)]).current_dir(root);
}

/// Returns the program that [`cargo`] starts.
pub fn cargo_program() -> OsString {
    std::env::var_os("CARGO").filter(|program| !program.is_empty()).unwrap_or_else(|| "cargo".into())
}

/// Returns the error for a failed start of cargo.
pub fn cannot_start_cargo(error: &std::io::Error) -> Error {
    let program = cargo_program();
    let program = program.to_string_lossy();
    if error.kind() == std::io::ErrorKind::NotFound {
        Error::environment(format!("`{program}` is not installed, or not on PATH"))
            .hint("install Rust from https://rustup.rs, then open a new shell")
    } else {
        Error::environment(format!("cannot start `{program}`")).caused_by(error)
    }
}

/// Returns the folder that cargo builds into: `CARGO_TARGET_DIR`, `build.target-dir` of cargo's configuration for the
/// project, or `target` (The Cargo Book, "Configuration", `build.target-dir`).
pub fn target_folder(root: &Path) -> PathBuf {
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())
        .map(|folder| std::path::absolute(&folder).unwrap_or_else(|_| folder.into()))
        .or_else(|| configured_target_folder(root))
        .unwrap_or_else(|| root.join("target"))
}

/// Returns `build.target-dir` of the nearest configuration that sets it: of the project, of the folders above it, or of
/// `CARGO_HOME` (The Cargo Book, "Configuration", "Hierarchical structure").
fn configured_target_folder(root: &Path) -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .filter(|home| !home.is_empty())
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let folders = root.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    folders.into_iter().find_map(|folder| target_folder_in(&folder))
}

/// Returns `build.target-dir` of the cargo configuration in `folder`, such as `.cargo`; `None` if it is not set. A
/// relative path is relative to the parent of `folder`.
fn target_folder_in(folder: &Path) -> Option<PathBuf> {
    let text = ["config", "config.toml"]
        .into_iter()
        .find_map(|name| reading::text(folder.join(name), Limit::Settings).ok())?;
    let configuration: toml_edit::DocumentMut = text.parse().ok()?;
    let target = configuration.get("build")?.get("target-dir")?.as_str()?;
    Some(folder.parent()?.join(target))
}
