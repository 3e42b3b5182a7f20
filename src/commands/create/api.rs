//! Implements `opctl create api`, which adds a kind with its types, a controller, a sample and roles.

use super::external::ExternalArgs;
use crate::commands::command::BOOL;
use crate::commands::context::Context;
use crate::commands::package::package;
use crate::commands::write::{WriteArgs, carry_out, plan, read_ledger};
use crate::error::hint;
use crate::model::{
    Category, Child, ControllerName, DEFAULT_PORT, Domain, Field, Group, Image, Key, Kind, Origin, Plural, Project,
    ProjectPath, Resource, ShortName, Version, shorten_input,
};
use crate::plan::has_version;
use crate::report::Report;
use crate::scaffold::{self, ApiIntent, Files, NewApi, VersionCopy};
use crate::workspace::Workspace;
use crate::{Error, Result};
use clap::Args;

const EXAMPLES: &str = "A field is NAME:TYPE, then `?` if it may be left out, or `=DEFAULT`. Types:
    string, string(1..=20)            its length in parentheses
    integer(1..=65535), int64(0..)    32 or 64 bits; bounds in parentheses
    number(..=0.5), boolean, quantity, duration
    enum(small|large)                 one of these words
    [TYPE], [TYPE](1..=5)             a list, its length; a default is a,b
    map                               texts by name; a default is a=b,c=d
A NAME with a dot is a field of an object:
    source.pvc:string                 an object; `tls?.secretName:string`, one
                                      that may be left out
    ports[].port:integer              a list of objects; ports[](1..=5), its
                                      length
    env{}.value:string                objects by name

Examples:
    opctl create api --kind WebServer
    opctl create api --kind WebServer \\
        --image nginxinc/nginx-unprivileged:1.27 --port 8080
    opctl create api --kind Cache --field 'size:quantity=1Gi' \\
        --field 'mode:enum(fast|safe)?' --field 'ports:[integer(1..=65535)]'
    opctl create api --kind Restore --field 'source.pvc:string' \\
        --field 'source.readOnly:boolean=false' \\
        --field 'ports[].name:string' --field 'ports[].port:integer(1..=65535)'
    opctl create api --kind Backup --owns CronJob,Secret --finalizer
    opctl create api --group data --version v1 --kind Redis --short-name rd
    # Copy the stored version to v1, then make v1 the stored version:
    opctl create api --kind WebServer --version v1
    opctl create api --kind WebServer --version v1 --storage-version
    opctl create api --kind Tenant --namespaced=false --controller=false
    # In the group dns.example.net of a project of example.com:
    opctl create api --group dns --domain example.net --kind Zone
    # A second controller:
    opctl create api --kind WebServer --resource=false \\
        --controller-name web-server-backup
    # A controller for a built-in kind of Kubernetes:
    opctl create api --resource=false --group apps --kind Deployment \\
        --owns ConfigMap
    # A controller for a kind of another crate:
    opctl create api --resource=false --group cert-manager --version v1 \\
        --kind Certificate --external-api-domain io \\
        --external-api-path certs::v1 --external-api-module certs@1.2";

/// Add a kind: its types, a controller, a sample and roles
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct ApiArgs {
    /// The kind, in upper camel case
    #[arg(long)]
    kind: String,
    /// The part of the API group before the domain, or a Kubernetes group [default: none, the API group is the domain]
    #[arg(long)]
    group: Option<String>,
    /// The domain of the API group [default: the project's domain]
    #[arg(long = "domain", id = "own_domain", value_name = "DOMAIN")]
    domain: Option<String>,
    /// The API version; a second version begins as a copy of the stored version [default: v1alpha1, or the newest
    /// version of a Kubernetes kind]
    #[arg(long)]
    version: Option<String>,
    /// Store objects in this version instead of the current storage version [default: the first created version]
    #[arg(long)]
    storage_version: bool,
    /// The plural name [default: the kind's English plural, as kubebuilder makes it]
    #[arg(long)]
    plural: Option<String>,
    /// A short name for kubectl; may be repeated
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    short_name: Vec<String>,
    /// A category for kubectl, such as `all`; may be repeated
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    category: Vec<String>,
    /// Make a complete operator that runs this image in a Deployment with a Service. The pods do not run as root; the
    /// image must support this, as nginxinc/nginx-unprivileged does and nginx does not
    #[arg(long)]
    image: Option<String>,
    /// The port at which the image listens [default: 8080]
    #[arg(long, requires = "image", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// A field of the spec of the first version, such as 'size:quantity=1Gi' or 'source.pvc:string'; may be repeated
    /// [default: an example field]
    #[arg(long, value_name = "NAME:TYPE")]
    field: Vec<String>,
    /// A kind of child objects, such as Job, that the controller watches, applies and restores; may be repeated. The
    /// controller keeps the child kinds that it already has
    #[arg(long, value_delimiter = ',', value_name = "KIND")]
    owns: Vec<String>,
    /// Keep a deleted object until a function of the controller has cleaned up after it
    #[arg(long)]
    finalizer: bool,
    /// Let objects live in namespaces [default: true]
    #[arg(long, value_name = BOOL)]
    namespaced: Option<bool>,
    /// Make the types. With `=false`, no types are made: the kind is a kind of the project or, if the project has no
    /// such kind, a kind of Kubernetes in the given group
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = BOOL)]
    resource: bool,
    /// Make a controller
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = BOOL)]
    controller: bool,
    /// The controller's name; a kind can have several controllers [default: the group and the kind]
    #[arg(long, value_name = "NAME")]
    controller_name: Option<String>,
    #[command(flatten)]
    external: ExternalArgs,
    /// Replace existing files whose content differs: your edits are lost
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

const USUAL_VERSION: &str = "v1alpha1";

fn intent(args: &ApiArgs) -> Result<ApiIntent> {
    if !args.resource && !args.controller {
        let kind = Kind::parse(&args.kind)?;
        return Err(Error::usage("`--resource=false --controller=false` leaves nothing to make")
            .hint(hint!("opctl create api --kind {kind}", kind)));
    }
    let key = Key {
        group: args.group.as_deref().map_or(Ok(Group::none()), Group::parse)?,
        version: Version::parse(args.version.as_deref().unwrap_or(USUAL_VERSION))?,
        kind: Kind::parse(&args.kind)?,
    };
    let mut short_names = args.short_name.iter().map(|name| ShortName::parse(name)).collect::<Result<Vec<_>, _>>()?;
    let mut categories = args.category.iter().map(|name| Category::parse(name)).collect::<Result<Vec<_>, _>>()?;
    let mut owns = args.owns.iter().map(|kind| parse_owned_kind(kind)).collect::<Result<Vec<_>>>()?;
    let fields = args.field.iter().map(|field| Field::parse(field)).collect::<Result<Vec<_>, _>>()?;
    only_once(&mut owns);
    only_once(&mut short_names);
    only_once(&mut categories);
    Ok(ApiIntent {
        key,
        version_said: args.version.is_some(),
        domain: args.domain.as_deref().map(Domain::parse_own).transpose()?,
        external: args.external.intent()?,
        origin: Origin::Own,
        plural: args.plural.as_deref().map(Plural::parse).transpose()?,
        namespaced: args.namespaced,
        short_names: (!short_names.is_empty()).then_some(short_names),
        categories: (!categories.is_empty()).then_some(categories),
        image: args.image.as_deref().map(|image| Image::parse(image, args.port.unwrap_or(DEFAULT_PORT))).transpose()?,
        fields: (!fields.is_empty()).then_some(fields),
        imported: None,
        owns: (!owns.is_empty()).then_some(owns),
        finalizer: args.finalizer,
        storage: args.storage_version,
        api: args.resource,
        controller: args.controller,
        controller_name: args.controller_name.as_deref().map(ControllerName::parse).transpose()?,
        force: args.force,
    })
}

/// Fails if the kind is not a valid name for a new Rust type. Accepts any kind that the project or another crate
/// already
/// has a type for.
fn check_kind(intent: &ApiIntent, project: &Project) -> Result<()> {
    let Key { group, kind, .. } = &intent.key;
    let is_known = project.resources.iter().any(|one| one.key.group == *group && one.key.kind == *kind);
    if !is_known && intent.external.is_none() {
        Kind::parse_new(kind.as_str())?;
    }
    Ok(())
}

fn parse_owned_kind(kind: &str) -> Result<Child> {
    Child::parse(kind).map_err(|invalid| {
        let error = Error::usage(format!("`{}` cannot be owned", shorten_input(kind))).caused_by(invalid.rule);
        match invalid.suggestion {
            Some(near) => error.hint(hint!("--owns {near}", near)),
            None => error.hint(
                "opctl help controllers    # explains `.owns::<Kind>()` in Rust code, which accepts \
                                every kind",
            ),
        }
    })
}

/// Keeps only the first of equal names.
fn only_once<T: PartialEq>(names: &mut Vec<T>) {
    let given = std::mem::take(names);
    for name in given {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

/// Returns the path of the file that contains the type of a version: the file that opctl creates for the type, else any
/// file below `api/src`, because the type may have been moved.
fn type_file(workspace: &Workspace, key: &Key) -> Result<ProjectPath> {
    let made = ProjectPath::parse(scaffold::type_file(key))?;
    let (kind, version) = (key.kind.to_string(), key.version.to_string());
    let holds = |path: &ProjectPath| {
        let text = workspace.snapshot([path]).ok().and_then(|snapshot| snapshot.text(path).map(str::to_owned));
        text.is_some_and(|text| has_version(&text, &kind, &version))
    };
    if holds(&made) {
        return Ok(made);
    }
    Ok(workspace.files_below("api/src").into_iter().find(holds).unwrap_or(made))
}

/// Copies the types and the sample of the kind's stored version for another version. Returns `None` if nothing is to be
/// copied, for example because the other version exists already and `--force` is not given. Reads every file below
/// `api/src`.
fn copy_stored_version(
    workspace: &Workspace,
    project: &Project,
    resource: &Resource,
    intent: &ApiIntent,
) -> Result<Option<VersionCopy>> {
    let Some(source) = scaffold::copied_version(&resource.key, project) else { return Ok(None) };
    let made = ProjectPath::parse(scaffold::type_file(&resource.key))?;
    let there = workspace.snapshot([&made])?.text(&made).is_some();
    let known = project.resource(&resource.key).is_some_and(|known| known.api);
    if !intent.api || resource.origin != Origin::Own || (known && there && !intent.force) {
        return Ok(None);
    }
    let mut paths = workspace.files_below("api/src");
    paths.push(ProjectPath::parse(scaffold::sample_file(source))?);
    let snapshot = workspace.snapshot(&paths)?;
    scaffold::copy(project, source, resource, &Files { paths: &paths, snapshot: &snapshot }).map(Some)
}

pub(super) fn run(args: &ApiArgs, context: &Context) -> Result<Report> {
    let mut intent = intent(args)?;
    let (workspace, mut project) = args.write.open_project(context)?;
    check_kind(&intent, &project)?;
    scaffold::locate(&mut intent, &project)?;
    scaffold::check_runtime(&intent, &|path| workspace.has_text_file(path))?;
    let known = project.resource(&intent.key).cloned();
    let resource = scaffold::resource_of(&intent, &project)?;
    let copied = copy_stored_version(&workspace, &project, &resource, &intent)?;
    project.upsert(resource.clone());
    let ledger = read_ledger(&workspace)?;
    let made = |path: &str| ledger.files.contains_key(path) && workspace.has_text_file(path);
    let mut operations = scaffold::create_api(&NewApi {
        project: &project,
        known: known.as_ref(),
        resource: &resource,
        intent: &intent,
        copied: copied.as_ref(),
        made: &made,
    })?;
    if args.storage_version {
        operations.extend(scaffold::move_storage(&mut project, &resource, &|key| type_file(&workspace, key))?);
    }
    let snapshot = workspace.snapshot(["Cargo.toml"])?;
    let package = package(workspace.root(), &resource)?;
    operations.extend(scaffold::dependency(
        &resource,
        snapshot.text("Cargo.toml").unwrap_or_default(),
        package,
        args.force,
    )?);
    let again = hint!("opctl create api{}", scaffold::flags(&intent));
    let plan = plan(&workspace, &operations, &project, Some(&again))?;
    let mut report = carry_out("create api", &workspace, &plan, args.write)?;
    report.copies = copied.map(|copied| copied.origins).unwrap_or_default();
    let changed = |path: &String| plan.effective().any(|change| change.path == *path);
    report.copies.retain(|path, _| changed(path));
    report
        .warnings
        .extend(scaffold::choice(&resource, &intent).filter(|(file, _)| changed(file)).map(|(_, said)| said));
    // Cargo.lock lacks a dependency that was added to Cargo.toml.
    let unlocked = plan.effective().any(|change| change.path == "Cargo.toml");
    let report = if unlocked { report.next("cargo update --workspace") } else { report };
    let report = report.next("opctl manifests");
    Ok(if resource.api { report.next("opctl install") } else { report.next("opctl run") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_type_of_a_field() {
        for name in Field::TYPES {
            let name = name.trim_matches('`').split('(').next().unwrap();
            assert!(EXAMPLES.contains(&format!("    {name}")) || EXAMPLES.contains(&format!(", {name}")), "{name}");
        }
    }
}
