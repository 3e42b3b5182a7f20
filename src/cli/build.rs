//! `opctl build`.

use super::command::OpctlCommand;
use super::context::Context;
use crate::envtest;
use crate::error::{Hint, file_error, hint};
use crate::exec::{ContainerTool, Guarded, ImageBuild, Lack, LocalCluster, print_to_stderr, spawn};
use crate::model::check_image;
use crate::reading::{self, Limit};
use crate::report::{Outcome, Report};
use crate::workspace::{Workspace, discover};
use crate::{Error, Result};
use clap::Args;
use serde_json::json;
use std::env::consts::EXE_EXTENSION;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

const EXAMPLES: &str = "\
Examples:
    opctl build --image registry.example.com/webserver-operator:0.1.0 --push
    opctl build --image registry.example.com/webserver-operator:0.1.0 --push \\
        --platform linux/amd64,linux/arm64
    opctl build --image webserver-operator:dev --load kind
    opctl build --image webserver-operator:dev --load node";

/// Build the operator's image
///
/// With the first container tool that is there and works.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct BuildArgs {
    /// The image's name
    #[arg(long, value_name = "REF")]
    image: String,
    /// Build for these platforms, such as linux/arm64 [default: this machine's]
    #[arg(long, value_delimiter = ',', value_name = "OS/ARCH")]
    platform: Vec<String>,
    /// Push it to its registry
    #[arg(long)]
    push: bool,
    /// Load it into a local cluster
    #[arg(long, value_enum, value_name = "CLUSTER")]
    load: Option<LocalCluster>,
    /// The name of that cluster [default: the one that its tool means without a name]
    #[arg(long, value_name = "NAME", requires = "load")]
    cluster: Option<String>,
    /// Use this container tool [default: the first that is there and works]
    #[arg(long, value_enum, value_name = "TOOL")]
    tool: Option<ContainerTool>,
    /// Show the commands, and run none
    #[arg(long)]
    dry_run: bool,
}

/// Builds the operator's image for this machine. Returns the tool that has it.
pub(super) fn build_image(image: &str, context: &Context) -> Result<ContainerTool> {
    let args = BuildArgs {
        image: image.to_owned(),
        platform: Vec::new(),
        push: false,
        load: None,
        cluster: None,
        tool: None,
        dry_run: false,
    };
    args.build(context).map(|(_, tool)| tool)
}

impl OpctlCommand for BuildArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        self.build(context).map(|(report, _)| report)
    }
}

impl BuildArgs {
    /// Builds the image. Returns the report, and the tool that has the image.
    fn build(&self, context: &Context) -> Result<(Report, ContainerTool)> {
        check_image(&self.image)?;
        check_platforms(self)?;
        let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
        let root = workspace.root();
        let path = root.join("Dockerfile");
        let dockerfile = reading::bytes(&path, Limit::Settings).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Error::user("`Dockerfile` does not exist").hint("git checkout Dockerfile .dockerignore")
            }
            _ => file_error("read", &path, &error),
        })?;
        let folder = tempfile::Builder::new().prefix("opctl-image-").tempdir();
        let folder = folder.map_err(|error| file_error("make a folder in", &std::env::temp_dir(), &error))?;
        let build = ImageBuild {
            image: self.image.clone(),
            platforms: self.platform.clone(),
            needs_buildkit: String::from_utf8_lossy(&dockerfile).contains("BUILDPLATFORM"),
            push: self.push,
            load: self.load,
            cluster: self.cluster.clone(),
            archive: folder.path().join("image.tar").to_string_lossy().into_owned(),
            list: folder.path().file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase(),
        };
        let tool = match (self.tool, self.dry_run) {
            (Some(tool), true) => tool,
            (tool, _) => working_tool(tool, &build)?,
        };
        let lines = tool.command_lines(&build);
        if !self.dry_run {
            check_cluster(&build)?;
        }
        if self.dry_run {
            let text: Vec<String> = lines.iter().map(|line| Hint::join(line, " ").as_str().to_owned()).collect();
            let shown = Report::shown("build", text.join("\n"), json!(text));
            return Ok((Report { outcome: Outcome::DryRun, ..shown }, tool));
        }
        for line in &lines {
            context.console.command(Hint::join(line, " ").as_str());
            execute(line, root, build.needs_buildkit, context.console.json())?;
        }
        let report = Report::new("build", Outcome::Changed).summary(format!("`{}` is built", self.image));
        Ok((report.next(hint!("opctl deploy --image {}", self.image)), tool))
    }
}

fn check_platforms(args: &BuildArgs) -> Result<()> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric());
    let valid = |platform: &&String| {
        let parts: Vec<&str> = platform.split('/').collect();
        (2..=3).contains(&parts.len()) && parts.iter().all(|part| is_word(part))
    };
    if let Some(bad) = args.platform.iter().find(|platform| !valid(platform)) {
        return Err(Error::usage(format!("`{bad}` is not a platform")).hint("--platform linux/amd64,linux/arm64"));
    }
    if args.platform.len() > 1 && (args.load.is_some() || !args.push) {
        return Err(Error::usage("an image for several platforms goes to a registry")
            .caused_by("local clusters and image stores hold one platform")
            .hint(hint!("opctl build --image {} --platform {} --push", args.image, args.platform.join(","))));
    }
    Ok(())
}

/// Returns the tool that was asked for, or the first tool that can build this image.
fn working_tool(asked: Option<ContainerTool>, build: &ImageBuild) -> Result<ContainerTool> {
    let tools = asked.map_or_else(|| ContainerTool::ALL.to_vec(), |tool| vec![tool]);
    let mut lacks = Vec::new();
    for tool in tools {
        match tool.check(build) {
            Ok(()) => return Ok(tool),
            Err(lack) => lacks.push((tool, lack)),
        }
    }
    let error = Error::environment("no container tool can build the image");
    let error = lacks.iter().fold(error, |error, (tool, lack)| {
        error.caused_by(match lack {
            Lack::Program => format!("`{}` is not installed, or not on PATH", tool.program()),
            Lack::Engine(reason) => format!("`{}` does not work: {reason}", tool.program()),
            Lack::Buildx => format!("`{}` lacks its plugin buildx, without which it has no BuildKit", tool.program()),
            Lack::Builder => format!(
                "`{}` builds for several platforms with a builder of its own or in containerd's image store, and has neither",
                tool.program()
            ),
        })
    });
    Err(match lacks.iter().find(|(_, lack)| *lack != Lack::Program) {
        Some((tool, Lack::Engine(_))) => error.hint(hint!("start its engine, then look at:\n{} info", tool.program())),
        Some((_, Lack::Builder)) => error.hint("docker buildx create --use"),
        Some(_) => error.hint("install buildx: https://github.com/docker/buildx#installing"),
        None => error.hint("install one, for example Podman: https://podman.io/docs/installation"),
    })
}

/// Checks that the image can be loaded, before minutes are spent on building it.
fn check_cluster(build: &ImageBuild) -> Result<()> {
    let program = match build.load {
        None => return Ok(()),
        Some(LocalCluster::Node) => {
            let name = build.cluster.as_deref().map(str::parse).transpose()?.unwrap_or_default();
            return envtest::check_has_node(&name);
        }
        Some(LocalCluster::Kind) => "kind",
        Some(LocalCluster::K3d) => "k3d",
        Some(LocalCluster::Minikube) => "minikube",
    };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&folders).any(|folder| folder.join(program).with_extension(EXE_EXTENSION).is_file()) {
        return Ok(());
    }
    Err(Error::environment(format!("`{program}` is not installed, or not on PATH"))
        .caused_by("it loads the image into the cluster; nothing was built"))
}

fn execute(line: &[String], root: &Path, buildkit: bool, json: bool) -> Result<()> {
    // Another opctl may be on PATH.
    let own = if line[0] == "opctl" { std::env::current_exe().ok() } else { None };
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
        .caused_by(format!("it ended with {status}; the reason is printed above"))
        .hint(Hint::join(line, " ")))
}
