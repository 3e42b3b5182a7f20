//! A control plane that is owned by the calling process.

use super::folder_lock::{self, FolderLock};
use super::kubernetes_version::Selector;
use super::limits::Limits;
use super::load::{Images, load_into};
use super::node::{ImageStore, NodePrograms, NodeSettings, check_requirements};
use super::places::Places;
use super::plane::{Plane, Recipe, kubeconfig_path};
use super::reaper::OWNED;
use super::state::{State, discard, state_error};
use super::{arguments, programs, programs_with_node};
use crate::report::Console;
use crate::{Error, Result, system};
use kube::config::Kubeconfig;
use std::path::{Path, PathBuf};

/// Options of a [`ControlPlane`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The version of Kubernetes. If `None`, the control plane uses the programs that controller-runtime would use, or
    /// the default version if these programs are not installed.
    pub version: Option<Selector>,
    /// Flags for kube-apiserver, each in one piece (`--name=value`). A flag replaces the default of the same name.
    pub apiserver_arguments: Vec<String>,
    /// True to simulate a node, so that controllers and operators see pods as running. No node is simulated if
    /// kube-controller-manager cannot be set up.
    pub simulate_nodes: bool,
    /// True to run a real node, which runs containers.
    pub node: bool,
}

/// A control plane of this process. Dropping the value kills the servers and removes the folder. If this process dies,
/// the servers are killed as well: at once on Linux, by the next opctl command on other systems.
#[derive(Debug)]
pub struct ControlPlane {
    plane: Plane,
    /// The lock of the folder; `None` once the folder is being removed.
    lock: Option<FolderLock>,
}

impl ControlPlane {
    /// Starts a control plane and waits until the API server is ready. Servers that are not installed are set up first.
    ///
    /// The calling process must be opctl, because the servers are started through the executable of the calling
    /// process. The calling thread must live as long as the control plane, because the kernel ends the servers when the
    /// *thread* that started them ends.
    pub fn start(options: &Options, console: &Console) -> Result<Self> {
        arguments::check(&options.apiserver_arguments, options.node)?;
        let (places, limits) = (Places::of_this_process()?, Limits::of_this_process()?);
        let (programs, node) = if options.node {
            let container_runtime = check_requirements(&places.state, None)?;
            let programs = programs_with_node(options.version.as_ref(), console)?;
            let node = NodePrograms::beside(&programs);
            (programs, node.map(|programs| NodeSettings { programs, container_runtime, registry: None }))
        } else {
            (programs(options.version.as_ref(), options.simulate_nodes, console)?, None)
        };
        let (directory, lock) = make_folder(&places.state)?;
        let removed = directory.clone();
        crate::exec::on_interrupt(move || {
            let _ = discard(&removed);
        });
        let apiserver_arguments = options.apiserver_arguments.clone();
        let recipe = Recipe { directory, ports: places.ports, programs, node, apiserver_arguments, limits };
        match Plane::start(&recipe) {
            Ok(plane) => Ok(ControlPlane { plane, lock: Some(lock) }),
            Err(error) => {
                drop(lock);
                // A later opctl reaps the folder if it cannot be removed now.
                let _ = discard(&recipe.directory);
                Err(error)
            }
        }
    }

    /// Returns the path of the administrator's kubeconfig, in which the cluster, the user and the context are named
    /// `envtest`.
    pub fn kubeconfig_path(&self) -> PathBuf {
        kubeconfig_path(self.plane.directory())
    }

    /// Reads the kubeconfig of the control plane.
    pub fn kubeconfig(&self) -> Result<Kubeconfig> {
        let path = self.kubeconfig_path();
        Kubeconfig::read_from(&path)
            .map_err(|error| Error::environment(format!("cannot read `{}`", path.display())).source(&error))
    }

    /// Returns the URL of the API server.
    pub fn server(&self) -> &str {
        &self.plane.state().server
    }

    /// Returns the version of Kubernetes that the API server reports, such as `v1.36.4`.
    pub fn version(&self) -> &str {
        &self.plane.state().kubernetes
    }

    /// Returns true if pods appear to run on a simulated node.
    pub fn simulates_nodes(&self) -> bool {
        self.plane.state().simulated_nodes
    }

    /// Loads images into the node. Returns the names of the images.
    ///
    /// # Errors
    /// Fails for the same reasons as [`load`](super::load()).
    pub fn load(&self, images: &Images) -> Result<Vec<String>> {
        let store = ImageStore::of(self.plane.state(), self.plane.directory());
        load_into(&store.ok_or_else(|| Error::bug("the control plane has no node"))?, images)
    }

    /// Restarts kube-controller-manager, if it runs, so that its garbage collector knows the kinds of new CRDs at once.
    /// The garbage collector discovers the served kinds when it starts, and notices later kinds only after half a
    /// minute.
    pub fn restart_controller_manager(&mut self) -> Result<()> {
        self.plane.restart_controller_manager()
    }

    /// Fails, with the last lines of the server's log, if a server has ended unexpectedly.
    pub fn check(&mut self) -> Result<()> {
        self.plane.check()
    }
}

impl Drop for ControlPlane {
    fn drop(&mut self) {
        self.plane.stop();
        // Not every network file system removes a folder with an open file.
        self.lock = None;
        // A later opctl reaps the folder if it cannot be removed now.
        let _ = discard(self.plane.directory());
    }
}

/// Checks that a control plane with a node can run on this machine.
///
/// # Errors
/// Fails if the machine lacks something that a node needs, or if another control plane uses the machine's only node.
pub fn check_node() -> Result<()> {
    check_requirements(&Places::of_this_process()?.state, None).map(drop)
}

/// Creates and locks a folder for a control plane, next to the folders of named control planes. Writes a state file
/// that names this process into the folder, so that a later command removes the folder if this process is killed.
fn make_folder(states: &Path) -> Result<(PathBuf, FolderLock)> {
    system::create_private_folders(states).map_err(|error| state_error("make the folder", states, &error))?;
    let folder = system::create_private_temporary(states, OWNED);
    let folder = folder.map_err(|error| state_error("make a folder in", states, &error))?;
    let lock = folder_lock::take(folder.path())?;
    State::starting(&[]).write(folder.path())?;
    Ok((folder.keep(), lock))
}
