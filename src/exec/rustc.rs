//! Checks the syntax of one file with rustc.

use super::spawn;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the syntax errors of `file`, a path below `root`, as rustc prints them; none if rustc is missing or finds
/// none.
pub fn syntax_errors(root: &Path, file: &Path) -> Vec<String> {
    let program = std::env::var_os("RUSTC").filter(|program| !program.is_empty());
    let mut command = Command::new(program.unwrap_or_else(|| OsString::from("rustc")));
    command.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=json"]);
    let Ok(made) = tempfile::tempdir() else { return Vec::new() };
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
