//! A control plane that is owned by the calling process.

use super::folder_lock::{self, FolderLock};
use super::limits::Limits;
use super::load::{Images, load_into};
use super::node::{ImageStore, NodePrograms, NodeSettings, check_requirements};
use super::places::Places;
use super::plane::{Plane, Recipe, kubeconfig_path};
use super::reaper::OWNED;
use super::state::{State, discard, state_error};
use super::version::Selector;
use super::{arguments, programs, programs_with_node};
use crate::report::Console;
use crate::{Error, Result, system};
use kube::config::Kubeconfig;
use std::path::{Path, PathBuf};

/// Options of a control plane.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The version of Kubernetes. Without one, the programs that controller-runtime would use, or the default version.
    pub version: Option<Selector>,
    /// Flags for kube-apiserver, each as one argument (`--name=value`). They replace defaults of the same name.
    pub apiserver_arguments: Vec<String>,
    /// Simulate a node, on which pods seem to run to controllers and operators, if kube-controller-manager is
    /// installed.
    pub simulate_nodes: bool,
    /// Run a real node, with containers.
    pub node: bool,
}

/// A control plane that lives as long as this value: when it is dropped, its servers are killed and its folder is
/// removed. If the process dies, the servers are killed as well, on Linux at once, elsewhere by the next opctl.
#[derive(Debug)]
pub struct ControlPlane {
    plane: Plane,
    /// Present until the folder is removed.
    lock: Option<FolderLock>,
}

impl ControlPlane {
    /// Starts a control plane and waits until its API is served. Servers that are not installed yet are set up first.
    ///
    /// The process must be opctl, through which the servers are started. The calling thread must live as long as the
    /// control plane: the kernel ends the servers with the *thread* that started them.
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

    /// Returns the path of the kubeconfig. Its cluster, user and context are named `envtest`, and the user may do
    /// everything.
    pub fn kubeconfig_path(&self) -> PathBuf {
        kubeconfig_path(self.plane.directory())
    }

    /// Reads the kubeconfig.
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

    /// Returns true if a simulated node makes pods run.
    pub fn simulates_nodes(&self) -> bool {
        self.plane.state().simulated_nodes
    }

    /// Loads images into the node. Returns their names.
    ///
    /// # Errors
    /// As for [`load`](super::load()).
    pub fn load(&self, images: &Images) -> Result<Vec<String>> {
        let store = ImageStore::of(self.plane.state(), self.plane.directory());
        load_into(&store.ok_or_else(|| Error::bug("the control plane has no node"))?, images)
    }

    /// Restarts kube-controller-manager, if there is one. Its garbage collector knows the kinds that are served when it
    /// starts, and discovers later ones only after half a minute.
    pub fn restart_controller_manager(&mut self) -> Result<()> {
        self.plane.restart_controller_manager()
    }

    /// Fails, with the end of the server's log, if a server has ended by itself.
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
/// The machine lacks what a node needs, or another control plane uses its node.
pub fn check_node() -> Result<()> {
    check_requirements(&Places::of_this_process()?.state, None).map(drop)
}

/// Creates a folder beside the folders of named control planes. It has a state, so that it is reaped if this process is
/// killed.
fn make_folder(states: &Path) -> Result<(PathBuf, FolderLock)> {
    system::create_private_folders(states).map_err(|error| state_error("make the folder", states, &error))?;
    let folder = system::create_private_temporary(states, OWNED);
    let folder = folder.map_err(|error| state_error("make a folder in", states, &error))?;
    let lock = folder_lock::take(folder.path())?;
    State::starting(&[]).write(folder.path())?;
    Ok((folder.keep(), lock))
}
