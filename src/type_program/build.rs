//! Builds the shim, the program that prints the types' schemas, with cargo, and shows the compiler's messages.

use crate::report::{Console, Spinner};
use crate::{Error, Result, exec};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

/// The result of a successful build: the path of the built program.
pub(super) struct Built {
    pub(super) executable: PathBuf,
}

/// The parts of cargo's JSON messages that opctl uses.
#[derive(Default)]
struct Heard {
    executable: Option<PathBuf>,
    diagnostics: Vec<String>,
    seen: BTreeSet<String>,
    /// The packages that have a compile error.
    failed: BTreeSet<String>,
}

/// Builds the shim at `folder` into `target`. Shows the compiler's messages if the build fails.
pub(super) fn build(root: &Path, folder: &Path, target: &Path, console: &Console) -> Result<Built> {
    let (heard, said, status) = attempt(root, folder, target, console)?;
    match heard.executable {
        Some(executable) if status.success() => Ok(Built { executable }),
        _ => Err(failure(&heard, &said, status, console)),
    }
}

/// Builds the shim like [`build`], but returns `None` without a message if the build fails.
pub(super) fn build_quietly(root: &Path, folder: &Path, target: &Path, console: &Console) -> Option<Built> {
    let (heard, _, status) = attempt(root, folder, target, console).ok()?;
    heard.executable.filter(|_| status.success()).map(|executable| Built { executable })
}

fn attempt(root: &Path, folder: &Path, target: &Path, console: &Console) -> Result<(Heard, String, ExitStatus)> {
    let mut command = exec::cargo(root);
    command.arg("build").arg("--quiet").arg("--manifest-path").arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(target).arg("--message-format=json-diagnostic-rendered-ansi");
    // Lints are for the crate's own build, and take a tenth of the build time of a project with many kinds. The flags
    // of the user's own configuration stay; RUSTFLAGS replaces both.
    command.args(["--config", "build.rustflags=['--cap-lints=allow']"]);
    // The program runs on this machine, even if the operator is built for another target.
    command.env_remove("CARGO_BUILD_TARGET");
    // cargo would draw its own progress if it had a terminal.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if console.verbose() {
        console.detail(format_args!("{command:?}"));
    }
    let spinner = console.spinner("Compiling", "the API types");
    let mut child = exec::spawn(&mut command).map_err(|error| exec::cannot_start_cargo(&error))?;
    let stdout = child.child().stdout.take();
    let stderr = child.child().stderr.take();
    let said = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = stderr.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let heard = stdout.map(|stdout| listen(BufReader::new(stdout), root, &spinner)).unwrap_or_default();
    let status = child.wait().map_err(|error| Error::environment("cannot wait for cargo").caused_by(error))?;
    let said = said.join().unwrap_or_default();
    drop(spinner);
    Ok((heard, said, status))
}

fn listen(stdout: impl BufRead, root: &Path, spinner: &Spinner) -> Heard {
    let mut heard = Heard::default();
    let mut crates = 0_usize;
    let prefix = format!("{}/", root.display());
    for line in stdout.lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                if message["fresh"] == false {
                    crates += 1;
                    spinner.set_message(format!("the API types ({crates} crates)"));
                }
                if let Some(executable) = message["executable"].as_str() {
                    heard.executable = Some(executable.into());
                }
            }
            Some("compiler-message") if message["message"]["level"] == "error" => {
                let Some(rendered) = message["message"]["rendered"].as_str() else { continue };
                // The shim builds the crate from another folder, so that rustc names the files by their absolute paths.
                let rendered = rendered.replace(&prefix, "");
                if heard.seen.insert(rendered.clone()) {
                    heard.diagnostics.push(rendered);
                }
                heard.failed.extend(message["target"]["name"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }
    heard
}

/// Shows the compiler's messages of a failed build, and returns the error to report.
fn failure(heard: &Heard, said: &str, status: ExitStatus, console: &Console) -> Error {
    let diagnostics = &heard.diagnostics;
    if diagnostics.is_empty() {
        let text = said.trim();
        if let Some(signal) = crate::system::ended_by(status) {
            return Error::environment(format!("cargo was ended by signal {signal}")).caused_by(last_line(text)).hint(
                "signal 9 often means too little memory; try fewer parallel jobs:\nCARGO_BUILD_JOBS=1 opctl manifests",
            );
        }
        let error = match cause(text) {
            text if text.is_empty() => Error::environment(format!("cargo failed ({status})")),
            text => Error::user("cargo cannot build the api crate").caused_by(text),
        };
        let environment = || Error::environment("cargo cannot build the api crate").caused_by(cause(text));
        return match text {
            _ if text.contains("rustup update") || text.contains("requires rustc") => {
                environment().hint("rustup update")
            }
            _ if text.contains("no matching package")
                || text.contains("failed to download")
                || text.contains("network") =>
            {
                environment().hint("cargo fetch    # needs a network; then try again")
            }
            _ => error,
        };
    }
    for diagnostic in diagnostics {
        console.print_colored(diagnostic);
    }
    if heard.failed.iter().all(|target| target == "support" || target.starts_with("opctl-shim-")) {
        // The crate itself compiles: a type lacks a trait that the shim needs.
        return Error::user("cannot get the schemas of the API types").hint(
            "every custom resource must derive `JsonSchema` or `KubeSchema`, and must not set `schema = \"disabled\"`",
        );
    }
    Error::user("the API types do not compile").hint("fix the rustc errors above, then run:\nopctl manifests")
}

/// Returns cargo's message without `error: `, because opctl's own message begins with the same word.
fn cause(text: &str) -> String {
    text.strip_prefix("error: ").unwrap_or(text).trim_end().to_owned()
}

pub(super) fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("it printed nothing")
}
