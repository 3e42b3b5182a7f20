//! Implements `opctl build`, which builds, pushes and loads the operator's image.

use super::engine::{check_cluster, execute, has_tool, working_tool};
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::error::{Hint, file_error, hint};
use crate::exec::{ContainerTool, ImageBuild, LocalCluster, TemporaryFolder, save_image};
use crate::model::check_image;
use crate::reading::{self, Limit};
use crate::report::{Outcome, Report};
use crate::workspace::{Workspace, discover};
use crate::{Error, Result};
use clap::Args;
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
    opctl build --image registry.example.com/webserver-operator:0.1.0 --push
    opctl build --image registry.example.com/webserver-operator:0.1.0 --push \\
        --platform linux/amd64,linux/arm64
    opctl build --image webserver-operator:dev --load kind
    opctl build --image webserver-operator:dev --load node
    opctl build --image webserver-operator:dev --local --load node";

/// Build the operator's image
///
/// Builds the Dockerfile with the first container tool that is installed and works. `--local` needs no container tool:
/// cargo compiles on this machine a program that needs no library, and the image contains only the program. To compile
/// for this machine, the compiler needs a static C library (Debian: `libc6-dev`); for another machine, a Rust target
/// and a linker that cargo knows. An image of `--local` has no certificates of public authorities: an operator that
/// calls
/// servers other than the API server needs a `--base`. The same sources make the same image.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BuildArgs {
    /// The image's name
    #[arg(long, value_name = "REF")]
    pub(super) image: String,
    /// Build for these platforms, such as linux/arm64 [default: this machine's]
    #[arg(long, value_delimiter = ',', value_name = "OS/ARCH")]
    pub(super) platform: Vec<String>,
    /// Push the image to its registry
    #[arg(long)]
    pub(super) push: bool,
    /// Load the image into a local cluster
    #[arg(long, value_enum, value_name = "CLUSTER")]
    pub(super) load: Option<LocalCluster>,
    /// The name of the local cluster [default: the default name of the cluster's tool]
    #[arg(long, value_name = "NAME", requires = "load")]
    pub(super) cluster: Option<String>,
    /// Use this container tool [default: the first one that is installed and works]
    #[arg(long, value_enum, value_name = "TOOL")]
    pub(super) tool: Option<ContainerTool>,
    /// Compile on this machine, and make the image without a container tool
    #[arg(long, conflicts_with = "tool")]
    pub(super) local: bool,
    /// The cargo profile for `--local`
    #[arg(long, value_name = "NAME", default_value = "release", requires = "local")]
    pub(super) profile: String,
    /// The base image for `--local`: a folder with an OCI layout [default: none]
    #[arg(long, value_name = "FOLDER", requires = "local")]
    pub(super) base: Option<PathBuf>,
    /// Write the image of `--local` into an archive, as `docker save` does
    #[arg(long, value_name = "FILE", requires = "local")]
    pub(super) archive: Option<PathBuf>,
    /// Show the commands, and run none
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Builds the operator's image for this machine into an archive: with a container tool, or without a container tool if
/// none is installed.
pub(in crate::commands) fn build_archive(image: &str, archive: &Path, context: &Context) -> Result<()> {
    let mut args = BuildArgs {
        image: image.to_owned(),
        platform: Vec::new(),
        push: false,
        load: None,
        cluster: None,
        tool: None,
        local: false,
        profile: "release".to_owned(),
        base: None,
        archive: None,
        dry_run: false,
    };
    if has_tool() {
        let (_, tool) = args.build(context)?;
        return save_image(image, archive, Some(tool));
    }
    args.archive = Some(archive.to_owned());
    args.build_locally(context).map(drop)
}

impl OpctlCommand for BuildArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        if self.local { self.build_locally(context) } else { self.build(context).map(|(report, _)| report) }
    }
}

impl BuildArgs {
    /// Builds the image. Returns the report, and the container tool in whose store the image is.
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
        let folder = TemporaryFolder::new("image")?;
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
            check_cluster(build.load, build.cluster.as_deref())?;
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

pub(super) fn check_platforms(args: &BuildArgs) -> Result<()> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric());
    let valid = |platform: &&String| {
        let parts: Vec<&str> = platform.split('/').collect();
        (2..=3).contains(&parts.len()) && parts.iter().all(|part| is_word(part))
    };
    if let Some(bad) = args.platform.iter().find(|platform| !valid(platform)) {
        return Err(Error::usage(format!("`{bad}` is not a platform")).hint("--platform linux/amd64,linux/arm64"));
    }
    if args.platform.len() > 1 && (args.load.is_some() || args.archive.is_some() || !args.push) {
        return Err(Error::usage("an image for several platforms must be pushed to a registry")
            .caused_by("local clusters and image stores support only one platform per image")
            .hint(hint!("opctl build --image {} --platform {} --push", args.image, args.platform.join(","))));
    }
    Ok(())
}
