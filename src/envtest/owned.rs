//! A control plane that is owned by the calling process.

use super::limits::Limits;
use super::places::Places;
use super::plane::{Plane, Recipe, kubeconfig_path};
use super::reaper::OWNED;
use super::state::{State, discard, state_error};
use super::version::Selector;
use super::{arguments, programs};
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
}

/// A control plane that lives as long as this value: when it is dropped, its servers are killed and its folder is
/// removed. If the process dies, the servers are killed as well, on Linux at once, elsewhere by the next opctl.
#[derive(Debug)]
pub struct ControlPlane {
    plane: Plane,
}

impl ControlPlane {
    /// Starts a control plane and waits until its API is served. Servers that are not installed yet are set up first.
    ///
    /// The process must be opctl, through which the servers are started. The calling thread must live as long as the
    /// control plane: the kernel ends the servers with the *thread* that started them.
    pub fn start(options: &Options, console: &Console) -> Result<Self> {
        arguments::check(&options.apiserver_arguments, false)?;
        let (places, limits) = (Places::of_this_process()?, Limits::of_this_process()?);
        let programs = programs(options.version.as_ref(), options.simulate_nodes, console)?;
        let directory = make_folder(&places.state)?;
        let removed = directory.clone();
        crate::exec::on_interrupt(move || {
            let _ = discard(&removed);
        });
        let apiserver_arguments = options.apiserver_arguments.clone();
        let recipe = Recipe { directory, ports: places.ports, programs, node: None, apiserver_arguments, limits };
        match Plane::start(&recipe) {
            Ok(plane) => Ok(ControlPlane { plane }),
            Err(error) => {
                discard(&recipe.directory)?;
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
        // A later opctl reaps the folder if it cannot be removed now.
        let _ = discard(self.plane.directory());
    }
}

/// Creates a folder beside the folders of named control planes. It has a state, so that it is reaped if this process is
/// killed.
fn make_folder(states: &Path) -> Result<PathBuf> {
    system::create_private_folders(states).map_err(|error| state_error("make the folder", states, &error))?;
    let folder = system::create_private_temporary(Some(states), OWNED);
    let folder = folder.map_err(|error| state_error("make a folder in", states, &error))?;
    State::starting(&[]).write(folder.path())?;
    Ok(folder.keep())
}
