//! Runs `opctl adopt`.

use super::adopted_samples::{self, Sample};
use super::args::AdoptArgs;
use super::chosen::Flags;
use super::definer::Definer;
use super::lacks::{has_operator, lacks};
use super::refused::is_project;
use super::{chosen, definitions, kinds, operator};
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::commands::operator_program::project as known_project;
use crate::commands::write::{self, VERSION, carry_out};
use crate::error::{file_error, hint};
use crate::exec::{Metadata, metadata};
use crate::model::{Adopted, Domain, PROJECT_FILE, Project, ProjectName};
use crate::permissions::rbac::cluster_role;
use crate::permissions::rights;
use crate::plan::Existing;
use crate::report::Report;
use crate::scaffold::DerivedFiles;
use crate::source::crate_sources::{GeneratedFiles, Source, read_sources};
use crate::source::discover::ApiType;
use crate::{Error, Result, scaffold, yaml};
use serde_json::json;
use std::path::Path;

const ROLE_HEADER: &str = "# The rights that `opctl adopt` found in the code, and those of a controller on its own kinds. Edit this file, or state each
# right with a marker in the code, such as `// +opctl:rbac:groups=core,resources=pods,verbs=get;list`, which goes into role.yaml.
";

impl OpctlCommand for AdoptArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        if let Some(path) = &self.crds {
            return definitions::run(self, path, context);
        }
        let directory = &context.directory;
        let root = std::path::absolute(directory).map_err(|error| file_error("find", directory, &error))?;
        let domain = self.domain.as_deref().map(Domain::parse).transpose()?;
        let name = self.name.as_deref().map(ProjectName::parse_new).transpose()?;
        let metadata = metadata(&root)?;
        check_root(&root, &metadata)?;
        let flags = Flags { packages: &self.package, features: &self.features, program: self.bin.as_deref() };
        let before = known_project(&root);
        if let Some(known) = before.as_ref().filter(|known| known.adopted.is_none()) {
            return Err(is_project(known));
        }
        let (domain_before, places_before) = before.map(|known| (known.domain, known.adopted)).unzip();
        let places_before = places_before.flatten();
        let mut chosen = chosen::definers(flags, &metadata, places_before.as_ref())?;
        let domain = domain.or(domain_before).map_or_else(|| kinds::domain(groups(&chosen.taken)), Ok)?;
        chosen.only_within(&domain);
        let operator = operator::operator(flags, &metadata, &chosen.taken, places_before.as_ref())?;
        let without = chosen.left_out_folders();
        let (definers, warned) = (chosen.taken, chosen.warned);
        let adopted = Adopted { types: definers.iter().map(Definer::place).collect(), without, operator };

        let workspace = self.write.open(&root, context)?;
        let known = workspace.text(PROJECT_FILE)?;
        let known = known.as_deref().map(write::parse_project).transpose()?;
        let existing = if known.is_some() { Existing::Keep } else { Existing::Skip };
        let mut project = match known {
            Some(known) if known.adopted.is_none() => return Err(is_project(&known)),
            Some(known) => known,
            None => {
                let package = adopted.operator.as_ref().map_or(&definers[0].package.name, |operator| &operator.package);
                Project::new(ProjectName::nearest(package), domain.clone(), VERSION)
            }
        };
        project.name = name.unwrap_or(project.name);
        project.domain = domain;
        project.adopted = Some(adopted);

        let folders: Vec<&Path> = definers.iter().map(|definer| definer.folder.as_path()).collect();
        let sources = read_sources(&root, &folders, &GeneratedFiles::default())?;
        let types: Vec<ApiType> = definers.iter().flat_map(|definer| definer.types.iter().cloned()).collect();
        let mut warnings = kinds::add(&mut project, &types, &sources);
        if definers.iter().all(|definer| definer.findings.is_empty()) {
            warnings.extend(kinds::without_gone(&mut project, &types));
        }
        let own = types.iter().filter(|found| project.domain.has_group(&found.resource.group));
        let samples = adopted_samples::samples(&root, own);
        warnings.extend(lacks(&root, &project, &definers, &samples));
        let seen = derived_files(&types, &sources, samples);
        let operations = scaffold::adopt(&project, &seen, existing)?;
        let plan = write::plan(&workspace, &operations, &project, None)?;
        let mut report = carry_out("adopt", &workspace, &plan, self.write)?;
        report.warnings = warnings;
        if definers.len() > 1 {
            let names: Vec<String> = definers.iter().map(|definer| format!("`{}`", definer.package.name)).collect();
            let from = format!("the kinds are those of {}", names.join(", "));
            report.summary = report.summary.into_iter().chain([from]).reduce(|one, other| format!("{one}; {other}"));
        }
        report.data = Some(json!({
            "packages": definers.iter().map(|definer| definer.package.name.as_str()).collect::<Vec<_>>(),
            "operator": project.adopted.as_ref().and_then(|adopted| adopted.operator.as_ref()).map(|operator| operator.name.as_str()),
            "kinds": types.iter().map(|found| json!({
                "kind": found.resource.kind, "group": found.resource.group, "version": found.resource.version,
                "place": found.place(),
            })).collect::<Vec<_>>(),
        }));
        report.findings = definers.into_iter().flat_map(|definer| definer.findings).chain(warned).collect();
        let report = report.next("opctl manifests");
        Ok(if has_operator(&project) { report.next("opctl run --envtest") } else { report }.next("opctl list"))
    }
}

/// Fails if the folder is not the root of its cargo workspace, where cargo keeps the lock file and the target folder.
fn check_root(root: &Path, metadata: &Metadata) -> Result<()> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(&metadata.workspace_root) == real(root) {
        return Ok(());
    }
    let workspace = metadata.workspace_root.to_string_lossy();
    Err(Error::user(format!("`{}` belongs to the cargo workspace `{workspace}`", root.display()))
        .caused_by(
            "`opctl adopt` must run in the root of the workspace, the folder with Cargo.lock and the target \
                    folder",
        )
        .hint(hint!("opctl -C {workspace} adopt", workspace)))
}

fn groups<'d>(definers: &'d [Definer<'_>]) -> impl Iterator<Item = &'d str> {
    definers.iter().flat_map(|definer| &definer.types).map(|found| found.resource.group.as_str())
}

fn derived_files(types: &[ApiType], sources: &[Source], samples: Vec<(&ApiType, Option<Sample>)>) -> DerivedFiles {
    let role = cluster_role("operator-role", &rights::visible_rights(sources, types));
    let role = format!("{ROLE_HEADER}{}", yaml::document(&role));
    DerivedFiles { role, samples: samples.into_iter().filter_map(|(_, sample)| sample).collect() }
}
