//! Implements `opctl create policy`, which adds an admission policy with CEL rules for a kind.

use crate::Result;
use crate::commands::context::Context;
use crate::commands::write::{WriteArgs, carry_out, plan};
use crate::model::{Group, Kind, Policies, Version};
use crate::report::Report;
use crate::scaffold::{self, PolicyIntent};
use clap::Args;

const EXAMPLES: &str = "Examples:
    opctl create policy --kind WebServer
    opctl create policy --group apps --kind Database --diff
    # Fields that the API server fills in, from Kubernetes 1.36 on:
    opctl create policy --kind WebServer --mutating
    # One of Kubernetes' own kinds, in namespaces that have the policy's label:
    opctl create policy --group apps --kind Deployment
    # Then `opctl run` and `opctl test` apply it:
    opctl test";

/// Add a policy: rules in CEL that the API server applies by itself
///
/// Makes a `ValidatingAdmissionPolicy` with its binding and a test. The kind is a kind of the project or, if the
/// project has no such kind, a kind of Kubernetes in the given group. To choose between a policy and a webhook, see
/// `opctl help webhooks`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct PolicyArgs {
    /// The kind that the policy is for
    #[arg(long)]
    kind: String,
    /// The part of the API group before the domain, or a Kubernetes group [default: none, the API group is the domain]
    #[arg(long)]
    group: Option<String>,
    /// The version in which the rules see the objects; the API server converts objects of other versions [default: the
    /// storage version]
    #[arg(long)]
    version: Option<String>,
    /// Make a `MutatingAdmissionPolicy` instead, which fills in fields
    #[arg(long)]
    mutating: bool,
    /// Replace existing files whose content differs: your edits are lost
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

fn intent(args: &PolicyArgs) -> Result<PolicyIntent> {
    Ok(PolicyIntent {
        group: args.group.as_deref().map_or(Ok(Group::none()), Group::parse)?,
        version: args.version.as_deref().map(Version::parse).transpose()?,
        kind: Kind::parse(&args.kind)?,
        policies: Policies { validating: !args.mutating, mutating: args.mutating },
        force: args.force,
    })
}

pub(super) fn run(args: &PolicyArgs, context: &Context) -> Result<Report> {
    let intent = intent(args)?;
    let (workspace, mut project) = args.write.open_project(context)?;
    let resource = scaffold::with_policies(&intent, &project)?;
    let known = project.resource(&resource.key).map(|known| known.policies).unwrap_or_default();
    project.upsert(resource.clone());
    let operations = scaffold::create_policy(&project, known, &resource, intent.force)?;
    let plan = plan(&workspace, &operations, &project, Some(&intent.command()))?;
    let report = carry_out("create policy", &workspace, &plan, args.write)?;
    Ok(report.next("opctl test"))
}
