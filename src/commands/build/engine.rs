//! Chooses the container tool that builds an image, and runs the command lines that build and load images.

use crate::envtest;
use crate::error::{Hint, hint};
use crate::exec::{ContainerTool, Guarded, ImageBuild, Lack, LocalCluster, print_to_stderr, spawn};
use crate::system::own_program;
use crate::{Error, Result};
use std::env::consts::EXE_EXTENSION;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns true if a container tool is installed, whether it works or not.
pub(super) fn has_tool() -> bool {
    ContainerTool::ALL.iter().any(|tool| is_installed(tool.program()))
}

fn is_installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).with_extension(EXE_EXTENSION).is_file())
}

/// Returns the container tool that the user asked for, or the first container tool that can build this image.
pub(super) fn working_tool(asked: Option<ContainerTool>, build: &ImageBuild) -> Result<ContainerTool> {
    let tools = asked.map_or_else(|| ContainerTool::ALL.to_vec(), |tool| vec![tool]);
    let mut lacks = Vec::new();
    for tool in tools {
        match tool.check(build) {
            Ok(()) => return Ok(tool),
            Err(lack) => lacks.push((tool, lack)),
        }
    }
    let error = Error::environment("no container tool that can build the image was found");
    let error = lacks.iter().fold(error, |error, (tool, lack)| {
        error.caused_by(match lack {
            Lack::Program => format!("`{}` is not installed, or not on PATH", tool.program()),
            Lack::Engine(reason) => format!("`{}` does not work: {reason}", tool.program()),
            Lack::Buildx => format!("`{}` lacks its plugin buildx, without which it has no BuildKit", tool.program()),
            Lack::Builder => format!(
                "`{}` needs a separate builder or containerd's image store to build for several platforms, and has \
                 neither",
                tool.program()
            ),
        })
    });
    Err(match lacks.iter().find(|(_, lack)| *lack != Lack::Program) {
        Some((tool, Lack::Engine(_))) => {
            error.hint(hint!("start the container engine, then check:\n{} info", tool.program()))
        }
        Some((_, Lack::Builder)) => error.hint("docker buildx create --use"),
        Some(_) => error.hint("install buildx: https://github.com/docker/buildx#installing"),
        None => error.hint(hint!(
            "opctl build --image {} --local --archive image.tar    # without a container tool, or install \
             one:\nhttps://podman.io/docs/installation",
            build.image
        )),
    })
}

/// Fails if the tool that loads images into the cluster, such as `kind`, is not installed, or if opctl's control
/// plane has no node. Runs before the build, which takes minutes.
pub(super) fn check_cluster(load: Option<LocalCluster>, cluster: Option<&str>) -> Result<()> {
    let program = match load {
        None => return Ok(()),
        Some(LocalCluster::Node) => {
            let name = cluster.map(str::parse).transpose()?.unwrap_or_default();
            return envtest::check_has_node(&name);
        }
        Some(LocalCluster::Kind) => "kind",
        Some(LocalCluster::K3d) => "k3d",
        Some(LocalCluster::Minikube) => "minikube",
    };
    if is_installed(program) {
        return Ok(());
    }
    Err(Error::environment(format!("`{program}` is not installed, or not on PATH"))
        .caused_by("opctl needs this program to load the image into the cluster; opctl has not built the image"))
}

/// Runs the command line `line` in the project's folder `root`. If `buildkit` is true, Docker builds the image with
/// `BuildKit`. If `json` is true, the command's output goes to stderr, because stdout is for opctl's JSON.
pub(in crate::commands) fn execute(line: &[String], root: &Path, buildkit: bool, json: bool) -> Result<()> {
    // Another opctl may be on PATH.
    let own = if line[0] == "opctl" { own_program().ok() } else { None };
    let mut command = Command::new(own.unwrap_or_else(|| line[0].clone().into()));
    command.args(&line[1..]).current_dir(root).stdin(Stdio::null());
    if buildkit {
        // Without this variable, Docker before 23 uses its old builder.
        command.env("DOCKER_BUILDKIT", "1");
    }
    if json {
        print_to_stderr(&mut command);
    }
    let status = spawn(&mut command).and_then(Guarded::wait).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::environment(format!("`{}` is not installed, or not on PATH", line[0])),
        _ => Error::environment(format!("cannot run `{}`", line[0])).caused_by(error),
    })?;
    if status.success() {
        return Ok(());
    }
    Err(Error::user(format!("`{}` failed", line.join(" ")))
        .caused_by(format!("the command failed with {status}; the reason is printed above"))
        .hint(Hint::join(line, " ")))
}
