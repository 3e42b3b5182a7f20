//! `opctl adopt`.

mod args;
mod chosen;
mod definitions;
mod kinds;
mod packages;
mod refused;
mod samples;

use super::command::{HelpGroup, OpctlCommand, Reports, Uses};
use super::context::Context;
use super::operator_program::adopted as known_places;
use super::write::{self, VERSION, carry_out};
use crate::access::rbac::cluster_role;
use crate::access::rights;
use crate::error::{file_error, shell_word};
use crate::exec::{Metadata, metadata};
use crate::model::{Adopted, Domain, OperatorProgram, PROJECT_FILE, Project, ProjectName};
use crate::plan::{Existing, readable};
use crate::report::Report;
use crate::scaffold::{self, Seen};
use crate::source::discover::ApiType;
use crate::source::files::{Made, Source, read_sources};
use crate::{Error, Result, yaml};
pub(super) use args::AdoptArgs;
use chosen::Flags;
use packages::Definer;
use refused::is_project;
use samples::Sample;
use serde_json::json;
use std::path::Path;

const ROLE_HEADER: &str = "\
# The rights that `opctl adopt` saw the code need, and those of a controller on its own kinds. Edit it, or state each right
# by a marker in the code, such as `// +opctl:rbac:groups=core,resources=pods,verbs=get;list`, which goes into role.yaml.
";

impl OpctlCommand for AdoptArgs {
    const NAME: &'static str = "adopt";
    const GROUP: HelpGroup = HelpGroup::Begin;
    const REPORTS: Reports = Reports::Once;

    fn uses(&self) -> Uses {
        Uses::Programs
    }

    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

fn run(args: &AdoptArgs, context: &Context) -> Result<Report> {
    if let Some(path) = &args.crds {
        return definitions::run(args, path, context);
    }
    let directory = &context.directory;
    let root = std::path::absolute(directory).map_err(|error| file_error("find", directory, &error))?;
    let domain = args.domain.as_deref().map(Domain::parse).transpose()?;
    let name = args.name.as_deref().map(ProjectName::parse).transpose()?;
    let metadata = metadata(&root)?;
    check_root(&root, &metadata)?;
    let flags = Flags { package: args.package.as_deref(), features: &args.features, program: args.bin.as_deref() };
    let before = known_places(&root);
    let (definer, features) = chosen::definer(flags, &metadata, before.as_ref())?;
    let program = chosen::program(flags, &metadata, before.as_ref());
    let operator = packages::operator(&metadata, &definer, program)?;
    let adopted = adopted(&definer, features, operator);

    let workspace = args.write.open(&root, context)?;
    let known = readable(PROJECT_FILE, &workspace.snapshot([PROJECT_FILE])?)?;
    let known = known.as_deref().map(write::parse_project).transpose()?;
    let existing = if known.is_some() { Existing::Keep } else { Existing::Skip };
    let mut project = match known {
        Some(known) if known.adopted.is_none() => return Err(is_project(&known)),
        Some(known) => known,
        None => {
            let domain = domain.clone().map_or_else(|| kinds::domain(groups(&definer.types)), Ok)?;
            let name = name.clone().unwrap_or_else(|| {
                ProjectName::nearest(
                    adopted.operator.as_ref().map_or(&definer.package.name, |operator| &operator.package),
                )
            });
            Project::new(name, domain, VERSION)
        }
    };
    project.name = name.unwrap_or(project.name);
    project.domain = domain.unwrap_or(project.domain);
    project.adopted = Some(adopted);

    let sources = read_sources(&root, &definer.folder, &Made::default())?;
    let mut warnings = kinds::add(&mut project, &definer.types, &sources);
    if definer.findings.is_empty() {
        warnings.extend(kinds::without_gone(&mut project, &definer.types));
    }
    let samples = samples::samples(&root, own(&project, &definer));
    warnings.extend(lacks(&root, &project, &definer, &samples));
    let seen = seen(&definer, &sources, samples);
    let operations = scaffold::adopt(&project, &seen, existing)?;
    let plan = write::plan(&workspace, &operations, &project, None)?;
    let mut report = carry_out("adopt", &workspace, &plan, args.write)?;
    report.findings = definer.findings;
    report.warnings = warnings;
    report.data = Some(json!({
        "package": definer.package.name,
        "operator": project.adopted.as_ref().and_then(|adopted| adopted.operator.as_ref()).map(|operator| operator.name.as_str()),
        "kinds": definer.types.iter().map(|found| json!({
            "kind": found.resource.kind, "group": found.resource.group, "version": found.resource.version,
            "place": found.place(),
        })).collect::<Vec<_>>(),
    }));
    let report = report.next("opctl manifests");
    Ok(if has_operator(&project) { report.next("opctl run --envtest") } else { report }.next("opctl list"))
}

/// Fails if the folder is a part of a workspace: cargo's lock file and target folder are those of the workspace's root.
fn check_root(root: &Path, metadata: &Metadata) -> Result<()> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(&metadata.workspace_root) == real(root) {
        return Ok(());
    }
    let workspace = metadata.workspace_root.to_string_lossy();
    Err(Error::user(format!("`{}` belongs to the cargo workspace `{workspace}`", root.display()))
        .caused_by("a project begins where its Cargo.lock and its target folder are")
        .hint(format!("opctl -C {} adopt", shell_word(&workspace))))
}

fn adopted(definer: &Definer<'_>, features: Vec<String>, operator: Option<OperatorProgram>) -> Adopted {
    let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let folder = text(&definer.folder);
    Adopted {
        package: if folder.is_empty() { ".".to_owned() } else { folder },
        types_program: definer.program.as_deref().map(text),
        features,
        operator,
    }
}

fn groups(types: &[ApiType]) -> impl Iterator<Item = &str> {
    types.iter().map(|found| found.resource.group.as_str())
}

/// Returns the types whose groups are in the project's domain.
fn own<'d>(project: &Project, definer: &'d Definer<'_>) -> impl Iterator<Item = &'d ApiType> {
    definer.types.iter().filter(|found| project.domain.has_group(&found.resource.group))
}

fn seen(definer: &Definer<'_>, sources: &[Source], samples: Vec<(&ApiType, Option<Sample>)>) -> Seen {
    let role = cluster_role("operator-role", &rights::seen(sources, &definer.types));
    let role = format!("{ROLE_HEADER}{}", yaml::document(&role));
    Seen { role, samples: samples.into_iter().filter_map(|(_, sample)| sample).collect() }
}

/// Returns a warning for each thing that later commands need and the operator lacks, with the line that fixes it.
fn lacks(root: &Path, project: &Project, definer: &Definer<'_>, samples: &[(&ApiType, Option<Sample>)]) -> Vec<String> {
    let mut warnings = Vec::new();
    if !has_operator(project) {
        warnings.push("the workspace has types, and no program: there is nothing to run, explore or deploy".to_owned());
    } else if !root.join("Dockerfile").is_file() {
        warnings.push("there is no `Dockerfile`, which `opctl build` builds".to_owned());
    }
    let package = &definer.package.name;
    let has = |name: &str| definer.package.dependencies.iter().any(|one| one.name == name && one.kind.is_none());
    for name in ["kube", "schemars", "k8s-openapi"].into_iter().filter(|name| !has(name)) {
        warnings.push(format!(
            "`{package}` does not depend on `{name}`, which `opctl manifests` asks the types with: cargo add --package {package} {name}"
        ));
    }
    for (found, _) in samples.iter().filter(|(_, sample)| sample.is_none()) {
        let (kind, file) = (&found.resource.kind, samples::file_name(found));
        warnings.push(format!(
            "no YAML file here has a `{kind}`: write config/samples/{file}, which `opctl explore` begins with"
        ));
    }
    warnings
}

fn has_operator(project: &Project) -> bool {
    project.adopted.as_ref().is_some_and(|adopted| adopted.operator.is_some())
}
