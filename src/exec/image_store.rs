//! Saves images from the stores of container tools as archives, and pulls images.

use super::ContainerTool;
use super::answer::failure_reason;
use crate::error::hint;
use crate::system::{self, Signal};
use crate::{Error, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The number of bytes that must stay free on the disk while an archive is written.
const RESERVE: u64 = 64_000_000;

/// The interval between two checks of the free space. It is so short that a disk cannot write [`RESERVE`] bytes in
/// it.
const WATCH_INTERVAL: Duration = Duration::from_millis(10);

/// Writes the image to `archive`, which must not exist, in the format of `docker save`. Takes the image from `tool`, or
/// else from the first tool that has the image.
///
/// # Errors
/// Fails if no tool is installed, if no tool has the image (a user error), or if the disk has no room for the archive.
pub fn save_image(image: &str, archive: &Path, tool: Option<ContainerTool>) -> Result<()> {
    let tools = tool.map_or_else(|| ContainerTool::ALL.to_vec(), |tool| vec![tool]);
    let mut reasons = Vec::new();
    for tool in tools {
        match run_with_room(&tool.save_line(image, &archive.to_string_lossy()), archive) {
            Ok(()) => return Ok(()),
            Err(Refusal::NotInstalled) => {}
            Err(Refusal::Failed(reason)) => reasons.push((tool, reason)),
            Err(Refusal::DiskFull) => {
                // What is written may be larger than what is free, and no other command has room until it is gone.
                let _ = std::fs::remove_file(archive);
                return Err(no_room(image, archive));
            }
        }
        // A tool that fails may leave a part of the archive, which others do not overwrite.
        if std::fs::remove_file(archive).is_err_and(|error| error.kind() != ErrorKind::NotFound) {
            break;
        }
    }
    let Some((first, _)) = reasons.first() else {
        return Err(tool
            .map_or_else(
                || Error::environment("no container tool is installed"),
                |tool| Error::environment(format!("`{}` is not installed, or not on PATH", tool.program())),
            )
            .caused_by(format!("to read the image `{image}`, opctl needs the container tool that has stored it"))
            .hint("give the path of an archive that `docker save` has written"));
    };
    let pull = hint!("{} pull {image}    # or build it: opctl build --image {image}", first.program(), image);
    let error = Error::user(format!("no container tool has the image `{image}`"));
    let error =
        reasons.iter().fold(error, |error, (tool, reason)| error.caused_by(format!("`{}`: {reason}", tool.program())));
    Err(error.hint(pull))
}

/// Pulls the image from its registry with the first container tool that works. Returns false if no tool works.
///
/// # Errors
/// Fails if the tool cannot pull the image.
pub fn pull_image(image: &str, say: &dyn Fn(&str)) -> Result<bool> {
    let works = |tool: &ContainerTool| run(&[tool.program().to_owned(), "info".to_owned()]).is_ok();
    let Some(tool) = ContainerTool::ALL.into_iter().find(works) else { return Ok(false) };
    let line = [tool.program(), "pull", image].map(str::to_owned);
    say(&line.join(" "));
    run(&line).map(|()| true).map_err(|reason| {
        let error = Error::environment(format!("`{}` cannot pull `{image}`", tool.program()));
        let error = match reason {
            Refusal::Failed(reason) => error.caused_by(reason),
            Refusal::NotInstalled => error.caused_by("the container tool is no longer installed"),
            Refusal::DiskFull => error.caused_by("no space left on device"),
        };
        error.hint(hint!("{} pull {image}", tool.program(), image))
    })
}

fn no_room(image: &str, archive: &Path) -> Error {
    let folder = archive.parent().unwrap_or(archive);
    Error::environment(format!("the disk has no room for the image `{image}` in `{}`", folder.display()))
        .hint("free some space, or write the image to another disk: export TMPDIR=/path/to/a/folder")
}

/// The reason why a program failed.
enum Refusal {
    NotInstalled,
    /// The reason that the program gives.
    Failed(String),
    /// The disk has too little space: opctl did not start the program or killed it in time, or the program reported
    /// that the disk is full.
    DiskFull,
}

/// Runs a command line. Fails with the reason if the program is missing or fails.
fn run(line: &[String]) -> std::result::Result<(), Refusal> {
    let mut command = quiet(line);
    check_output(super::spawn(&mut command).and_then(super::Guarded::output))
}

/// Runs a command line that writes `archive`, and kills the program as soon as the disk has less than [`RESERVE`]
/// bytes free. A full disk would end other servers that store data on the same disk.
fn run_with_room(line: &[String], archive: &Path) -> std::result::Result<(), Refusal> {
    let folder = archive.parent().unwrap_or(archive);
    run_while(line, || system::free_space(folder).map_or(true, |free| free > RESERVE))
}

fn run_while(line: &[String], has_room: impl Fn() -> bool + Send) -> std::result::Result<(), Refusal> {
    if !has_room() {
        return Err(Refusal::DiskFull);
    }
    let mut command = quiet(line);
    let child = match super::spawn(&mut command) {
        Ok(child) => child,
        Err(error) => return check_output(Err(error)),
    };
    let (leader, (ended, end)) = (child.id(), channel::<()>());
    let (output, was_ended) = std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            while end.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if !has_room() {
                    system::signal_group(leader, Signal::Kill);
                    return true;
                }
            }
            !has_room()
        });
        let output = child.output();
        drop(ended);
        (output, watch.join().unwrap_or(false))
    });
    match check_output(output) {
        Err(Refusal::Failed(_)) if was_ended => Err(Refusal::DiskFull),
        judged => judged,
    }
}

fn quiet(line: &[String]) -> Command {
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn check_output(output: std::io::Result<Output>) -> std::result::Result<(), Refusal> {
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Refusal::NotInstalled,
        _ => Refusal::Failed(error.to_string()),
    })?;
    match failure_reason(&output) {
        _ if output.status.success() => Ok(()),
        reason if reason.contains("no space left on device") => Err(Refusal::DiskFull),
        reason => Err(Refusal::Failed(reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_program_is_ended_before_it_fills_the_disk() {
        let shell = |script: &str| ["sh", "-c", script].map(str::to_owned);
        let looks = AtomicUsize::new(0);
        let begun = std::time::Instant::now();
        let ended = run_while(&shell("sleep 60"), || looks.fetch_add(1, Ordering::Relaxed) < 3);
        assert!(matches!(ended, Err(Refusal::DiskFull)) && begun.elapsed() < Duration::from_secs(30));
        assert!(matches!(run_while(&shell("exit 0"), || false), Err(Refusal::DiskFull)));
        assert!(run_while(&shell("exit 0"), || true).is_ok());
        let full = run(&shell("echo 'write a.tar: no space left on device' >&2; exit 1"));
        assert!(matches!(full, Err(Refusal::DiskFull)));
        assert!(matches!(run(&shell("exit 1")), Err(Refusal::Failed(_))));
        assert!(matches!(run(&["/no/such/program".to_owned()]), Err(Refusal::NotInstalled)));
    }
}
