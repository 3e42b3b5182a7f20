//! `opctl envtest setup`: installs the programs of control planes.

use crate::Result;
use crate::commands::context::Context;
use crate::envtest::{self, DownloadOptions, Extent, Origin, Selector, Setup, SetupOptions, download_only, platform};
use crate::error::hint;
use crate::report::{Outcome, Report};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
    opctl envtest setup
    opctl envtest setup 1.35
    opctl envtest setup --node    # for `opctl envtest start --node`
    opctl envtest setup 1.36.4 --from-source
    opctl envtest setup --mirror https://mirror.example.com/kubernetes
    opctl envtest setup --download-only programs    # for `--from programs`";

#[derive(Debug, Args)]
pub(super) struct SetupArgs {
    /// `X.Y.Z`, `X.Y`, `X.Y.x`, `~X.Y.Z`, `<X.Y`, `latest` or `latest-on-disk`; a trailing `!` chooses the newest
    /// published version, even if an older version is installed [default: the version that this opctl is made for]
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    #[command(flatten)]
    extent: ExtentArgs,
    #[command(flatten)]
    origin: OriginArgs,
    #[command(flatten)]
    download: DownloadArgs,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct ExtentArgs {
    /// Build from the published Go modules, do not download
    #[arg(long, conflicts_with_all = ["index", "mirror", "from", "download_only", "allow_http"])]
    from_source: bool,
    /// Also include the programs of a node: kubelet, kube-scheduler and kube-proxy
    #[arg(long)]
    node: bool,
}

#[derive(Debug, Args)]
struct OriginArgs {
    /// Use the index of setup-envtest's archives at this URL
    #[arg(long, value_name = "URL", conflicts_with_all = ["mirror", "from"])]
    index: Option<String>,
    /// A mirror of the archives and of Kubernetes' downloads [default: the variable `OPCTL_ENVTEST_MIRROR`]
    #[arg(long, value_name = "URL", conflicts_with = "from")]
    mirror: Option<String>,
    /// A folder with the files of a mirror, for a machine without a network
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Allow http to other machines; anyone on the network can then change the answers
    #[arg(long, conflicts_with = "from")]
    allow_http: bool,
}

#[derive(Debug, Args)]
struct DownloadArgs {
    /// Put the files of a mirror into this folder, and install nothing
    #[arg(long, value_name = "DIR", conflicts_with = "from")]
    download_only: Option<PathBuf>,
    /// The operating system that the files are for: linux, darwin or windows [default: this machine's]
    #[arg(long, value_name = "OS", requires = "download_only", value_parser = ["linux", "darwin", "windows"], hide_possible_values = true)]
    os: Option<String>,
    /// The architecture that the files are for: amd64, arm64, ppc64le or s390x [default: this machine's]
    #[arg(long, value_name = "ARCH", requires = "download_only", value_parser = ["amd64", "arm64", "ppc64le", "s390x"], hide_possible_values = true)]
    arch: Option<String>,
}

impl OriginArgs {
    /// Returns the source of downloads that the flags name, if any; a folder is relative to `directory`.
    fn origin(&self, directory: &Path) -> Option<Origin> {
        match (&self.index, &self.mirror, &self.from) {
            (Some(index), ..) => Some(Origin::Published { index: Some(index.clone()) }),
            (_, Some(mirror), _) => Some(Origin::Mirror(mirror.clone())),
            (.., Some(folder)) => Some(Origin::Folder(directory.join(folder))),
            (None, None, None) => None,
        }
    }
}

impl DownloadArgs {
    fn platform(&self) -> String {
        let own = platform();
        let (os, arch) = own.split_once('-').unwrap_or((&own, ""));
        format!("{}-{}", self.os.as_deref().unwrap_or(os), self.arch.as_deref().unwrap_or(arch))
    }
}

pub(super) fn run(args: &SetupArgs, context: &Context) -> Result<Report> {
    let selector = args.version.as_deref().map(str::parse::<Selector>).transpose()?.unwrap_or_default();
    let extent = if args.extent.node { Extent::Node } else { Extent::Controllers };
    if let Some(folder) = &args.download.download_only {
        return download(args, folder, selector, extent, context);
    }
    let options = SetupOptions {
        selector,
        extent,
        origin: args.origin.origin(&context.directory),
        from_source: args.extent.from_source,
        plain_http: args.origin.allow_http,
        dry_run: args.dry_run,
    };
    let (outcome, entry) = match envtest::setup(&options, &context.console)? {
        Setup::Planned(plan) => return Ok(Report::new("envtest setup", Outcome::DryRun).summary(plan)),
        Setup::Present(entry) => (Outcome::Unchanged, entry),
        Setup::Installed(entry) => (Outcome::Changed, entry),
    };
    let done = if outcome == Outcome::Changed { "installed" } else { "there already" };
    let mut report = Report::new("envtest setup", outcome);
    report.data = Some(json!({
        "version": entry.version.to_string(),
        "directory": entry.directory,
        "controllerManager": entry.controller_manager,
    }));
    let summary = format!("Kubernetes {} is {done}: {}", entry.version, entry.directory.display());
    Ok(report.summary(summary).next("export KUBECONFIG=\"$(opctl envtest start)\""))
}

fn download(args: &SetupArgs, folder: &Path, selector: Selector, extent: Extent, context: &Context) -> Result<Report> {
    let options = DownloadOptions {
        selector,
        extent,
        origin: args.origin.origin(&context.directory),
        plain_http: args.origin.allow_http,
        platform: args.download.platform(),
        folder: context.directory.join(folder),
        dry_run: args.dry_run,
    };
    let downloaded = download_only(&options, &context.console)?;
    let (outcome, done) = match (args.dry_run, downloaded.is_new) {
        (true, _) => (Outcome::DryRun, "would be"),
        (false, true) => (Outcome::Changed, "is"),
        (false, false) => (Outcome::Unchanged, "is already"),
    };
    let (version, path) = (downloaded.version, folder.display());
    let files = downloaded.files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ");
    let mut report = Report::new("envtest setup", outcome);
    report.data = Some(json!({
        "version": version.to_string(),
        "directory": folder,
        "platform": options.platform,
        "files": downloaded.files,
    }));
    let summary = format!("Kubernetes {version} for {} {done} in `{path}`: {files}", options.platform);
    let node = crate::error::Hint::from(if args.extent.node { " --node" } else { "" });
    Ok(report.summary(summary).next(hint!("opctl envtest setup {version} --from {path}{node}", version, path, node)))
}
