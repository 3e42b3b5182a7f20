//! A machine with the programs of a test and no others.

use super::{Place, opctl, program, temporary, text};
use std::path::PathBuf;
use std::process::Command;

/// A project, and a folder of programs that is the whole `PATH`.
pub(crate) struct Machine {
    place: Place,
    programs: tempfile::TempDir,
}

impl Machine {
    pub(crate) fn new(prepare: &[&[&str]]) -> Self {
        let place = Place::with_project();
        for words in prepare {
            place.ok(words);
        }
        Machine { place, programs: temporary() }
    }

    /// Writes `script` to an executable file of this name. If `script` is empty, the file is not executable.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        program(self.programs.path(), name, script)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.place.root()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.place.command(words);
        command.env("PATH", self.programs.path());
        command
    }

    #[track_caller]
    pub(crate) fn fails(&self, words: &[&str], code: i32, told: &str) {
        fails(&mut self.command(words), code, told);
    }
}

/// Checks that a command ends with this exit code and one error, which contains `told`.
#[track_caller]
pub(crate) fn fails(command: &mut Command, code: i32, told: &str) {
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{said}");
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(errors.len() == 1 && errors[0].contains(told), "{command:?} does not say `{told}`:\n{said}");
}

/// Returns an opctl command on `machine`, with the path of the API server and etcd that are installed on this host.
pub(crate) fn with_servers(machine: &Machine, words: &[&str]) -> Command {
    let mut env = opctl(&["envtest", "env", "-o", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&env.output().unwrap().stdout).unwrap();
    let mut command = machine.command(words);
    command.env("KUBEBUILDER_ASSETS", found["data"]["KUBEBUILDER_ASSETS"].as_str().unwrap());
    command
}
