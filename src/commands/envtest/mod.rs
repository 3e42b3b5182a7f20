//! `opctl envtest`: a local control plane, without containers.

mod setup;

use super::command::{OpctlCommand, Uses};
use super::context::Context;
use crate::envtest::{self, ContainerRuntime, Images, Name, Running, StartOptions, Status, Supervision};
use crate::exec::ContainerTool;
use crate::model::check_image;
use crate::report::{Console, Form, Outcome, Report};
use crate::{Error, Result};
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Run a real Kubernetes API server on this machine
#[derive(Debug, Args)]
#[command(after_help = "Example:\n    export KUBECONFIG=\"$(opctl envtest start)\"")]
pub(crate) struct EnvtestArgs {
    #[command(subcommand)]
    command: EnvtestCommand,
}

#[derive(Debug, Subcommand)]
enum EnvtestCommand {
    /// Put etcd, kube-apiserver and kube-controller-manager into the store that is shared with setup-envtest
    ///
    /// Downloads the programs and verifies their checksums. Programs that setup-envtest's archives lack come from
    /// Kubernetes' own downloads. An interrupted download is resumed. `--mirror` and `--from` name another source of
    /// the same files, and `--download-only` puts the files into a folder for `--from`; `opctl help testing` describes
    /// the folder. Kubernetes publishes kube-controller-manager for Linux only; on other systems, and if a download fails,
    /// the programs are built from their published Go modules, if Go is installed.
    #[command(after_help = setup::EXAMPLES)]
    Setup(setup::SetupArgs),
    /// Start a control plane and print the path of its kubeconfig
    ///
    /// The control plane runs until `opctl envtest stop`. Starting the same name again prints the same path.
    #[command(
        after_help = "Examples:\n    export KUBECONFIG=\"$(opctl envtest start)\"\n    opctl envtest start --name other \
             --apiserver-arg=--v=4\n    opctl envtest start --simulate-nodes    # simulates running pods\n    opctl \
             envtest start --node    # runs containers; needs root on Linux\n    opctl envtest start --node --registry    # \
             serves localhost:5001"
    )]
    Start(StartArgs),
    /// Stop a control plane and remove its data
    #[command(after_help = "Examples:\n    opctl envtest stop\n    opctl envtest stop --all")]
    Stop(StopArgs),
    /// Show the state of a control plane
    #[command(after_help = "Example:\n    opctl envtest status --name default")]
    Status(NameArgs),
    /// List the control planes that run and the versions that are installed
    #[command(after_help = "Example:\n    opctl envtest list -o json")]
    List,
    /// Load images into the node of a control plane; the node cannot pull from remote registries
    #[command(
        after_help = "Examples:\n    opctl envtest load web-operator:1    # from docker, podman or buildah\n    opctl envtest load web-operator.tar\n    docker save web-operator:1 | opctl envtest load -"
    )]
    Load(LoadArgs),
    /// Print the variables that tests and kubectl read
    #[command(after_help = "Example:\n    eval \"$(opctl envtest env)\"")]
    Env(NameArgs),
    #[command(name = envtest::SUPERVISE, hide = true)]
    Supervise(SuperviseArgs),
}

#[derive(Debug, Args)]
struct NameArgs {
    /// The control plane's name
    #[arg(long, default_value = "default")]
    name: String,
}

#[derive(Debug, Args)]
struct StartArgs {
    #[command(flatten)]
    name: NameArgs,
    /// A flag for kube-apiserver, such as `--v=4`; may be repeated, and replaces a default of the same name
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    apiserver_arg: Vec<String>,
    /// Run the real controllers and a simulated node: pods become Ready, Jobs complete, claims are bound
    ///
    /// opctl runs no containers, it only sets their status: in pods with `restartPolicy: Always` they run forever, in
    /// other pods they exit with code 0. Images named `fail:pull`, `fail:crash` or `fail:unready` simulate these
    /// failures.
    #[arg(long)]
    simulate_nodes: bool,
    /// Run a real node with a kubelet and containerd or CRI-O, on which containers run
    ///
    /// Needs Linux and root. Pods reach each other, Services and the API server, but no other network: load the images
    /// that they run with `opctl envtest load`. Only one node can run on a machine.
    #[arg(long, conflicts_with = "simulate_nodes")]
    node: bool,
    /// The container runtime of the node [default: the first that is installed]
    #[arg(long, value_enum, value_name = "NAME", requires = "node")]
    container_runtime: Option<ContainerRuntime>,
    /// Serve a registry on this machine for the node, at `localhost:5001` unless another port is given
    #[arg(
        long,
        value_name = "PORT",
        requires = "node",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5001",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    registry: Option<u16>,
    /// The version of Kubernetes, in the format of `opctl envtest setup` [default: the installed version]
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
}

#[derive(Debug, Args)]
struct StopArgs {
    #[command(flatten)]
    name: NameArgs,
    /// Stop every control plane
    #[arg(long, conflicts_with = "name")]
    all: bool,
}

#[derive(Debug, Args)]
struct LoadArgs {
    #[command(flatten)]
    name: NameArgs,
    /// An image in the store of a container tool, or an archive of images, as `docker save` writes it; `-` is stdin
    #[arg(value_name = "IMAGE")]
    image: String,
    /// Take the image from this container tool [default: the first tool that has the image]
    #[arg(long, value_enum, value_name = "TOOL")]
    tool: Option<ContainerTool>,
}

#[derive(Debug, Args)]
struct SuperviseArgs {
    #[arg(long)]
    directory: PathBuf,
    #[arg(long)]
    ports: PathBuf,
    #[arg(long)]
    etcd: PathBuf,
    #[arg(long)]
    api_server: PathBuf,
    #[arg(long)]
    controller_manager: Option<PathBuf>,
    #[arg(long)]
    node: Option<ContainerRuntime>,
    #[arg(long)]
    registry: Option<u16>,
    #[arg(long, allow_hyphen_values = true)]
    apiserver_arg: Vec<String>,
}

impl OpctlCommand for EnvtestArgs {
    fn uses(&self, most: Uses) -> Uses {
        if matches!(self.command, EnvtestCommand::Supervise(_)) { Uses::Parent } else { most }
    }

    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

fn run(args: &EnvtestArgs, context: &Context) -> Result<Report> {
    let console = &context.console;
    if let EnvtestCommand::Supervise(args) = &args.command {
        return supervise(args);
    }
    match &args.command {
        EnvtestCommand::Setup(args) => setup::run(args, context),
        EnvtestCommand::Start(args) => start(args, console),
        EnvtestCommand::Stop(args) => stop(args, console),
        EnvtestCommand::Status(args) => status(&args.name.parse()?),
        EnvtestCommand::Load(args) => load(args),
        EnvtestCommand::List => list(console),
        EnvtestCommand::Env(args) => environment(&args.name.parse()?),
        EnvtestCommand::Supervise(_) => Err(Error::bug(
            "the internal command that supervises a control plane must be \
                                                        handled before all other commands",
        )),
    }
}

fn start(args: &StartArgs, console: &Console) -> Result<Report> {
    let options = StartOptions {
        name: args.name.name.parse()?,
        version: args.version.as_deref().map(str::parse).transpose()?,
        apiserver_arguments: args.apiserver_arg.clone(),
        simulate_nodes: args.simulate_nodes,
        node: args.node,
        container_runtime: args.container_runtime,
        registry: args.registry,
    };
    let running = envtest::start(&options, console)?;
    let path = running.kubeconfig_path();
    let shown = Report::shown("envtest start", path.display().to_string(), document(&running));
    let mut report = Report { form: Form::Document, ..shown };
    report.outcome = if running.new { Outcome::Changed } else { Outcome::Unchanged };
    let done = if running.new { "runs" } else { "runs already" };
    let (name, state) = (&running.name, &running.state);
    Ok(report.summary(format!("control plane `{name}` {done}: Kubernetes {} at {}", state.kubernetes, state.server)))
}

fn stop(args: &StopArgs, console: &Console) -> Result<Report> {
    let names = if args.all { envtest::list(console)? } else { vec![args.name.name.parse()?] };
    let (mut stopped, mut failed) = (Vec::new(), None);
    for name in &names {
        match envtest::stop(name, console) {
            Ok(true) => stopped.push(format!("`{name}`")),
            Ok(false) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let outcome = if stopped.is_empty() { Outcome::Unchanged } else { Outcome::Changed };
    let summary = match (&stopped[..], args.all) {
        ([], true) => "no control plane runs".to_owned(),
        ([], false) => format!("control plane `{}` does not run", args.name.name),
        _ => format!("stopped control plane {}", stopped.join(", ")),
    };
    let mut report = Report::new("envtest stop", outcome).summary(summary);
    report.data = Some(json!({"stopped": stopped.iter().map(|name| name.trim_matches('`')).collect::<Vec<_>>()}));
    Ok(report)
}

fn load(args: &LoadArgs) -> Result<Report> {
    let name: Name = args.name.name.parse()?;
    envtest::check_has_node(&name)?;
    let path = Path::new(&args.image);
    let is_archive = args.tool.is_none() && (args.image == "-" || path.is_file());
    let images = if is_archive {
        Images::Archive(path)
    } else {
        check_loadable(&args.image)?;
        Images::Stored(&args.image, args.tool)
    };
    let images = envtest::load(&name, &images)?;
    let mut report = Report::new("envtest load", Outcome::Changed);
    let listed: Vec<_> = images.iter().map(|image| format!("`{image}`")).collect();
    let loaded = if listed.is_empty() { "the archive".to_owned() } else { listed.join(", ") };
    report.data = Some(json!({"name": name.as_str(), "images": images}));
    Ok(report.summary(format!("loaded {loaded} into the node of control plane `{name}`")))
}

/// Fails if `image` looks like a path, or if it is not a valid image reference.
fn check_loadable(image: &str) -> Result<()> {
    let is_path = image.starts_with(['.', '/']) || Path::new(image).extension().is_some_and(|suffix| suffix == "tar");
    if is_path {
        return Err(Error::user(format!("`{image}` does not exist"))
            .hint("write an image archive: docker save --output web-operator.tar web-operator:1"));
    }
    check_image(image)
}

fn status(name: &Name) -> Result<Report> {
    let (text, data) = match envtest::status(name)? {
        Status::Running(running) => (describe(&running), document(&running)),
        Status::Starting => (format!("{name}: starting"), json!({"name": name.as_str(), "status": "starting"})),
        Status::Stopped => (format!("{name}: not running"), json!({"name": name.as_str(), "status": "stopped"})),
    };
    Ok(Report::shown("envtest status", text, data))
}

fn list(console: &Console) -> Result<Report> {
    let (mut lines, mut planes) = (Vec::new(), Vec::new());
    let mut warnings = Vec::new();
    for name in envtest::list(console)? {
        match status(&name) {
            Ok(report) => {
                lines.extend(report.text);
                planes.extend(report.data);
            }
            Err(error) => warnings.push(error.to_string()),
        }
    }
    if lines.is_empty() && warnings.is_empty() {
        lines.push("no control plane runs".to_owned());
    }
    let entries = envtest::Store::new(envtest::Places::of_this_process()?.store).entries();
    lines.push(if entries.is_empty() { "no version is installed" } else { "installed:" }.to_owned());
    for entry in &entries {
        let without = if entry.controller_manager { "" } else { "  (without kube-controller-manager)" };
        lines.push(format!("  {}  {}{without}", entry.version, entry.directory.display()));
    }
    let installed: Vec<_> = entries
        .iter()
        .map(|entry| {
            let version = entry.version.to_string();
            json!({"version": version, "directory": entry.directory, "controllerManager": entry.controller_manager})
        })
        .collect();
    let data = json!({"controlPlanes": planes, "installed": installed});
    let mut report = Report::shown("envtest list", lines.join("\n"), data);
    report.warnings = warnings;
    Ok(report)
}

fn environment(name: &Name) -> Result<Report> {
    let store = envtest::Store::new(envtest::Places::of_this_process()?.store);
    let programs = envtest::Programs::find(None, &store)?;
    let assets = programs.as_ref().and_then(envtest::Programs::directory);
    let kubeconfig = match envtest::status(name)? {
        Status::Running(running) => Some(running.kubeconfig_path()),
        Status::Starting | Status::Stopped => None,
    };
    let variables = [("KUBEBUILDER_ASSETS", assets.map(PathBuf::from)), ("KUBECONFIG", kubeconfig)];
    let (mut lines, mut data) = (Vec::new(), serde_json::Map::new());
    for (variable, path) in variables {
        if let Some(path) = path {
            let path = path.display().to_string();
            lines.push(format!("export {variable}={}", quote_for_shell(&path)));
            data.insert(variable.to_owned(), path.into());
        }
    }
    if lines.is_empty() {
        return Err(Error::environment("no Kubernetes servers are installed, and no local control plane is running")
            .hint("opctl envtest setup"));
    }
    Ok(Report { form: Form::Document, ..Report::shown("envtest env", lines.join("\n"), data.into()) })
}

fn supervise(args: &SuperviseArgs) -> Result<Report> {
    let supervision = Supervision {
        directory: args.directory.clone(),
        ports: args.ports.clone(),
        etcd: args.etcd.clone(),
        api_server: args.api_server.clone(),
        controller_manager: args.controller_manager.clone(),
        node: args.node,
        registry: args.registry,
        apiserver_arguments: args.apiserver_arg.clone(),
    };
    envtest::supervise(&supervision)?;
    Ok(Report::new("envtest supervise", Outcome::Changed))
}

fn document(running: &Running) -> serde_json::Value {
    let processes = running.state.processes.iter();
    let processes = processes.map(|process| (process.name.clone(), process.identity.pid.into()));
    json!({
        "name": running.name.as_str(),
        "status": "running",
        "server": running.state.server,
        "version": running.state.kubernetes,
        "kubeconfig": running.kubeconfig_path(),
        "directory": running.directory,
        "simulatedNodes": running.state.simulated_nodes,
        "node": running.state.node.is_some(),
        "containerRuntime": running.state.node.map(|_| running.state.container_runtime),
        "registry": running.state.registry,
        "processes": processes.collect::<serde_json::Map<_, _>>(),
    })
}

fn describe(running: &Running) -> String {
    let state = &running.state;
    let processes: Vec<_> =
        state.processes.iter().map(|process| format!("{} {}", process.name, process.identity.pid)).collect();
    let nodes = match state.node {
        Some(_) => format!("1, with {}", state.container_runtime.name()),
        None if state.simulated_nodes => "simulated".to_owned(),
        None => "none".to_owned(),
    };
    let registry = state.registry.as_ref().map(|host| format!("\n  registry    {host}")).unwrap_or_default();
    format!(
        "{}: Kubernetes {} at {}\n  kubeconfig  {}\n  logs        {}\n  nodes       {nodes}{registry}\n  processes   {}",
        running.name,
        state.kubernetes,
        state.server,
        running.kubeconfig_path().display(),
        running.directory.join("*.log").display(),
        processes.join(", ")
    )
}

/// Quotes a text for a shell as setup-envtest does.
fn quote_for_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r#"'"'"'"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_a_path_is_quoted_as_setup_envtest_does() {
        assert_eq!(quote_for_shell("/a b"), "'/a b'");
        assert_eq!(quote_for_shell("/it's"), r#"'/it'"'"'s'"#);
    }
}
