//! `opctl create api`.

use super::Context;
use super::write::{WriteArgs, carry_out, plan};
use crate::model::{Category, DEFAULT_PORT, Group, Image, Key, Kind, Plural, ShortName, Version};
use crate::report::Report;
use crate::scaffold::{self, ApiIntent};
use crate::{Error, Result};
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
    opctl create api --kind WebServer
    opctl create api --kind WebServer --image nginxinc/nginx-unprivileged:1.27 --port 8080
    opctl create api --group cache --version v1 --kind Redis --short-name rd
    opctl create api --kind Tenant --namespaced=false --controller=false";

/// Add something to the project
#[derive(Args, Debug)]
#[command(after_help = "Example:\n    opctl create api --kind WebServer")]
pub(super) struct CreateArgs {
    #[command(subcommand)]
    command: CreateCommand,
}

#[derive(Debug, Subcommand)]
enum CreateCommand {
    Api(ApiArgs),
}

impl CreateArgs {
    pub(super) fn name(&self) -> &'static str {
        match self.command {
            CreateCommand::Api(_) => "create api",
        }
    }
}

/// Add a kind: its types, a controller, a sample and roles
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct ApiArgs {
    /// The kind, in upper camel case
    #[arg(long)]
    kind: String,
    /// The part of the API group before the domain [default: none, the API group is the domain]
    #[arg(long)]
    group: Option<String>,
    /// The API version
    #[arg(long, default_value = "v1alpha1")]
    version: String,
    /// The plural name [default: the kind's English plural, as kubebuilder makes it]
    #[arg(long)]
    plural: Option<String>,
    /// A short name for kubectl; may be repeated
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    short_name: Vec<String>,
    /// A category for kubectl, such as `all`; may be repeated
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    category: Vec<String>,
    /// Make the whole operator of a Deployment of this image and a Service
    #[arg(long)]
    image: Option<String>,
    /// The port at which the image listens [default: 8080]
    #[arg(long, requires = "image", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Whether objects live in namespaces [default: true]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    namespaced: Option<bool>,
    /// Whether to make the types
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    resource: bool,
    /// Whether to make a controller
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    controller: bool,
    /// Replace files of other content: what you wrote into them is lost
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

pub(super) fn run(args: &CreateArgs, context: &Context) -> Result<Report> {
    match &args.command {
        CreateCommand::Api(args) => api(args, context),
    }
}

fn intent(args: &ApiArgs) -> Result<ApiIntent> {
    if !args.resource && !args.controller {
        let kind = Kind::parse(&args.kind)?;
        return Err(Error::usage("`--resource=false --controller=false` leaves nothing to make")
            .hint(format!("opctl create api --kind {kind}")));
    }
    let key = Key {
        group: args.group.as_deref().map_or(Ok(Group::none()), Group::parse)?,
        version: Version::parse(&args.version)?,
        kind: Kind::parse(&args.kind)?,
    };
    let mut short_names = args.short_name.iter().map(|name| ShortName::parse(name)).collect::<Result<Vec<_>, _>>()?;
    let mut categories = args.category.iter().map(|name| Category::parse(name)).collect::<Result<Vec<_>, _>>()?;
    only_once(&mut short_names);
    only_once(&mut categories);
    Ok(ApiIntent {
        key,
        plural: args.plural.as_deref().map(Plural::parse).transpose()?,
        namespaced: args.namespaced,
        short_names: (!short_names.is_empty()).then_some(short_names),
        categories: (!categories.is_empty()).then_some(categories),
        image: args.image.as_deref().map(|image| Image::parse(image, args.port.unwrap_or(DEFAULT_PORT))).transpose()?,
        api: args.resource,
        controller: args.controller,
        force: args.force,
    })
}

/// Leaves the first of equal names.
fn only_once<T: PartialEq>(names: &mut Vec<T>) {
    let given = std::mem::take(names);
    for name in given {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

fn api(args: &ApiArgs, context: &Context) -> Result<Report> {
    let intent = intent(args)?;
    let (workspace, mut project) = args.write.open_project(context)?;
    let known = project.resource(&intent.key).cloned();
    let resource = scaffold::resource_of(&intent, &project)?;
    project.upsert(resource.clone());
    let operations = scaffold::create_api(&project, known.as_ref(), &resource, args.force)?;
    let again = format!("opctl create api{}", scaffold::flags(&intent));
    let plan = plan(&workspace, &operations, &project, Some(&again))?;
    let report = carry_out("create api", &workspace, &plan, args.write)?;
    Ok(report.next("opctl manifests").next("opctl install"))
}
