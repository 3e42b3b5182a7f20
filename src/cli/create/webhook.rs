//! `opctl create webhook`.

use crate::Result;
use crate::cli::context::Context;
use crate::cli::write::{WriteArgs, carry_out, plan};
use crate::model::{Group, Kind, Version, Webhooks};
use crate::report::Report;
use crate::scaffold::{self, WebhookIntent};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
    opctl create webhook --kind WebServer --defaulting --validation
    opctl create webhook --group apps --kind Database --validation --diff
    # Then `opctl run` and `opctl test` serve it on this machine, and
    # `opctl deploy` in the cluster, with a certificate of its own:
    opctl manifests && opctl test";

/// Add webhooks: functions that the API server asks before it stores an object
///
/// Prefer what needs no process: defaults, limits and rules in the schema. See `opctl help webhooks`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[group(id = "webhooks", multiple = true, required = true, args = ["defaulting", "validation"])]
pub(super) struct WebhookArgs {
    /// The kind
    #[arg(long)]
    kind: String,
    /// The part of the API group before the domain [default: none, the API group is the domain]
    #[arg(long)]
    group: Option<String>,
    /// The version that the functions take; objects of the others are converted for them [default: the one that objects are
    /// stored in]
    #[arg(long)]
    version: Option<String>,
    /// Make a function that fills in fields
    #[arg(long)]
    defaulting: bool,
    /// Make a function that refuses objects
    #[arg(long, alias = "programmatic-validation")]
    validation: bool,
    /// Replace files of other content: what you wrote into them is lost
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
        webhooks: Webhooks { defaulting: args.defaulting, validation: args.validation },
        force: args.force,
    })
}

pub(super) fn run(args: &WebhookArgs, context: &Context) -> Result<Report> {
    let intent = intent(args)?;
    let (workspace, mut project) = args.write.open_project(context)?;
    let resource = scaffold::with_webhooks(&intent, &project)?;
    scaffold::check_webhook_runtime(&|path| workspace.holds(path))?;
    let known = project.resource(&resource.key).map(|known| known.webhooks).unwrap_or_default();
    project.upsert(resource.clone());
    let operations = scaffold::create_webhook(&project, known, &resource, intent.force)?;
    let plan = plan(&workspace, &operations, &project, Some(&intent.command()))?;
    let report = carry_out("create webhook", &workspace, &plan, args.write)?;
    Ok(report.next("opctl manifests").next("opctl test"))
}
