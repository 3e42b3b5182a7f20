//! Runs `opctl bundle`.

use super::catalog::{self, Catalog};
use super::check::{self, Olm};
use super::recorded::Recorded;
use crate::cluster::{Target, manager_image, rendered_objects};
use crate::commands::build_installer::stale_files;
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::install::TargetArgs;
use crate::commands::manifests::{CurrentArgs, with_current_manifests};
use crate::commands::remote::RemoteArgs;
use crate::commands::write::{WriteArgs, carry_out, plan, report_drift};
use crate::error::{Hint, hint};
use crate::model::{ProjectPath, check_image, reference_parts};
use crate::olm::check as check_rules;
use crate::packaging::{self, BUNDLE, Bundle, BundleOptions};
use crate::plan::LEDGER_FILE;
use crate::report::Report;
use crate::scaffold::bundle_base;
use crate::source::cargo_manifest::read_manifest;
use crate::workspace::Workspace;
use crate::{Error, Result, conflict, yaml};
use clap::Args;
use serde_json::Value;
use std::path::Path;

const EXAMPLES: &str = "Examples:
    opctl bundle --image registry.example.com/webserver-operator:0.1.0
    opctl bundle --image registry.example.com/webserver-operator:0.2.0 \\
        --version 0.2.0 --channels stable,candidate
    # For CI, exit code 3 when the bundle is stale, 1 when it breaks a rule:
    opctl bundle --check
    # The same with the rules of OLM v1:
    opctl bundle --check --olm v1
    # The bundle and its catalog entry; catalog.Dockerfile builds the catalog:
    opctl bundle --image registry.example.com/webserver-operator:0.2.0 \\
        --version 0.2.0 --channels stable --catalog catalog
    # The bundle of another operator; needs no project:
    opctl bundle --check --folder ../their-operator/bundle";

const SAMPLES: &str = "config/samples";

/// Write a bundle for the Operator Lifecycle Manager
///
/// The `ClusterServiceVersion`, the CRDs and the other objects of config/default go to bundle/manifests, the
/// annotations to bundle/metadata, and bundle.Dockerfile makes an image of both. You write the texts that people read
/// in a catalog, such as the description and the icon, in config/manifests/bases, which the first run creates. The
/// bundle has the operator's rights, its Deployment, its webhooks with certificates of the Operator Lifecycle Manager,
/// and a description of each field of its kinds.
///
/// `--check` compares the bundle with the project, and checks it by the rules of OLM's own tools, with their severities:
/// the format of a bundle, and the suites operatorhub, standardcapabilities, standardcategories, bundle-objects and
/// good-practices. A problem that keeps OLM v1 from installing the bundle is a warning, or an error with `--olm v1`.
/// Image, version, package and channels are taken from the bundle, unless a flag sets them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BundleArgs {
    /// The operator's image [default: the one set by `opctl edit --image`]
    #[arg(long, value_name = "REF")]
    image: Option<String>,
    /// The version of the bundle [default: the operator's version in Cargo.toml]
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// The name of the package [default: the project's name]
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// The channels that the bundle belongs to [default: alpha, about which `--check` warns (OP763)]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    channels: Vec<String>,
    /// The channel of users who choose no channel [default: the first of `--channels`]
    #[arg(long, value_name = "NAME")]
    default_channel: Option<String>,
    /// Replace files that were edited by hand: the edits are lost
    #[arg(long)]
    force: bool,
    /// Put the bundle into the file-based catalog in this folder, after the newest bundle of each channel
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    catalog: Option<String>,
    /// With `--catalog`, the bundle's image [default: `IMAGE-bundle:vVERSION`, from the operator's image]
    #[arg(long, value_name = "REF", requires = "catalog")]
    bundle_image: Option<String>,
    /// Write nothing; exit with code 3 and the diff when the bundle is stale, with code 1 when it breaks a rule of OLM
    #[arg(long, conflicts_with_all = ["dry_run", "diff", "force", "regenerate"])]
    check: bool,
    /// With `--check`, the generation of OLM that has to install the bundle
    #[arg(long, value_name = "GENERATION", requires = "check", default_value = "v0")]
    olm: Olm,
    /// With `--check`, check the bundle in this folder alone, which needs no project
    #[arg(
        long,
        value_name = "DIR",
        value_hint = clap::ValueHint::DirPath,
        requires = "check",
        conflicts_with_all = ["image", "version", "package", "channels", "default_channel", "catalog"]
    )]
    folder: Option<String>,
    #[command(flatten)]
    remote: RemoteArgs,
    #[command(flatten)]
    current: CurrentArgs,
    #[command(flatten)]
    write: WriteArgs,
}

impl BundleArgs {
    /// Returns the command as it was typed, without the flags that only control how files are written.
    fn line(&self) -> Hint {
        let flag = |name: &str, value: Option<&String>| {
            value.map(|value| hint!(" --{name} {value}", name, value)).unwrap_or_default()
        };
        let channels = self.channels.join(",");
        let channels = Some(&channels).filter(|channels| !channels.is_empty());
        let flags = [
            flag("image", self.image.as_ref()),
            flag("version", self.version.as_ref()),
            flag("package", self.package.as_ref()),
            flag("channels", channels),
            flag("default-channel", self.default_channel.as_ref()),
            flag("catalog", self.catalog.as_ref()),
            flag("bundle-image", self.bundle_image.as_ref()),
        ];
        hint!("bundle{}{remote}", Hint::join(flags, ""), remote = self.remote.flag())
    }
}

impl OpctlCommand for BundleArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        check(self)?;
        if let Some(folder) = &self.folder {
            return check::folder(folder, self.olm, context);
        }
        let target = TargetArgs::default().target(context);
        with_current_manifests(self.current, &target, &self.line(), context, || run(self, &target, context))
    }
}

fn run(args: &BundleArgs, target: &Target, context: &Context) -> Result<Report> {
    let write = if args.check { WriteArgs { dry_run: true, diff: true } } else { args.write };
    let (workspace, project) = write.open_project(context)?;
    // A check compares with what the bundle says of the command that wrote it.
    let present = if args.check { Some(present(workspace.root())?) } else { None };
    let recorded = present.as_ref().map(Recorded::of).unwrap_or_default();
    let package = args.package.clone().or(recorded.package).unwrap_or_else(|| project.name.as_str().to_owned());
    let version = match args.version.clone().or(recorded.version) {
        Some(version) => version,
        None => package_version(workspace.root())?,
    };
    let image = args.image.clone().or(recorded.image);
    let objects = rendered_objects(workspace.root(), image.as_deref(), "bundle", target, args.remote.remote())?;
    let path = ProjectPath::parse(bundle_base(&project))?;
    let base = workspace.snapshot([&path])?.text(&path).map(|text| parse_yaml_objects(&path, text)).transpose()?;
    let base = base.map(|documents| documents.into_iter().next().unwrap_or_default());
    // A default channel that is not one of other channels would be refused.
    let recorded_default = recorded.default_channel.filter(|_| args.channels.is_empty());
    let channels = [args.channels.clone(), recorded.channels, vec!["alpha".to_owned()]];
    let channels = channels.into_iter().find(|channels| !channels.is_empty()).unwrap_or_default();
    // A check also shows changes of files that were edited by hand.
    let force = args.force || args.check;
    let options = BundleOptions {
        package,
        version,
        channels,
        default_channel: args.default_channel.clone().or(recorded_default),
        force,
    };
    let Bundle { mut operations, left_out } =
        packaging::bundle(&project, &objects, &samples(&workspace)?, base, &options)?;
    operations.extend(stale_files(BUNDLE, &workspace, &operations, force)?);
    let own_image = bundle_image(manager_image(&objects).unwrap_or(&options.package), &options.version);
    let bundle_image = args.bundle_image.as_ref().unwrap_or(&own_image);
    check_image(bundle_image)?;
    let mut added = None;
    if let Some(folder) = &args.catalog {
        let catalog = Catalog { folder, package: &options.package, image: bundle_image, force: args.force };
        let (into_catalog, what) = catalog::operations(&catalog, &workspace, &operations)?;
        operations.extend(into_catalog);
        added = Some(what);
    }
    let plan = plan(&workspace, &operations, &project, Some(&target.opctl(args.line())))?;
    if let Some(present) = present {
        let findings = check_rules(&present, args.olm.into());
        if plan.effective().any(|change| change.path != LEDGER_FILE) {
            let error = report_drift(&plan, Error::conflict("the bundle is stale"), context);
            let broken = check::broken_rules_error(&findings, args.olm);
            let error = broken.iter().fold(error, |error, broken| error.caused_by(broken.message()));
            return Err(error.hint(target.opctl(args.line())).with_findings(findings));
        }
        return check::judge_findings(findings, args.olm);
    }
    let mut report = carry_out("bundle", &workspace, &plan, write)?;
    if !left_out.is_empty() {
        report.warnings.push(format!(
            "the Operator Lifecycle Manager does not support these objects, which are left out: {}",
            left_out.join(", ")
        ));
    }
    let report = report
        .next("opctl bundle --check")
        .next(hint!("docker build -f bundle.Dockerfile -t {image} .", image = bundle_image.as_str()));
    let (Some(added), Some(folder)) = (added, &args.catalog) else { return Ok(report) };
    let summary = report.summary.clone().unwrap_or_default();
    let channels = added.channels.join(", ");
    let folder = folder.trim_end_matches('/');
    Ok(report
        .summary(format!("{summary} (the bundle `{}` is in the catalog `{folder}`, channels {channels})", added.name))
        .next(hint!("docker build -f {file} -t CATALOG_IMAGE .", file = format!("{folder}.Dockerfile"))))
}

/// Returns the name of the bundle's image: the repository of the operator's image with `-bundle`, and the version.
fn bundle_image(operator: &str, version: &str) -> String {
    let (repository, ..) = reference_parts(operator);
    // A tag has no `+`, which begins the build in a version.
    format!("{repository}-bundle:v{}", version.replace('+', "-"))
}

/// Reads the bundle of the project.
fn present(root: &Path) -> Result<crate::olm::Bundle> {
    let folder = root.join(BUNDLE);
    if folder.is_dir() {
        return check::open(&folder, BUNDLE.trim_end_matches('/'));
    }
    Err(Error::conflict("the project has no bundle yet")
        .hint("opctl bundle --image registry.example.com/web-operator:0.1.0"))
}

fn check(args: &BundleArgs) -> Result<()> {
    if let Some(version) = args.version.as_ref().filter(|version| semver::Version::parse(version).is_err()) {
        return Err(Error::usage(format!("`{version}` is not a semantic version"))
            .caused_by("the Operator Lifecycle Manager orders bundles by semantic version")
            .hint("opctl bundle --version 0.1.0"));
    }
    let is_plain = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || "-._".contains(one);
    let is_name =
        |name: &str| name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.chars().all(is_plain);
    let mut names = args.package.iter().chain(&args.channels).chain(&args.default_channel);
    if let Some(name) = names.find(|name| !is_name(name)) {
        return Err(Error::usage(format!("`{name}` is not a valid name for a package or a channel"))
            .caused_by(
                "the name must contain only lower-case letters, digits, `-`, `.` and `_`, and start with a letter or \
                 a digit",
            )
            .hint("opctl bundle --package my-operator --channels stable"));
    }
    let mut channels: Vec<&str> = args.channels.iter().map(String::as_str).collect();
    if channels.is_empty() {
        channels.push("alpha");
    }
    match &args.default_channel {
        Some(default) if !channels.contains(&default.as_str()) => {
            Err(Error::usage(format!("`{default}` is not one of the channels")).hint(hint!(
                "opctl bundle --channels {},{default} --default-channel {default}",
                channels.join(","),
                default
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the version of the operator's package, or the version that it inherits from the workspace.
fn package_version(root: &Path) -> Result<String> {
    let manifest = read_manifest(&root.join("Cargo.toml"))?;
    let own = manifest.get("package").and_then(|package| package.get("version"));
    let shared = || manifest.get("workspace")?.get("package")?.get("version")?.as_str();
    let version = own.and_then(|version| version.as_str().or_else(shared));
    version.map(str::to_owned).ok_or_else(|| {
        Error::user("`Cargo.toml` does not give the operator's version").hint("opctl bundle --version 0.1.0")
    })
}

/// Returns the first sample in `config/samples` for each version of each kind.
fn samples(workspace: &Workspace) -> Result<Vec<Value>> {
    let files = workspace.files_below(SAMPLES).into_iter().filter(|file| yaml::is_yaml(Path::new(file)));
    let files: Vec<ProjectPath> = files.collect();
    let snapshot = workspace.snapshot(&files)?;
    let mut samples: Vec<Value> = Vec::new();
    for file in &files {
        let is_new = |object: &Value, samples: &[Value]| {
            let is_same =
                |other: &Value| other["kind"] == object["kind"] && other["apiVersion"] == object["apiVersion"];
            object["apiVersion"].is_string() && object["kind"] != "Kustomization" && !samples.iter().any(is_same)
        };
        for object in parse_yaml_objects(file, snapshot.text(file).unwrap_or_default())? {
            if is_new(&object, &samples) {
                samples.push(object);
            }
        }
    }
    Ok(samples)
}

fn parse_yaml_objects(path: &str, text: &str) -> Result<Vec<Value>> {
    yaml::read(text).map_err(|error| {
        let error = Error::user(format!("`{path}` is not YAML")).caused_by(yaml::cause(&error));
        conflict::or(path, text, error.hint(hint!("fix the file, or restore it: git checkout {path}", path)))
    })
}

#[cfg(test)]
mod tests {
    use super::bundle_image;

    #[test]
    fn a_bundle_is_beside_the_operator() {
        for (operator, version, expected) in [
            ("registry.acme.io/db:0.1.0", "0.1.0", "registry.acme.io/db-bundle:v0.1.0"),
            ("localhost:5000/db", "1.0.0-rc.1+7", "localhost:5000/db-bundle:v1.0.0-rc.1-7"),
            ("ghcr.io/acme/db:1@sha256:00", "0.1.0", "ghcr.io/acme/db-bundle:v0.1.0"),
        ] {
            assert_eq!(bundle_image(operator, version), expected);
        }
    }
}
