//! Copies of the projects in `testdata/golden`, in fixed folders where cargo finds what earlier test runs compiled, and
//! functions for commands that must succeed.

use super::runtime_times::settle;
use super::{kept, lay, temporary, tool};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// The projects of testdata/golden.
pub(crate) const GOLDEN: [&str; 5] =
    ["webserver-operator", "platform-operator", "bare-operator", "shop-operator", "kinds-operator"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/golden")
}

/// Returns the folder of a copy of the project `name` in `testdata/golden`. The folder is outside of the checkout
/// and the same in each run.
pub(crate) fn project(name: &str) -> PathBuf {
    static KEPT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let keep = || {
        let fresh = temporary();
        lay(&folder().join(name), fresh.path());
        kept::keep(&format!("golden/{name}"), fresh.path())
    };
    kept.entry(name.to_owned()).or_insert_with(keep).clone()
}

/// Returns the target folder for the crates of generated projects.
pub(crate) fn target_folder() -> PathBuf {
    kept::folder().join("target")
}

/// Returns a cargo command for the project `name` of `testdata/golden`.
pub(crate) fn cargo(name: &str, arguments: &[&str]) -> Command {
    cargo_in(&project(name), arguments)
}

/// Returns a cargo command for a project.
pub(crate) fn cargo_in(root: &Path, arguments: &[&str]) -> Command {
    settle(root);
    let mut cargo = tool(env!("CARGO"));
    cargo.args(arguments).current_dir(root).env("CARGO_TARGET_DIR", target_folder());
    cargo
}

/// Returns true if a doc test failed because the build of another test had just replaced a library: the library was
/// missing, or was not the one that the crate was built with.
///
/// The tests share a target folder, where the crate `runtime` of each project has the same file name, and cargo
/// unlocks the folder before it runs documentation tests.
fn lost_a_library(output: &Output) -> bool {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
    let is_gone = stderr.contains("extern location for") && stderr.contains("does not exist");
    // The reason why an example does not compile is on stdout, with the results of the examples.
    stderr.contains("Doc-tests") && (is_gone || stdout.contains("error[E0460]: found possibly newer version of crate"))
}

/// Runs a command and returns its output. Panics with the output if the command fails.
pub(crate) fn must(command: &mut Command) -> Output {
    let run = |command: &mut Command| command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut output = run(command);
    if !output.status.success() && lost_a_library(&output) {
        output = run(command);
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    output
}

/// Splits a line into words. Blanks within double quotes do not split.
pub(crate) fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}
