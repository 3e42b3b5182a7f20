//! Control planes that keep running after the command that started them, and are found again by their names.

use super::arguments;
use super::container_runtime::ContainerRuntime;
use super::foreign::{lacks_rights, needs_root, runs_elsewhere, runs_elsewhere_error};
use super::kubernetes_version::{Selector, Version};
use super::name::Name;
use super::node::{check_registry, check_requirements, registry_host};
use super::places::Places;
use super::plane::kubeconfig_path;
use super::process::Identity;
use super::reaper::{reap_in, reap_one};
use super::server::tail;
use super::state::{NameLock, Phase, State, create_file, directory_argument, make_private, remove_control_plane};
use super::supervisor::{self, COMMAND};
use super::{programs, programs_with_node};
use crate::error::hint;
use crate::report::Console;
use crate::system::{Signal, own_program};
use crate::{Error, Result};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Options of `opctl envtest start`.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// The name of the control plane.
    pub name: Name,
    /// The Kubernetes version. If `None`, the control plane uses the programs that controller-runtime would use, or the
    /// default version if these programs are not installed.
    pub version: Option<Selector>,
    /// Flags for kube-apiserver, each as one argument.
    pub apiserver_arguments: Vec<String>,
    /// Simulate a node, so that controllers and operators see pods as running. No node is simulated if
    /// kube-controller-manager is not installed.
    pub simulate_nodes: bool,
    /// Run a real node, which runs containers.
    pub node: bool,
    /// The container runtime of the node; `None` for the first runtime that is installed.
    pub container_runtime: Option<ContainerRuntime>,
    /// The port of a registry on this machine from which the node pulls images; `None` for a node without a registry.
    pub registry: Option<u16>,
}

/// A running control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// The name of the control plane.
    pub name: Name,
    /// The folder with the certificates, data and logs.
    pub directory: PathBuf,
    /// The recorded state of the control plane.
    pub state: State,
    /// True if the control plane was started by this call; false if it was already running.
    pub new: bool,
}

impl Running {
    /// Returns the path of the kubeconfig.
    pub fn kubeconfig_path(&self) -> PathBuf {
        kubeconfig_path(&self.directory)
    }
}

/// The status of a named control plane.
#[derive(Debug)]
pub enum Status {
    /// The control plane is running and ready.
    Running(Running),
    /// The control plane is being started.
    Starting,
    /// No control plane with that name is running.
    Stopped,
}

/// Starts a control plane that keeps running after this process ends, or returns the control plane with the same name
/// if it is already running. Two concurrent calls return the same control plane.
pub fn start(options: &StartOptions, console: &Console) -> Result<Running> {
    arguments::check(&options.apiserver_arguments, options.node)?;
    let places = Places::of_this_process()?;
    let directory = places.state.join(options.name.as_str());
    let lock = NameLock::open(&places.state, options.name.as_str())?;
    if !lock.try_take() {
        console.status("Waiting", format_args!("for another opctl that works on control plane `{}`", options.name));
        lock.take()?;
    }
    reap_one(&directory)?;
    let state = State::read(&directory)?;
    if runs_elsewhere(&directory, state.as_ref()) {
        return Err(runs_elsewhere_error(&options.name));
    }
    if !state.as_ref().is_some_and(State::alive) && lacks_rights(&directory) {
        return Err(needs_root("stop", &options.name));
    }
    if let Some(state) = state {
        let state = if state.phase == Phase::Ready { state } else { await_ready(&directory, None)? };
        return reuse_running(options, directory, state, console);
    }
    let mut container_runtime = None;
    let programs = if options.node {
        container_runtime = Some(check_requirements(&directory, options.container_runtime)?);
        options.registry.map_or(Ok(()), check_registry)?;
        programs_with_node(options.version.as_ref(), console)?
    } else {
        programs(options.version.as_ref(), options.simulate_nodes, console)?
    };
    let _spinner = console.spinner("Starting", format!("control plane `{}`", options.name));
    make_private(&directory)?;
    let started = spawn_supervisor(&directory, &places, &programs, container_runtime, options).and_then(|child| {
        let starting = end_if_interrupted(&directory, &child);
        let state = await_ready(&directory, Some(child));
        starting.store(false, Ordering::SeqCst);
        state
    });
    match started {
        Ok(state) => Ok(Running { name: options.name.clone(), directory, state, new: true }),
        Err(error) => {
            remove_control_plane(&directory, State::read(&directory)?.as_ref())?;
            Err(error)
        }
    }
}

/// Registers a cleanup: if Ctrl+C ends opctl while the control plane is being started, the cleanup kills the supervisor
/// and removes the control plane. The caller sets the returned flag to false to cancel the cleanup, once the control
/// plane has started.
fn end_if_interrupted(directory: &Path, supervisor: &Child) -> Arc<AtomicBool> {
    let starting = Arc::new(AtomicBool::new(true));
    let (asked, directory, supervisor) = (Arc::clone(&starting), directory.to_owned(), Identity::of(supervisor.id()));
    crate::exec::on_interrupt(move || {
        if asked.load(Ordering::SeqCst) {
            if let Some(supervisor) = supervisor {
                supervisor.signal(Signal::Kill);
            }
            // The next command reaps the remains that cannot be cleared now.
            let _ = remove_control_plane(&directory, State::read(&directory).unwrap_or_default().as_ref());
        }
    });
    starting
}

/// Returns the control plane that is already running; fails if it does not fulfil `options`.
fn reuse_running(options: &StartOptions, directory: PathBuf, state: State, console: &Console) -> Result<Running> {
    let name = &options.name;
    let differs = |what: String| {
        Error::conflict(format!("control plane `{name}` is already running, but {what}"))
            .hint(hint!("opctl envtest stop --name {name}", name))
    };
    let own = &options.apiserver_arguments;
    if !own.is_empty() && *own != state.apiserver_arguments {
        return Err(differs("with other arguments for kube-apiserver".to_owned()));
    }
    let version = Version::parse(&state.kubernetes);
    if let (Some(wanted), Some(version)) = (options.version, version)
        && !wanted.matches(version)
    {
        return Err(differs(format!("with Kubernetes {version}")));
    }
    if options.node && state.node.is_none() {
        return Err(differs("without a node".to_owned()));
    }
    if options.container_runtime.is_some_and(|runtime| runtime != state.container_runtime) {
        return Err(differs("with another container runtime".to_owned()));
    }
    let registry = options.registry.map(registry_host);
    if registry.is_some() && registry != state.registry {
        return Err(differs("without this registry".to_owned()));
    }
    // If nodes cannot be simulated, starting the control plane anew would not help.
    let programs = |options: &StartOptions| programs(options.version.as_ref(), true, console);
    if options.simulate_nodes && !state.simulated_nodes && programs(options)?.controller_manager.is_some() {
        return Err(differs("without simulated nodes".to_owned()));
    }
    Ok(Running { name: name.clone(), directory, state, new: false })
}

fn spawn_supervisor(
    directory: &Path,
    places: &Places,
    programs: &super::Programs,
    container_runtime: Option<ContainerRuntime>,
    options: &StartOptions,
) -> Result<Child> {
    let failed = |error: std::io::Error| Error::environment("cannot run opctl in the background").source(&error);
    let log = directory.join("supervisor.log");
    let output = create_file(&log)?;
    let mut command = Command::new(own_program().map_err(failed)?);
    command.args(["envtest", COMMAND]);
    command.arg(directory_argument(directory)).arg("--ports").arg(&places.ports);
    command.arg("--etcd").arg(&programs.etcd).arg("--api-server").arg(&programs.api_server);
    if let Some(program) = &programs.controller_manager {
        command.arg("--controller-manager").arg(program);
    }
    command.args(container_runtime.map(|runtime| format!("--node={}", runtime.name())));
    command.args(options.registry.map(|port| format!("--registry={port}")));
    command.args(options.apiserver_arguments.iter().map(|argument| format!("--apiserver-arg={argument}")));
    // The supervisor works in `/`, because another folder may have to be removed or unmounted. Its report comes through
    // the pipe.
    command.args(["-o", "json"]).current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped());
    if !super::limits::output_is_wanted() {
        command.stderr(output);
    }
    command.spawn().map_err(failed)
}

/// Waits until the control plane in `directory` is ready, and returns its state. Fails if the start has failed.
/// `supervisor` is the child process that starts the control plane; `None` if another process has begun the start.
fn await_ready(directory: &Path, mut supervisor: Option<Child>) -> Result<State> {
    loop {
        let ended = match supervisor.as_mut() {
            Some(child) => !matches!(child.try_wait(), Ok(None)),
            None => !State::read(directory)?.is_some_and(|state| state.alive()),
        };
        match State::read(directory)? {
            Some(state) if state.phase == Phase::Ready => return Ok(state),
            _ if ended => {
                let report = supervisor.and_then(|child| read_report(child).ok()).unwrap_or_default();
                return Err(supervisor::failure(&report).unwrap_or_else(|| {
                    let error = Error::environment("the supervisor of the control plane exited unexpectedly");
                    let error = tail(&directory.join("supervisor.log")).into_iter().fold(error, Error::caused_by);
                    error.hint("run the same command again")
                }));
            }
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn read_report(child: Child) -> std::io::Result<String> {
    let mut report = String::new();
    if let Some(mut stdout) = child.stdout {
        stdout.read_to_string(&mut report)?;
    }
    Ok(report)
}

/// Stops the control plane named `name`, even if its state is damaged, and removes its folder. Returns false if no such
/// control plane exists.
pub fn stop(name: &Name, console: &Console) -> Result<bool> {
    let places = Places::of_this_process()?;
    let directory = places.state.join(name.as_str());
    if !directory.exists() {
        return Ok(false);
    }
    let lock = NameLock::open(&places.state, name.as_str())?;
    lock.take()?;
    if !directory.exists() {
        return Ok(false);
    }
    let state = State::read(&directory).unwrap_or_default();
    if runs_elsewhere(&directory, state.as_ref()) {
        return Err(runs_elsewhere_error(name));
    }
    if lacks_rights(&directory) {
        return Err(needs_root("stop", name));
    }
    // A supervisor that is still starting the servers does not handle signals.
    let ready = state.as_ref().filter(|state| state.phase == Phase::Ready && state.alive());
    if let Some(owner) = ready.and_then(State::owner) {
        console.status("Stopping", format_args!("control plane `{name}`"));
        owner.signal(Signal::Terminate);
        let patience = super::limits::Limits::of_this_process()?.stop * 2 + Duration::from_secs(3);
        let begun = Instant::now();
        while directory.exists() && owner.alive() && begun.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        // The owner removes the folder last, under another name.
        owner.wait(if directory.exists() { Duration::ZERO } else { patience });
    }
    remove_control_plane(&directory, state.as_ref())?;
    Ok(true)
}

/// Returns the status of the control plane named `name`.
pub fn status(name: &Name) -> Result<Status> {
    let directory = Places::of_this_process()?.state.join(name.as_str());
    Ok(match State::read(&directory)? {
        Some(state) if runs_elsewhere(&directory, Some(&state)) => return Err(runs_elsewhere_error(name)),
        Some(state) if !state.alive() => Status::Stopped,
        Some(state) if state.phase == Phase::Ready => {
            Status::Running(Running { name: name.clone(), directory, state, new: false })
        }
        Some(_) => Status::Starting,
        None => Status::Stopped,
    })
}

/// Removes the remains of dead control planes, and returns the names of the other control planes, sorted.
pub fn list(console: &Console) -> Result<Vec<Name>> {
    let states = Places::of_this_process()?.state;
    reap_in(&states, console)?;
    let entries = fs::read_dir(&states).into_iter().flatten().flatten();
    let mut names: Vec<Name> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    names.sort();
    Ok(names)
}
