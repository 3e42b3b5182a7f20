//! Builds a project's program with cargo. Reads the paths of the built files from cargo's stdout, and the progress of
//! the build from cargo's stderr.

use super::{Guarded, cannot_start_cargo, cargo, spawn};
use crate::reading::{self, Limit};
use crate::{Error, Result};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds the project at `root` with `arguments` of `cargo build`, and returns the path of the program.
///
/// `hears` gets each line that cargo prints on stderr, without the progress bar. If `hears` is `None`, cargo prints
/// directly to opctl's stderr.
///
/// # Errors
/// Fails if the package does not compile, or if cargo cannot be started.
pub fn build(root: &Path, arguments: &[&str], hears: Option<&mut dyn FnMut(&str)>) -> Result<PathBuf> {
    let mut command = cargo(root);
    command.arg("build").args(arguments);
    let not_compiled = Error::user("the operator does not compile").hint(
        "cargo build    # run this in the project, and fix the \
                                                           errors that cargo reports",
    );
    let made = run_cargo(command, hears, not_compiled)?;
    made.iter().rev().find_map(executable).ok_or_else(|| Error::bug("cargo built no program").hint("cargo build"))
}

/// Builds the tests that `cargo test` would run with `arguments`, and returns the path of the operator's program,
/// which cargo builds together with the tests. Returns `None` if cargo does not build the program, because no
/// selected test needs it: for example, with `--lib`, or if `arguments` select another package.
///
/// # Errors
/// Fails if the tests do not compile, or if cargo cannot be started.
pub fn build_tests(root: &Path, arguments: &[OsString]) -> Result<Option<PathBuf>> {
    let mut command = cargo(root);
    command.arg("test").args(arguments).arg("--no-run");
    let not_compiled = Error::user("the tests do not compile").hint(
        "cargo test --no-run    # run this in the project, and fix the \
                                                      errors that cargo reports",
    );
    let made = run_cargo(command, None, not_compiled)?;
    let is_program = |one: &&Value| {
        let kinds = one["target"]["kind"].as_array();
        let is_bin = kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "bin"));
        is_bin
            && one["profile"]["test"] == false
            && one["manifest_path"].as_str().map(Path::new) == Some(&root.join("Cargo.toml"))
    };
    Ok(made.iter().filter(is_program).find_map(executable))
}

fn executable(made: &Value) -> Option<PathBuf> {
    made["executable"].as_str().map(PathBuf::from)
}

/// Runs cargo, and returns its JSON messages.
fn run_cargo(mut command: Command, mut hears: Option<&mut dyn FnMut(&str)>, not_compiled: Error) -> Result<Vec<Value>> {
    command.arg("--message-format=json-render-diagnostics");
    let stderr = if hears.is_some() { Stdio::piped() } else { Stdio::inherit() };
    let mut process = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr))
        .map_err(|error| cannot_start_cargo(&error))?;
    let mut messages = Vec::new();
    let stderr = process.child().stderr.take();
    let stdout = process.child().stdout.take();
    std::thread::scope(|scope| {
        // Both pipes are read at once, as cargo would wait for a pipe that is full.
        if let Some(stdout) = stdout {
            scope.spawn(|| messages.extend(BufReader::new(stdout).lines().map_while(Result::ok)));
        }
        let lines = stderr.into_iter().flat_map(|stderr| BufReader::new(stderr).lines().map_while(Result::ok));
        for line in lines {
            if let Some(hears) = &mut hears {
                hears(&line);
            }
        }
    });
    match Guarded::wait(process) {
        Ok(status) if status.success() => {}
        Ok(_) => return Err(not_compiled),
        Err(error) => return Err(cannot_start_cargo(&error)),
    }
    Ok(messages.iter().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Returns the files that `program` was built from, as cargo lists them: every source of every package that is not from
/// a registry, and the files that these sources include. Returns an empty list if cargo has written no list.
pub fn sources_of(program: &Path) -> Vec<PathBuf> {
    reading::text(program.with_extension("d"), Limit::Bundle).map(|text| parse_dep_info(&text)).unwrap_or_default()
}

/// Returns the files in a makefile rule `target: file file`, in which a backslash escapes a blank in a name.
fn parse_dep_info(text: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((_, rest)) = line.split_once(": ") else { continue };
        let mut name = String::new();
        let mut characters = rest.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => name.extend(characters.next()),
                ' ' => files.push(PathBuf::from(std::mem::take(&mut name))),
                other => name.push(other),
            }
        }
        files.push(PathBuf::from(name));
    }
    files.retain(|file| !file.as_os_str().is_empty());
    files
}

#[cfg(test)]
mod tests {
    use super::parse_dep_info;
    use std::path::PathBuf;

    #[test]
    fn dep_info_is_a_makefile() {
        let files = parse_dep_info("/t/debug/shim: /p/api/src/lib.rs /p/with\\ blank.rs\n\n# env-dep:X=1\n");
        assert_eq!(files, [PathBuf::from("/p/api/src/lib.rs"), PathBuf::from("/p/with blank.rs")]);
    }
}
