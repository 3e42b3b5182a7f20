//! A control plane for a test, and opctl commands against it.

use super::{must, temporary, tool};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A control plane for one test. It stops when it is dropped.
pub(crate) struct Plane {
    state: tempfile::TempDir,
    pub(crate) kubeconfig: PathBuf,
}

impl Plane {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a control plane with a simulated node, on which pods run.
    pub(crate) fn simulated() -> Self {
        Self::start_with(&["--simulate-nodes"])
    }

    pub(crate) fn start_with(flags: &[&str]) -> Self {
        Self::start_in(temporary(), flags)
    }

    /// Starts a control plane that keeps its state in a folder.
    pub(crate) fn start_in(state: tempfile::TempDir, flags: &[&str]) -> Self {
        let output = must(opctl(&["envtest", "start"]).args(flags).env("XDG_STATE_HOME", state.path()));
        let kubeconfig = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
        Plane { state, kubeconfig }
    }

    pub(crate) fn run(&self, root: &Path, arguments: &[&str]) -> Output {
        opctl(arguments)
            .current_dir(root)
            .env("KUBECONFIG", &self.kubeconfig)
            .env("XDG_STATE_HOME", self.state.path())
            // No kubectl, because scaffolded projects do not need it.
            .env("PATH", self.state.path())
            .output()
            .unwrap()
    }

    pub(crate) fn must(&self, root: &Path, arguments: &[&str]) -> String {
        let output = self.run(root, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "opctl {arguments:?}\n{said}");
        said
    }

    pub(crate) async fn client(&self) -> Client {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).unwrap();
        client(kubeconfig).await
    }

    /// Returns the state folder, in which opctl finds the control plane.
    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        let _ = opctl(&["envtest", "stop"]).env("XDG_STATE_HOME", self.state.path()).output();
    }
}

/// Returns a client that uses no proxy of the machine.
pub(crate) async fn client(kubeconfig: Kubeconfig) -> Client {
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    config.proxy_url = None;
    Client::try_from(config).unwrap()
}

/// Returns an opctl command that finds the machine's toolchain, etcd and kube-apiserver, but no cluster.
pub(crate) fn opctl(arguments: &[&str]) -> Command {
    let mut command = tool(env!("CARGO_BIN_EXE_opctl"));
    command.args(arguments);
    command
}
