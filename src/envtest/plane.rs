//! A control plane: etcd and kube-apiserver, which are started, awaited and stopped together.

use super::certificates::{Authority, Pair};
use super::limits::Limits;
use super::node::{self, NodePrograms, NodeSettings};
use super::node_addresses::{HOST, NODE, SERVER_NAMES};
use super::ports::Ports;
use super::probe::Probe;
use super::programs::Programs;
use super::server::{Server, wait};
use super::simulation::{Beginning, Simulation, USER};
use super::state::{Phase, Process, SUPERVISOR, State, write_private};
use super::{arguments, kubeconfig};
use crate::{Error, Result};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

/// The maximum number of attempts to start the servers, as in controller-runtime: another process may take a port
/// after opctl has chosen it.
const ATTEMPTS: usize = 5;

/// The programs and options of a control plane.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    /// The existing folder for the control plane's files.
    pub(super) directory: PathBuf,
    /// The folder in which ports are reserved.
    pub(super) ports: PathBuf,
    /// The programs of the servers. If they include kube-controller-manager and `node` is `None`, the control plane has
    /// a simulated node.
    pub(super) programs: Programs,
    /// The settings of a real node; `None` for a control plane with a simulated node or without a node.
    pub(super) node: Option<NodeSettings>,
    pub(super) apiserver_arguments: Vec<String>,
    pub(super) limits: Limits,
}

/// The running servers of a control plane, which are killed when this value is dropped.
#[derive(Debug)]
pub(super) struct Plane {
    simulation: Option<Simulation>,
    node: Option<node::Runtime>,
    // The newest server comes first, so that each is stopped before the servers that it depends on.
    servers: Vec<Server>,
    controller_manager: Option<PathBuf>,
    limits: Limits,
    directory: PathBuf,
    state: State,
    _ports: Ports<3>,
}

impl Plane {
    /// Starts the servers and waits until the API server is ready. Each step updates the state in the recipe's folder.
    /// Must be called from a thread that lives as long as the control plane: see [`crate::exec`].
    pub(super) fn start(recipe: &Recipe) -> Result<Self> {
        let mut attempt = 1;
        loop {
            match start_once(recipe) {
                Err(error) if attempt < ATTEMPTS && port_was_taken(&error) => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    /// Returns the state of the control plane, which is also recorded in the control plane's folder.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// Fails if a server, the real node or the simulated node has ended.
    pub(super) fn check(&mut self) -> Result<()> {
        self.servers.iter_mut().try_for_each(Server::check)?;
        self.node.as_mut().map_or(Ok(()), node::Runtime::check)?;
        self.simulation.as_mut().map_or(Ok(()), Simulation::check)
    }

    /// Restarts kube-controller-manager, if it runs.
    pub(super) fn restart_controller_manager(&mut self) -> Result<()> {
        let running = self.servers.iter().position(|server| server.name() == super::places::CONTROLLER_MANAGER);
        let (Some(running), Some(program)) = (running, &self.controller_manager) else { return Ok(()) };
        self.servers.remove(running).stop(self.limits.stop);
        let arguments = arguments::controller_manager(&self.directory, self.node.is_some());
        let name = super::places::CONTROLLER_MANAGER;
        let manager = Server::start(name, program, &arguments, &self.directory)?;
        self.state.processes.retain(|process| process.name != name);
        record(&mut self.state, &manager, &self.directory)?;
        self.servers.insert(running, manager);
        Ok(())
    }

    /// Stops the servers, and kills each server that does not end within the time limit.
    pub(super) fn stop(&mut self) {
        self.simulation = None;
        self.node = None;
        for server in self.servers.drain(..) {
            server.stop(self.limits.stop);
        }
    }

    /// Returns the folder of the control plane.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }
}

/// Returns the path of the kubeconfig in a control plane's folder.
pub(super) fn kubeconfig_path(directory: &Path) -> PathBuf {
    directory.join("kubeconfig")
}

fn start_once(recipe: &Recipe) -> Result<Plane> {
    let ports = Ports::<3>::reserve(&recipe.ports)?;
    let [client, peer, secure] = ports.numbers;
    let directory = &recipe.directory;
    let mut state = State::starting(&recipe.apiserver_arguments);
    state.write(directory)?;
    // The API server answers at an address that comes with the node.
    let node = recipe.node.as_ref().map(|settings| node::Runtime::start(directory, settings, &recipe.limits));
    let node = node.transpose()?;
    if let Some(node) = &node {
        record(&mut state, node.server(), directory)?;
    }
    let mut servers = Vec::new();
    if let Some(port) = recipe.node.as_ref().and_then(|settings| settings.registry) {
        for server in node::start_registry(directory, port, &recipe.limits)? {
            record(&mut state, &server, directory)?;
            servers.push(server);
        }
        state.registry = Some(node::registry_host(port));
    }

    // Remove the data of an earlier attempt, if any.
    let _ = std::fs::remove_dir_all(directory.join("etcd"));
    let etcd_client = make_etcd_certificates(directory)?;
    let etcd_arguments = arguments::etcd(directory, client, peer);
    let etcd = Server::start(super::places::ETCD, &recipe.programs.etcd, &etcd_arguments, directory)?;
    record(&mut state, &etcd, directory)?;

    // The other certificates are made while etcd starts.
    let address = if node.is_some() { HOST } else { Ipv4Addr::LOCALHOST };
    let server = format!("https://{address}:{secure}");
    let (serving, users) = make_certificates(directory, node.is_some())?;
    let authority = serving.pair().certificate.clone();
    let admin = users.user("admin", Some("system:masters"))?;
    let probe = Probe::of_user(&authority, &admin)?;
    servers.insert(0, etcd);
    wait(&mut servers, recipe.limits.start, || etcd_client.get(&format!("https://127.0.0.1:{client}/health")))?;

    let manager = recipe.programs.controller_manager.as_ref();
    let own = &recipe.apiserver_arguments;
    let api_arguments = arguments::api_server(directory, [secure, client], manager.is_some(), node.is_some(), own);
    let api = Server::start(super::places::API_SERVER, &recipe.programs.api_server, &api_arguments, directory)?;
    record(&mut state, &api, directory)?;
    servers.insert(0, api);
    // `readyz` waits for the bootstrap roles; the namespace `default` is among the first objects of every cluster.
    wait(&mut servers, recipe.limits.start, || probe.get(&format!("{server}/readyz")))?;
    wait(&mut servers, recipe.limits.start, || probe.get(&format!("{server}/api/v1/namespaces/default")))?;

    let version = probe.get(&format!("{server}/version")).ok();
    let version = version.and_then(|body| serde_json::from_str::<serde_json::Value>(&body).ok());
    state.kubernetes = version.and_then(|version| Some(version["gitVersion"].as_str()?.to_owned())).unwrap_or_default();
    let kubeconfig = |user: &Pair| kubeconfig::render(&server, &authority, user);
    let admin = kubeconfig(&admin);
    let mut simulation = None;
    if let Some(program) = manager {
        let user = users.user("system:kube-controller-manager", None)?;
        write_private(&directory.join("controller-manager.kubeconfig"), &kubeconfig(&user))?;
        let arguments = arguments::controller_manager(directory, node.is_some());
        let manager = Server::start(super::places::CONTROLLER_MANAGER, program, &arguments, directory)?;
        record(&mut state, &manager, directory)?;
        servers.insert(0, manager);
        if node.is_none() {
            simulation = Some(Simulation::start(Beginning {
                directory: directory.clone(),
                admin: admin.clone(),
                node: kubeconfig(&users.user(USER, None)?),
                version: state.kubernetes.clone(),
            })?);
        }
        // Without the default service account no pod is admitted. It is among the first objects that
        // kube-controller-manager creates.
        let account = format!("{server}/api/v1/namespaces/default/serviceaccounts/default");
        wait(&mut servers, recipe.limits.start, || probe.get(&account))?;
    }
    if let (Some(node), Some(settings)) = (&node, &recipe.node) {
        for server in join(node, &settings.programs, directory, kubeconfig, &serving, &users)? {
            record(&mut state, &server, directory)?;
            servers.insert(0, server);
        }
        wait(&mut servers, recipe.limits.start, || {
            is_ready(&probe.get(&format!("{server}/api/v1/nodes/{}", node::NAME))?)
        })?;
        state.node = Some(node.init());
        state.container_runtime = settings.container_runtime;
    }
    write_private(&kubeconfig_path(directory), &admin)?;
    state.simulated_nodes = simulation.is_some();
    state.server = server;
    state.phase = Phase::Ready;
    state.write(directory)?;
    let controller_manager = recipe.programs.controller_manager.clone();
    Ok(Plane {
        simulation,
        node,
        servers,
        controller_manager,
        limits: recipe.limits,
        directory: directory.clone(),
        state,
        _ports: ports,
    })
}

fn record(state: &mut State, server: &Server, directory: &Path) -> Result<()> {
    debug_assert_ne!(server.name(), SUPERVISOR);
    state.processes.push(Process { name: server.name().to_owned(), identity: server.identity().clone() });
    state.write(directory)
}

/// Writes the certificates of etcd and of its only client, the API server. Returns a health check client that
/// authenticates to etcd as the API server.
fn make_etcd_certificates(directory: &Path) -> Result<Probe> {
    let authority = Authority::new()?;
    let (member, client) = (authority.member(&["localhost", "127.0.0.1"])?, authority.user("kube-apiserver", None)?);
    for (name, text) in [
        ("etcd-ca.crt", &authority.pair().certificate),
        ("etcd.crt", &member.certificate),
        ("etcd.key", &member.key),
        ("etcd-client.crt", &client.certificate),
        ("etcd-client.key", &client.key),
    ] {
        write_private(&directory.join(name), text)?;
    }
    Probe::of_user(&authority.pair().certificate, &client)
}

/// Writes the certificates that the API server reads. `node` is true if there is a real node, which needs further names
/// and certificates. Returns two authorities: first the authority for servers' certificates, which clients must trust,
/// then the authority for users' certificates.
fn make_certificates(directory: &Path, node: bool) -> Result<(Authority, Authority)> {
    let (serving, accounts, users) = (Authority::new()?, Authority::new()?, Authority::new()?);
    let mut names = vec!["localhost", "127.0.0.1", "::1"];
    if node {
        names.extend(SERVER_NAMES);
        let client = users.user("kube-apiserver-kubelet-client", Some("system:masters"))?;
        write_private(&directory.join("kubelet-client.crt"), &client.certificate)?;
        write_private(&directory.join("kubelet-client.key"), &client.key)?;
    }
    let server = serving.server(&names)?;
    for (name, text) in [
        // The file names that the server looks for in `--cert-dir`.
        ("apiserver.crt", &server.certificate),
        ("apiserver.key", &server.key),
        ("serving-ca.crt", &serving.pair().certificate),
        ("sa-signer.crt", &accounts.pair().certificate),
        ("sa-signer.key", &accounts.pair().key),
        ("client-cert-auth-ca.crt", &users.pair().certificate),
    ] {
        write_private(&directory.join(name), text)?;
    }
    Ok((serving, users))
}

/// Starts kube-scheduler, kube-proxy and the kubelet. The kubelet and kube-proxy run in the namespaces that were made
/// for the node, and the kubelet registers the node in the cluster.
fn join(
    node: &node::Runtime,
    programs: &NodePrograms,
    directory: &Path,
    kubeconfig: impl Fn(&Pair) -> String,
    serving: &Authority,
    users: &Authority,
) -> Result<[Server; 3]> {
    let user = format!("system:node:{}", node::NAME);
    let accounts = [
        ("kube-scheduler", "system:kube-scheduler", None),
        ("kube-proxy", "system:kube-proxy", None),
        ("kubelet", &user, Some("system:nodes")),
    ];
    for (name, user, group) in accounts {
        let user = users.user(user, group)?;
        write_private(&directory.join(format!("{name}.kubeconfig")), &kubeconfig(&user))?;
    }
    let kubelet = serving.server(&[node::NAME, &NODE.to_string()])?;
    write_private(&directory.join("kubelet.crt"), &kubelet.certificate)?;
    write_private(&directory.join("kubelet.key"), &kubelet.key)?;
    let scheduler = Server::start("kube-scheduler", &programs.scheduler, &arguments::scheduler(directory), directory)?;
    let [proxy, kubelet] = node.join(programs, directory)?;
    Ok([scheduler, proxy, kubelet])
}

/// Fails if the node is not ready. `node` is the JSON that the API server returns for the node.
fn is_ready(node: &str) -> Result<(), String> {
    let node: serde_json::Value = serde_json::from_str(node).map_err(|error| error.to_string())?;
    let conditions = node["status"]["conditions"].as_array();
    let ready = conditions.into_iter().flatten().find(|condition| condition["type"] == "Ready");
    match ready {
        Some(ready) if ready["status"] == "True" => Ok(()),
        Some(ready) => Err(ready["message"].as_str().unwrap_or_default().to_owned()),
        None => Err("the kubelet has not reported yet".to_owned()),
    }
}

fn port_was_taken(error: &Error) -> bool {
    error.causes().iter().any(|cause| cause.contains("address already in use"))
}
