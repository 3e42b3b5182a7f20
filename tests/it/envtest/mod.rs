//! `opctl envtest`: local control planes are started, reused and stopped without leaving processes behind, and
//! their server programs are set up from a mirror or a folder.

mod folder;
mod running;
mod setup;

use crate::support::{opctl, temporary, tool, with_network};
use opctl::test_api::envtest::{Identity, platform};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A state folder for one test. Control planes in it are stopped when it is dropped.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Home(temporary())
    }

    /// Makes a state folder in which control planes can be started. Fails unless `opctl envtest setup` succeeds.
    fn with_servers() -> Self {
        static SERVERS: OnceLock<()> = OnceLock::new();
        SERVERS.get_or_init(|| {
            let output = with_network(&mut opctl(&["envtest", "setup"])).output().unwrap();
            assert!(output.status.success(), "these tests need servers: {}", stderr(&output));
        });
        Home::new()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = opctl(&["envtest"]);
        command.args(arguments).env("XDG_STATE_HOME", self.0.path()).stdin(Stdio::null());
        command
    }

    /// Returns an `opctl envtest` command that stores its server programs in this test's folder only.
    fn with_own_store(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env("XDG_DATA_HOME", self.0.path().join("data")).env_remove("KUBEBUILDER_ASSETS");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed. Returns its stdout.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// Returns the data of a command's JSON report.
    fn data(&self, arguments: &[&str]) -> Value {
        let report: Value = serde_json::from_str(&self.ok(&[arguments, &["-o", "json"]].concat())).unwrap();
        report["data"].clone()
    }

    /// Returns the processes of a running control plane by name.
    fn processes(&self) -> Vec<(String, Identity)> {
        let data = self.data(&["status"]);
        let processes = data["processes"].as_object().unwrap_or_else(|| panic!("it does not run: {data}"));
        let identity = |pid: &Value| Identity::of(u32::try_from(pid.as_u64().unwrap()).unwrap());
        processes.iter().map(|(name, pid)| (name.clone(), identity(pid).expect("it runs"))).collect()
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("opctl/envtest/default")
    }

    fn assert_nothing_is_left(&self, processes: &[(String, Identity)]) {
        for (name, identity) in processes {
            // A supervisor that noticed by itself has already removed the folder, and may be about to exit.
            assert!(identity.wait(Duration::from_millis(300)), "{name} is left");
        }
        assert!(!self.folder().exists(), "its folder is left");
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.run(&["stop", "--all"]);
        let _ = self.run(&["stop"]);
        // The store makes its folders read-only, so they cannot be removed as they are.
        let entries = fs::read_dir(self.0.path().join("data/kubebuilder-envtest/k8s"));
        for entry in entries.into_iter().flatten().flatten() {
            let mut permissions = entry.metadata().unwrap().permissions();
            std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
            fs::set_permissions(entry.path(), permissions).unwrap();
        }
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn kill(identity: &Identity) {
    let status = tool("kill").args(["-9", &identity.pid.to_string()]).status().unwrap();
    assert!(status.success());
    assert!(identity.wait(Duration::from_secs(5)));
}
