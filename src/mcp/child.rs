//! Runs the opctl process of an MCP tool call.

use super::arguments::Call;
use super::limits::{GRACE, OUTPUT};
use crate::exec::{command_for_this_process, spawn};
use crate::system::{Signal, own_program, signal_group};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::thread::JoinHandle;

/// The outcome of a call's process.
pub(super) struct Ended {
    /// The exit code; `None` if a signal ended the process.
    pub(super) code: Option<i32>,
    /// True if the process was interrupted, because its time was over or because the client cancelled the call.
    pub(super) interrupted: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Runs the command line in `root`. Interrupts the process when its time is over, or when `given_up` completes because
/// the client no longer waits. Kills the process if it does not end after the interrupt.
pub(super) async fn run(call: &Call, root: &Path, given_up: impl Future<Output = ()>) -> std::io::Result<Ended> {
    let mut command = command_for_this_process(own_program()?)?;
    command.args(["-o", "json", "--color", "never"]).args(&call.words).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(&mut command)?;
    let process = child.id();
    let (stdout, stderr) = (read(child.child().stdout.take()), read(child.child().stderr.take()));
    let mut end = tokio::task::spawn_blocking(move || {
        let status = child.wait()?;
        Ok::<_, std::io::Error>((status, join_reader(stdout), join_reader(stderr)))
    });
    let ended = tokio::select! {
        ended = &mut end => Some(ended),
        () = tokio::time::sleep(call.time) => None,
        () = given_up => None,
    };
    let interrupted = ended.is_none();
    let ended = match ended {
        Some(ended) => ended,
        None => {
            signal_group(process, Signal::Interrupt);
            match tokio::time::timeout(GRACE, &mut end).await {
                Ok(ended) => ended,
                Err(_) => {
                    signal_group(process, Signal::Kill);
                    end.await
                }
            }
        }
    };
    let (status, stdout, stderr) = ended.map_err(std::io::Error::other)??;
    Ok(Ended { code: status.code(), interrupted, stdout, stderr })
}

/// Reads a pipe to its end, so that the writer never blocks. Discards the bytes after the first [`OUTPUT`] bytes.
fn read(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut pipe) = pipe {
            let limit = u64::try_from(OUTPUT).unwrap_or(u64::MAX);
            let _ = pipe.by_ref().take(limit).read_to_end(&mut kept);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        kept
    })
}

fn join_reader(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}
