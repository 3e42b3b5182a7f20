//! Runs the compiled program that prints the CRDs and schemas of the types.

use super::build::last_line;
use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::system;
use crate::{Error, Result, exec};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The time limit for printing the CRD and schemas of one type: a thousand times the duration for a large type.
const LIMIT: Duration = Duration::from_secs(20);
/// The interval at which opctl checks if the program has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// The last line of the compiled program's output, after the lines with the CRDs and schemas of the types.
const END: &str = "end\n";

/// The program's answers (the CRDs and schemas of the types), and the paths of the types whose schema is infinite.
pub(super) struct ProgramAnswer {
    /// The program's output: one line of JSON, with the CRD and the schemas, for each type that has a schema.
    pub(super) text: String,
    /// The paths of the types that contain themselves without a `$ref`, which overflows the program's stack.
    pub(super) endless: Vec<String>,
}

/// Runs the program, which writes the answers about `types`, in their order, to `output`. If the infinite schema of a
/// type overflows the program's stack, runs the program again without that type.
///
/// # Errors
/// Fails if a type ends the program for another reason, or keeps the program from ending.
pub(super) fn ask(executable: &Path, output: &Path, types: &[String]) -> Result<ProgramAnswer> {
    let mut endless = Vec::new();
    loop {
        let run = run(executable, output, &endless)?;
        if let Some(answers) = run.text.strip_suffix(END) {
            return Ok(ProgramAnswer { text: answers.to_owned(), endless });
        }
        let mut asked = types.iter().filter(|path| !endless.contains(*path));
        let last = asked.nth(run.text.matches('\n').count());
        match last.filter(|_| run.said.contains("has overflowed its stack")) {
            Some(path) => endless.push(path.clone()),
            None => return Err(unfinished_error(&run, last)),
        }
    }
}

/// The result of one run of the program.
struct Run {
    text: String,
    said: String,
    /// The exit status; `None` if the program did not end in time.
    status: Option<ExitStatus>,
}

fn run(executable: &Path, output: &Path, without: &[String]) -> Result<Run> {
    let log = output.with_extension("stderr");
    // The output of an earlier run must not be taken for that of this run.
    system::create_file(output).map_err(|error| file_error("write", output, &error))?;
    let said = system::create_file(&log).map_err(|error| file_error("write", &log, &error))?;
    let mut command = Command::new(executable);
    command.arg(output).args(without).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
    let cannot_run = |error| Error::environment("cannot run the program that prints the API types").caused_by(error);
    let mut child = exec::spawn(system::run_as_served_user(&mut command, &[output])).map_err(cannot_run)?;
    let mut status = None;
    let (mut length, mut since) = (0, Instant::now());
    while status.is_none() && since.elapsed() < LIMIT {
        std::thread::sleep(POLL_INTERVAL);
        status = child.child().try_wait().map_err(cannot_run)?;
        let now = fs::metadata(output).map_or(0, |metadata| metadata.len());
        if now != length {
            (length, since) = (now, Instant::now());
        }
    }
    drop(child);
    let text = reading::text(output, Limit::Bundle).map_err(|error| file_error("read", output, &error))?;
    Ok(Run { text, said: reading::text(log, Limit::Bundle).unwrap_or_default(), status })
}

/// Returns the error for a program that exited, or exceeded the time limit, while it processed the type `asked`.
/// `asked` is `None` if this type is unknown.
fn unfinished_error(run: &Run, asked: Option<&String>) -> Error {
    let name = asked.map_or("a type", String::as_str);
    let Some(status) = run.status else {
        return Error::user(format!("`{name}` gives no schema within {} seconds", LIMIT.as_secs()))
            .caused_by(
                "the `JsonSchema` implementation of the type calls default functions and `schema_with` \
                        functions, and one of these functions does not return",
            )
            .hint(hint!(
                "check the default functions and the `schema_with` functions of `{name}` and of the types of its \
                 fields",
                name
            ));
    };
    let cause = match run.said.trim() {
        "" => {
            "its `JsonSchema` runs defaults and `schema_with` functions, and one of them exits the process".to_owned()
        }
        said => last_line(said).to_owned(),
    };
    Error::user(format!("the program that prints the API types stopped at `{name}` ({status})")).caused_by(cause).hint(
        hint!(
            "check the default functions and the `schema_with` functions of `{name}` and of the types of its \
                     fields",
            name
        ),
    )
}
