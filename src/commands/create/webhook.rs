//! Implements `opctl create webhook`, which adds defaulting, validating and conversion webhooks for a kind.

use super::external::ExternalArgs;
use crate::Result;
use crate::commands::command::BOOL;
use crate::commands::context::Context;
use crate::commands::package::package;
use crate::commands::write::{WriteArgs, carry_out, plan};
use crate::model::{Group, Kind, Plural, Project, Resource, RuntimeSource, Version, Webhooks};
use crate::report::Report;
use crate::scaffold::{self, Conversion, Files, WebhookIntent};
use crate::workspace::Workspace;
use clap::Args;

const EXAMPLES: &str = "Examples:
    opctl create webhook --kind WebServer --defaulting --validation
    opctl create webhook --group apps --kind Database --validation --diff
    # Objects are stored in v1, and can also be read and written in v1alpha1:
    opctl create webhook --kind WebServer --conversion --spoke v1alpha1
    # One of Kubernetes' own kinds, and one of another crate:
    opctl create webhook --group core --kind Pod --defaulting
    opctl create webhook --group cert-manager --version v1 \\
        --kind Certificate --validation --external-api-domain io \\
        --external-api-path certs::v1 --external-api-module certs@1.2
    # Then `opctl run` and `opctl test` serve it on this machine, and
    # `opctl deploy` serves it in the cluster, with its own certificate:
    opctl manifests && opctl test";

/// Add webhooks: functions that the API server calls before it stores an object
///
/// Prefer defaults, limits and rules in the schema, which need no process. See `opctl help webhooks`.
#[derive(Args, Debug)]
#[command(
    after_help = EXAMPLES,
    override_usage = "opctl create webhook [OPTIONS] --kind <KIND>\n       <--defaulting|--validation|--conversion>"
)]
#[group(id = "webhooks", multiple = true, required = true, args = ["defaulting", "validation", "conversion"])]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct WebhookArgs {
    /// The kind that the webhooks are for
    #[arg(long)]
    kind: String,
    /// The part of the API group before the domain, or a Kubernetes group [default: none, the API group is the domain]
    #[arg(long)]
    group: Option<String>,
    /// The version in which the functions receive the objects; the API server converts objects of other versions
    /// [default: the storage version]
    #[arg(long)]
    version: Option<String>,
    /// Make a function that fills in fields
    #[arg(long)]
    defaulting: bool,
    /// Make a function that refuses objects
    #[arg(long, alias = "programmatic-validation")]
    validation: bool,
    /// Make functions that convert objects of the other versions to the stored version, and back; needs `--spoke`
    #[arg(long)]
    conversion: bool,
    /// A version that is converted to the stored version and back; may be repeated
    #[arg(long, requires = "conversion", value_delimiter = ',', value_name = "VERSION")]
    spoke: Vec<String>,
    #[command(flatten)]
    external: ExternalArgs,
    /// The plural name of a kind of another crate [default: the kind's English plural, as kubebuilder makes it]
    #[arg(long, requires = "external_api_path")]
    plural: Option<String>,
    /// True if objects of a kind of another crate live in namespaces [default: true]
    #[arg(long, requires = "external_api_path", value_name = BOOL)]
    namespaced: Option<bool>,
    /// Replace existing files whose content differs: your edits are lost
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

fn intent(args: &WebhookArgs) -> Result<WebhookIntent> {
    Ok(WebhookIntent {
        group: args.group.as_deref().map_or(Ok(Group::none()), Group::parse)?,
        version: args.version.as_deref().map(Version::parse).transpose()?,
        kind: Kind::parse(&args.kind)?,
        external: args.external.intent()?,
        plural: args.plural.as_deref().map(Plural::parse).transpose()?,
        namespaced: args.namespaced,
        webhooks: Webhooks { defaulting: args.defaulting, validation: args.validation },
        conversion: args.conversion,
        spokes: args.spoke.iter().map(|spoke| Version::parse(spoke)).collect::<Result<_, _>>()?,
        force: args.force,
    })
}

pub(super) fn run(args: &WebhookArgs, context: &Context) -> Result<Report> {
    let intent = intent(args)?;
    let (workspace, mut project) = args.write.open_project(context)?;
    let resource = scaffold::with_webhooks(&intent, &project)?;
    let is_there = |path: &str| project.runtime == RuntimeSource::Registry || workspace.has_text_file(path);
    scaffold::check_webhook_runtime(&is_there, intent.conversion)?;
    let mut operations = Vec::new();
    if intent.webhooks.any() {
        let known = project.resource(&resource.key).map(|known| known.webhooks).unwrap_or_default();
        project.upsert(resource.clone());
        operations.extend(scaffold::create_webhook(&project, known, &resource, intent.force)?);
    }
    let manifest = workspace.snapshot(["Cargo.toml"])?;
    let manifest = manifest.text("Cargo.toml").unwrap_or_default();
    let package = package(workspace.root(), &resource)?;
    let dependency = scaffold::dependency(&resource, manifest, package, intent.force)?;
    let named_crate = dependency.is_some();
    operations.extend(dependency);
    let mut by_hand = Vec::new();
    if intent.conversion {
        let hub = scaffold::with_spokes(&intent, &project)?;
        let known = project.resource(&hub.key).map(|known| known.spokes.clone()).unwrap_or_default();
        project.upsert(hub.clone());
        let conversions = conversions(&workspace, &project, &hub, &intent.spokes)?;
        let is_new = |conversion: &&Conversion| intent.force || !known.contains(&conversion.spoke);
        by_hand.extend(conversions.iter().filter(is_new).filter_map(left_to_the_user));
        by_hand.extend(scaffold::watched_spoke(&project, &hub));
        operations.extend(scaffold::create_conversion(&project, &known, &hub, conversions, intent.force)?);
    }
    let plan = plan(&workspace, &operations, &project, Some(&intent.command()))?;
    let mut report = carry_out("create webhook", &workspace, &plan, args.write)?;
    report.warnings.extend(by_hand);
    // Cargo.lock lacks a dependency that was added to Cargo.toml.
    let unlocked = named_crate && plan.effective().any(|change| change.path == "Cargo.toml");
    let report = if unlocked { report.next("cargo update --workspace") } else { report };
    Ok(report.next("opctl manifests").next("opctl test"))
}

/// Returns the conversions between the hub and the spokes. Reads every file below `api/src`.
fn conversions(
    workspace: &Workspace,
    project: &Project,
    hub: &Resource,
    spokes: &[Version],
) -> Result<Vec<Conversion>> {
    let paths = workspace.files_below("api/src");
    let snapshot = workspace.snapshot(&paths)?;
    scaffold::conversions(project, hub, spokes, &Files { paths: &paths, snapshot: &snapshot })
}

fn left_to_the_user(conversion: &Conversion) -> Option<String> {
    let (file, fields) = (&conversion.file, conversion.by_hand.join("; "));
    (!fields.is_empty())
        .then(|| format!("`{file}` does not compile until you write the parts that opctl cannot generate: {fields}"))
}
