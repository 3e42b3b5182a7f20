//! Helpers for tests: a hermetic place to run opctl in, projects, machines, servers and operators.

mod environment;
mod failing_disk;

mod go_program;
mod golden;
mod kept;
mod kubelet;
mod machine;
mod mirror;
mod operator;
mod plane;
mod random;
mod runtime_times;
mod separate_target;
mod test_names;
mod trees;
mod web;

pub(crate) use environment::{
    apart, asked, has_passed_apart, is_apart, link, records, tool, variable, with_network, with_store,
};
pub(crate) use failing_disk::{FailingDisk, Fault};
pub(crate) use go_program::go_program;
pub(crate) use golden::{GOLDEN, cargo, cargo_in, must, project, target_folder, words};
pub(crate) use kept::{keep, projects};
pub(crate) use kubelet::{NODE, kubelet};
pub(crate) use machine::{Machine, fails, with_servers};
pub(crate) use mirror::{Mirror, Trouble, published};
pub(crate) use operator::{Operator, ready, reported, until, web_servers};
pub(crate) use plane::{Plane, client, opctl};
pub(crate) use random::{CORE, Random, random_api, random_policy, random_webhook};
pub(crate) use runtime_times::forget_other_checkout;
pub(crate) use separate_target::separate_target_folder;
pub(crate) use test_names::{rows, test_names};
pub(crate) use trees::{Tree, assert_same, content, differences, edit, lay, tree};
pub(crate) use web::{Web, certificate};

use opctl::test_api::plan::reconcile::Rendering;
use opctl::test_api::plan::{Ledger, Renderings};
use opctl::test_api::report::Console;
use opctl::test_api::workspace::{Sealer, Workspace};
use rustix::fs::StatVfsMountFlags;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Renderings (all files as opctl generates them) that contain no files, to plan changes of files that users do not
/// edit.
pub(crate) const NOTHING_RENDERED: Renderings<'static> = Renderings { before: &nothing, after: &nothing };

#[expect(clippy::unnecessary_wraps, reason = "a rendering can fail")]
fn nothing(_: &Ledger) -> opctl::Result<Rendering> {
    Ok(Rendering::default())
}

/// Makes a temporary folder: in memory if enough memory is free and programs may run in its file system, otherwise in
/// the default folder for temporary files. Tests create and remove so many files that the file system of a disk takes
/// longer than the commands.
pub(crate) fn temporary() -> TempDir {
    const ENOUGH: u64 = 4 << 30;
    let memory = Path::new("/dev/shm");
    let suits = rustix::fs::statvfs(memory).is_ok_and(|system| {
        system.f_bavail * system.f_frsize >= ENOUGH && !system.f_flag.contains(StatVfsMountFlags::NOEXEC)
    });
    if suits { TempDir::new_in(memory) } else { TempDir::new() }.unwrap()
}

/// A temporary folder with a home, and the folder `project` in which commands run.
pub(crate) struct Place {
    folder: TempDir,
    root: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = temporary();
        fs::create_dir(folder.path().join("home")).unwrap();
        let root = folder.path().join("project");
        fs::create_dir(&root).unwrap();
        Place { folder, root }
    }

    pub(crate) fn with_project() -> Self {
        let place = Place::new();
        place.ok(&["init", "--domain", "example.com"]);
        place
    }

    /// Returns the folder in which commands run.
    pub(crate) fn root(&self) -> PathBuf {
        self.root.clone()
    }

    /// Moves the project to the fixed folder of `name`, where cargo finds what it compiled before.
    pub(crate) fn keep(&mut self, name: &str) {
        self.root = keep(name, &self.root);
    }

    /// Returns the sealer, which signs and verifies the journals (`.opctl/journal`) of commands in this folder.
    pub(crate) fn sealer(&self) -> Sealer {
        Sealer::new(Some(self.folder.path().join("home/state/opctl")))
    }

    /// Opens the project for writing, as commands that change files do.
    pub(crate) fn writing(&self) -> opctl::Result<Workspace> {
        Workspace::open_for_writing(&self.root(), self.sealer(), &Console::silent())
    }

    /// Returns an opctl command with a separate home, state folder and folder of installed servers.
    pub(crate) fn command<Argument: AsRef<OsStr>>(&self, arguments: &[Argument]) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_opctl"), arguments)
    }

    /// Returns a command like [`Place::command`], but runs the opctl program at the path `opctl`.
    pub(crate) fn command_of<Argument: AsRef<OsStr>>(
        &self,
        opctl: impl AsRef<OsStr>,
        arguments: &[Argument],
    ) -> Command {
        let mut command = tool(opctl);
        let home = self.folder.path().join("home");
        command.args(arguments).current_dir(self.root()).env("HOME", &home).env_remove("KUBEBUILDER_ASSETS");
        for (name, folder) in [("XDG_STATE_HOME", "state"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache")] {
            command.env(name, home.join(folder));
        }
        command.env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    pub(crate) fn run<Argument: AsRef<OsStr>>(&self, arguments: &[Argument]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed. Returns its stderr.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stderr)
    }

    /// Returns the JSON report of a command, whatever its exit code.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.run(&[arguments, &["-o", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}\n{}\n{}", text(&output.stdout), text(&output.stderr))
        })
    }

    /// Returns everything below the project's folder.
    pub(crate) fn tree(&self) -> Tree {
        tree(&self.root())
    }

    /// Returns everything below the project's folder except the file `.opctl/lock`. If `.opctl` contains only this
    /// file, `.opctl` is also left out.
    pub(crate) fn content(&self) -> Tree {
        content(&self.root())
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the results of `each` for the items, in the order of the items. Calls `each` for several items at the same
/// time, because commands mostly wait for the disk.
pub(crate) fn at_once<Item: Sync, Of: Send>(items: &[Item], each: impl Fn(&Item) -> Of + Sync) -> Vec<Of> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 * std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(number)
                {
                    let of = each(item);
                    done.lock().unwrap().push((number, of));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, of)| of).collect()
}

/// Writes `script` to an executable file of this name in `folder`. If `script` is empty, the file is not executable.
pub(crate) fn program(folder: &Path, name: &str, script: &str) -> PathBuf {
    let path = folder.join(name);
    // Another process writes the file: a program that a different thread starts meanwhile would hold the file open, and what is
    // open for writing cannot be executed.
    let mut writer = tool("/bin/sh");
    writer.args(["-c", "printf '%s\\n' \"$2\" >\"$1\"", "sh"]).arg(&path).arg(format!("#!/bin/sh\n{script}"));
    assert!(writer.status().unwrap().success());
    let mode = if script.is_empty() { 0o644 } else { 0o755 };
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}
