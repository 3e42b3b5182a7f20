//! Checks the syntax of a file with rustc, and checks which compilation targets and C libraries are installed.

use super::{TemporaryFolder, spawn};
use crate::system;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the syntax errors of `file`, a path below `root`, as rustc prints them; an empty list if rustc is missing or
/// finds no syntax error.
pub fn syntax_errors(root: &Path, file: &Path) -> Vec<String> {
    let mut command = rustc();
    command.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=json"]);
    let Ok(made) = TemporaryFolder::new("syntax") else { return Vec::new() };
    command.args(["--json=diagnostic-rendered-ansi", "--out-dir"]).arg(made.path()).arg(file).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let Ok(output) = spawn(&mut command).and_then(super::Guarded::output) else { return Vec::new() };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.filter(|message| message["level"] == "error");
    // Errors that follow the syntax errors are about crates that the file is not compiled with.
    let of_syntax = |message: &Value| {
        let text = message["message"].as_str().unwrap_or_default();
        let placed = message["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        message["code"].is_null() && placed && !text.starts_with("cannot find")
    };
    errors.take_while(of_syntax).filter_map(|message| message["rendered"].as_str().map(str::to_owned)).collect()
}

/// Returns true if the compiler that the project at `root` uses has the libraries of a target, such as
/// `aarch64-unknown-linux-musl`.
pub fn has_target(root: &Path, target: &str) -> bool {
    let mut command = rustc();
    command.args(["--print", "target-libdir", "--target", target]).current_dir(root).stdin(Stdio::null());
    let printed = spawn(command.stdout(Stdio::piped()).stderr(Stdio::null())).and_then(super::Guarded::output);
    printed.is_ok_and(|printed| {
        let folder = String::from_utf8_lossy(&printed.stdout).into_owned();
        printed.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// Returns true if `cc`, the C compiler that rustc links with, has a static C library.
pub fn has_static_library() -> bool {
    let mut command = Command::new("cc");
    command.arg("-print-file-name=libc.a").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let printed = spawn(&mut command).and_then(super::Guarded::output);
    printed.is_ok_and(|printed| Path::new(String::from_utf8_lossy(&printed.stdout).trim()).is_absolute())
}

fn rustc() -> Command {
    let program = std::env::var_os("RUSTC").filter(|program| !program.is_empty());
    let mut command = Command::new(program.unwrap_or_else(|| OsString::from("rustc")));
    // As a proxy of rustup, it installs toolchains.
    system::run_as_served_user(&mut command, &[]);
    command
}
