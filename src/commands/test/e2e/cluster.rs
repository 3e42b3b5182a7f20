//! Starts or finds the cluster on which `opctl test --e2e` runs the tests.

use super::args::{EndToEndArgs, On};
use crate::cluster::Target;
use crate::commands::context::Context;
use crate::envtest::{ControlPlane, Images, Options, check_node};
use crate::error::hint;
use crate::exec::kind;
use crate::{Error, Result};
use std::io::ErrorKind;
use std::path::Path;

/// A cluster on which the tests run.
pub(super) enum Cluster {
    /// A control plane that this process runs, with a real node.
    Node(Box<ControlPlane>),
    /// The kind cluster of this name.
    Kind(String),
    /// The cluster that the command-line flags choose.
    Chosen(Target),
}

/// Fails if the flags contradict each other, or if the cluster is not available. Called before the image is built,
/// because a build takes minutes.
pub(super) fn check(args: &EndToEndArgs) -> Result<()> {
    let takes_target = args.target.kubeconfig.is_some() || args.target.context.is_some();
    if takes_target && args.on != On::Current {
        return Err(Error::usage("`--kubeconfig` and `--context` apply only to `--on current`")
            .hint("opctl test --e2e --on current --image registry.example.com/my-operator:0.1.0 --context NAME"));
    }
    if args.cluster.is_some() && args.on != On::Kind {
        return Err(Error::usage("`--cluster` names a kind cluster, and so needs `--on kind`")
            .hint("opctl test --e2e --on kind --cluster NAME"));
    }
    match args.on {
        On::Node => check_node(),
        On::Kind => check_kind(&kind_name(args)),
        On::Current if !args.load.is_empty() => Err(Error::usage(
            "`--load` cannot be used with `--on current`: that cluster pulls its images from registries",
        )
        .hint("opctl test --e2e --on kind --load …")),
        On::Current if args.image.is_none() || [&args.image, &args.from].into_iter().flatten().any(is_archive) => {
            let image = "registry.example.com/my-operator:0.1.0";
            Err(Error::usage(
                "with `--on current`, the cluster pulls the operator's image from a registry: `--image` \
                              is required, and neither `--image` nor `--from` may be an archive",
            )
            .hint(hint!("opctl build --image {image} --push\nopctl test --e2e --on current --image {image}", image)))
        }
        On::Current => Ok(()),
    }
}

/// Starts a control plane with a node for `--on node`, or else returns the existing cluster that the flags choose.
pub(super) fn open(args: &EndToEndArgs, context: &Context) -> Result<Cluster> {
    Ok(match args.on {
        On::Node => {
            let options = Options { node: true, ..Options::default() };
            let plane = ControlPlane::start(&options, &context.console)?;
            context.console.status("Serving", format!("Kubernetes {} with a node", plane.version()));
            Cluster::Node(Box::new(plane))
        }
        On::Kind => Cluster::Kind(kind_name(args)),
        On::Current => Cluster::Chosen(args.target.target(context)),
    })
}

impl Cluster {
    /// Returns this cluster as a target for other opctl commands.
    pub(super) fn target(&self) -> Target {
        match self {
            Cluster::Node(plane) => Target { kubeconfig: Some(plane.kubeconfig_path()), ..Target::default() },
            Cluster::Kind(name) => Target { context: Some(format!("kind-{name}")), ..Target::default() },
            Cluster::Chosen(target) => target.clone(),
        }
    }

    /// Loads the images of an archive into the cluster.
    pub(super) fn load_archive(&self, archive: &Path, context: &Context) -> Result<()> {
        match self {
            Cluster::Node(plane) => {
                let images = plane.load(&Images::Archive(archive))?;
                context.console.status("Loaded", images.join(", "));
                Ok(())
            }
            Cluster::Kind(name) => kind_load(archive, name, context),
            Cluster::Chosen(_) => {
                Err(Error::bug("cannot load an image into a cluster that pulls images from a registry"))
            }
        }
    }

    /// Fails if a server of the control plane that this process runs has ended. Does not check a cluster that existed
    /// before the tests.
    pub(super) fn check(&mut self) -> Result<()> {
        match self {
            Cluster::Node(plane) => plane.check(),
            Cluster::Kind(_) | Cluster::Chosen(_) => Ok(()),
        }
    }
}

fn is_archive(image: &String) -> bool {
    Path::new(image).is_file()
}

fn kind_name(args: &EndToEndArgs) -> String {
    args.cluster.clone().unwrap_or_else(|| "kind".to_owned())
}

fn check_kind(name: &str) -> Result<()> {
    let output = kind(&["get", "clusters"]).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::environment("`kind` is not installed, or not on PATH")
            .hint("install it: https://kind.sigs.k8s.io\nor, on Linux: opctl test --e2e --on node"),
        _ => no_kind(&error),
    })?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if said.lines().any(|line| line.trim() == name) {
        return Ok(());
    }
    let error = Error::environment(format!("kind has no cluster `{name}`"));
    let reason = String::from_utf8_lossy(&output.stderr).into_owned();
    let error = if output.status.success() { error } else { error.caused_by(reason.trim()) };
    Err(error.hint(hint!("kind create cluster --name {name}", name)))
}

fn kind_load(archive: &Path, name: &str, context: &Context) -> Result<()> {
    let path = archive.display().to_string();
    let line = ["load", "image-archive", &path, "--name", name];
    context.console.command(&format!("kind {}", line.join(" ")));
    let output = kind(&line).map_err(|error| no_kind(&error))?;
    if output.status.success() {
        return Ok(());
    }
    let error = Error::environment(format!("kind does not load the image into cluster `{name}`"));
    Err(error.caused_by(String::from_utf8_lossy(&output.stderr).trim()))
}

fn no_kind(error: &std::io::Error) -> Error {
    Error::environment("cannot run `kind`").source(error)
}
