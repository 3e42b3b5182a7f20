//! Runs the program that prints the types.

use super::build::last_line;
use crate::{Error, Result, error::file_error, exec};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long one type may take: a thousand times as long as a large one does.
const LIMIT: Duration = Duration::from_secs(20);
const ROUND: Duration = Duration::from_millis(2);
/// What the program writes below the answers.
const END: &str = "end\n";

/// What the program wrote.
pub(super) struct Answers {
    /// The answers, a line each.
    pub(super) text: String,
    /// The paths of the types whose schema never ends, which have none: the program ends with the first of them, and is run
    /// again without it.
    pub(super) endless: Vec<String>,
}

/// Runs the program, which writes the answers of `types`, in their order, to `output`.
///
/// # Errors
/// A type that ends the program, or keeps it from ending.
pub(super) fn ask(executable: &Path, output: &Path, types: &[String]) -> Result<Answers> {
    let mut endless: Vec<String> = Vec::new();
    loop {
        let Run { text, said, status } = once(executable, output, &endless)?;
        if let Some(text) = text.strip_suffix(END) {
            return Ok(Answers { text: text.to_owned(), endless });
        }
        match overflowed(&said).filter(|path| !endless.contains(path)) {
            Some(path) => endless.push(path),
            None => {
                let asked = types.iter().filter(|path| !endless.contains(path)).nth(text.matches('\n').count());
                return Err(unfinished(asked.map_or("a type", String::as_str), status, &said));
            }
        }
    }
}

struct Run {
    text: String,
    said: String,
    /// `None` for a program that had to be ended.
    status: Option<ExitStatus>,
}

fn once(executable: &Path, output: &Path, without: &[String]) -> Result<Run> {
    let log = output.with_extension("stderr");
    // What an earlier run left must not pass for this one's.
    File::create(output).map_err(|error| file_error("write", output, &error))?;
    let stderr = File::create(&log).map_err(|error| file_error("write", &log, &error))?;
    let mut command = Command::new(executable);
    command.arg(output).args(without).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
    let cannot_run = |error| Error::environment("cannot run the compiled API types").caused_by(error);
    let mut child = exec::spawn(&mut command).map_err(cannot_run)?;
    let mut status = None;
    let (mut length, mut since) = (0, Instant::now());
    while status.is_none() && since.elapsed() < LIMIT {
        std::thread::sleep(ROUND);
        status = child.child().try_wait().map_err(cannot_run)?;
        let now = fs::metadata(output).map_or(0, |metadata| metadata.len());
        if now != length {
            (length, since) = (now, Instant::now());
        }
    }
    drop(child);
    let text = fs::read_to_string(output).map_err(|error| file_error("read", output, &error))?;
    Ok(Run { text, said: fs::read_to_string(log).unwrap_or_default(), status })
}

/// The thread, named after the type that it asks, of `thread 'v1::Foo' (7) has overflowed its stack`.
fn overflowed(said: &str) -> Option<String> {
    let line = said.lines().find(|line| line.contains("has overflowed its stack"))?;
    line.split('\'').nth(1).map(str::to_owned)
}

/// The error for answers that break off at the type of this name.
fn unfinished(name: &str, status: Option<ExitStatus>, said: &str) -> Error {
    let Some(status) = status else {
        return Error::user(format!("`{name}` gives no schema within {} seconds", LIMIT.as_secs()))
            .caused_by("its `JsonSchema` runs defaults and `schema_with` functions, and one of them does not end")
            .hint(format!("look at the defaults and the `schema_with` functions of `{name}` and of the types in it"));
    };
    let cause = match said.trim() {
        "" => "its `JsonSchema` runs defaults and `schema_with` functions, and one of them ends the process".to_owned(),
        said => last_line(said).to_owned(),
    };
    Error::user(format!("the program that prints the API types ended at `{name}` ({status})"))
        .caused_by(cause)
        .hint(format!("look at the defaults and the `schema_with` functions of `{name}` and of the types in it"))
}
