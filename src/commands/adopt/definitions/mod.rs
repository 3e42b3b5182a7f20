//! `opctl adopt --crds`: a new project with Rust types for existing CRDs.

mod compare;
mod groups;
mod keys;
mod project;
mod read;
mod taken;

use super::args::AdoptArgs;
use super::kinds::most_common;
use super::refused::is_project;
use crate::commands::context::{Context, show};
use crate::commands::init::{check_folder, make_folders, name_of};
use crate::commands::manifests::current_definitions;
use crate::commands::write::{self, VERSION, carry_out};
use crate::error::{Category, Hint, file_error, hint};
use crate::model::{APPROVAL_ANNOTATION, Domain, PROJECT_FILE, Project, ProjectName};
use crate::plan::Plan;
use crate::report::{Outcome, Report};
use crate::workspace::Workspace;
use crate::{Error, Result, scaffold};
use groups::Groups;
use project::ImportedVersion;
use read::{Definition, FileContents};
use serde_json::json;
use std::path::Path;

pub(super) fn run(args: &AdoptArgs, path: &Path, context: &Context) -> Result<Report> {
    let mut found = FileContents::read(&context.directory.join(path), path)?;
    let mut warnings = without_protected(&mut found)?;
    let root = args.dir.as_deref().map_or_else(|| context.directory.clone(), |dir| context.directory.join(dir));
    let root = std::path::absolute(&root).map_err(|error| file_error("find", &root, &error))?;
    let name = args.name.as_deref().map(ProjectName::parse_new).transpose()?;
    let shared = || {
        Groups::find(&groups_of(&found)).map_err(|error| {
            error.hint(
                "opctl adopt --crds FILE    # with a FILE that has only the CRDs of your own \
                                         API groups",
            )
        })
    };
    let groups = args.domain.as_deref().map_or_else(shared, |text| Ok(Groups::within(Domain::parse(text)?)))?;
    let name = name.unwrap_or_else(|| name_of(&root, context));
    let mut project = Project::new(name, groups.domain.clone(), VERSION);
    let empty = project.clone();
    let (made, operations) = project::kinds(&mut project, &found, &groups, &mut warnings)?;
    if made.is_empty() {
        return Err(outside(&project, &found, path));
    }
    for one in &made {
        let key = &one.resource.key;
        let lost =
            one.code.warnings.iter().map(|(path, reason)| format!("`{}` {}: `{path}` {reason}", key.kind, key.version));
        warnings.extend(lost);
    }

    let made_folders = if args.write.dry_run { Vec::new() } else { make_folders(&root)? };
    let result = (|| -> Result<(Report, Plan)> {
        let workspace = args.write.open(&root, context)?;
        let known = workspace.text(PROJECT_FILE)?;
        let operations = match known {
            Some(text) => {
                project = repeated_import_project(write::parse_project(&text)?, &made)?;
                Vec::new()
            }
            None => {
                check_folder(&root)
                    .map_err(|error| error.hint(hint!("{} my-operator    # uses a separate folder", line(path))))?;
                let mut all = scaffold::init(&empty)?;
                all.extend(operations);
                all
            }
        };
        let plan = write::plan(&workspace, &operations, &project, None)?;
        Ok((carry_out("adopt", &workspace, &plan, args.write)?, plan))
    })();
    let (mut report, plan) = match result {
        Ok(done) => done,
        Err(error) => {
            for folder in &made_folders {
                let _ = std::fs::remove_dir(folder);
            }
            return Err(error);
        }
    };
    report.warnings = warnings;
    let mut data = json!({ "kinds": made.iter().map(kind).collect::<Vec<_>>() });
    if args.manifests && !args.write.dry_run {
        // Compiling them may take minutes.
        for one in made.iter().filter(|_| report.outcome == Outcome::Changed) {
            context.console.status("Made", summary(one));
        }
        let inside = Context { directory: root.clone(), ..context.clone() };
        match definitions(&inside, &project, report.outcome) {
            Ok((now, manifests)) => {
                let compared = compare::compare(&found, &made, &now);
                let (equal, all) = compare::equal(&compared);
                let said = format!("{equal} of {all} CRDs are unchanged");
                report.summary =
                    report.summary.into_iter().chain([said]).reduce(|one, other| format!("{one}; {other}"));
                report.text = Some(compare::text(&compared, &made)).filter(|text| !text.is_empty());
                data["definitions"] = compare::data(&compared);
                if let Some(manifests) = manifests {
                    report.changes.extend(manifests.changes);
                    report.findings.extend(manifests.findings);
                }
            }
            Err(error) if error.category() == Category::Environment => {
                report
                    .warnings
                    .push(format!("the generated CRDs could not be compared with the imported CRDs: {error}"));
            }
            Err(error) => {
                show(&plan, context);
                return Err(error);
            }
        }
    }
    report.data = Some(data);
    let report = match args.dir.as_deref() {
        Some(dir) => report.next(hint!("cd {}", dir.to_string_lossy())),
        None => report,
    };
    Ok(report.next("opctl test").next("opctl run --envtest"))
}

/// Returns the group and the kind of each CRD.
fn groups_of(found: &FileContents) -> Vec<(&str, &str)> {
    let specs = found.definitions.iter().map(|definition| &definition.object["spec"]);
    specs
        .filter_map(|spec| Some((spec["group"].as_str()?, spec["names"]["kind"].as_str().unwrap_or_default())))
        .collect()
}

/// Leaves out the CRDs in protected groups (groups of the Kubernetes project) without the approval annotation, and
/// returns a warning for each of these CRDs.
///
/// # Errors
/// Fails if no CRD remains.
fn without_protected(found: &mut FileContents) -> Result<Vec<String>> {
    let (mut warnings, mut refused) = (Vec::new(), None);
    found.definitions.retain(|definition| match check_group(definition) {
        Ok(()) => true,
        Err(error) => {
            let kind = definition.object["spec"]["names"]["kind"].as_str().unwrap_or_default();
            warnings.push(format!("`{kind}` is left out: {error}"));
            refused.get_or_insert(error);
            false
        }
    });
    match refused {
        Some(error) if found.definitions.is_empty() => Err(error),
        _ => Ok(warnings),
    }
}

/// Fails for a CRD in a protected group without the approval annotation: the API server refuses such a CRD.
fn check_group(definition: &Definition) -> Result<()> {
    let object = &definition.object;
    if object["metadata"]["annotations"][APPROVAL_ANNOTATION].is_string() {
        return Ok(());
    }
    Domain::check_own(object["spec"]["group"].as_str().unwrap_or_default()).map_err(|invalid| {
        let file = definition.file.display();
        Error::from(invalid)
            .caused_by(format!(
                "`{file}` defines a kind in a group that is reserved for Kubernetes, without the \
                                annotation `{APPROVAL_ANNOTATION}`"
            ))
            .hint("opctl adopt --crds FILE    # with a FILE that has only the CRDs of your own API groups")
    })
}

/// Generates types for the CRDs in a file or a folder, without writing them. Returns the number of CRD versions.
pub fn types_of(path: &Path) -> Result<usize> {
    let found = FileContents::read(path, path)?;
    let groups = Groups::find(&groups_of(&found))?;
    let mut project = Project::new(ProjectName::parse("adopted")?, groups.domain.clone(), VERSION);
    Ok(project::kinds(&mut project, &found, &groups, &mut Vec::new())?.0.len())
}

/// Returns the CRDs that the Rust types of the project generate. If `opctl adopt` has changed files (`outcome` is
/// `Changed`), first runs `opctl manifests`, and also returns the report of this run.
fn definitions(
    context: &Context,
    project: &Project,
    outcome: Outcome,
) -> Result<(Vec<serde_json::Value>, Option<Report>)> {
    let mut written = None;
    if outcome == Outcome::Changed {
        context.console.command("opctl manifests");
        written = Some((context.run)(context, &["opctl", "manifests"])?);
    }
    let workspace = Workspace::open(&context.directory, &context.console)?;
    Ok((current_definitions(project, &workspace, context)?, written))
}

/// Returns `known`, the existing project, if an earlier import from CRDs added all kinds in `made` to the project. A
/// repeated import then changes no files, and only compares the CRDs.
///
/// # Errors
/// Fails if a kind in `made` was not imported into the project from a CRD.
fn repeated_import_project(known: Project, made: &[ImportedVersion<'_>]) -> Result<Project> {
    let has = |one: &&ImportedVersion<'_>| {
        known.resource(&one.resource.key).is_none_or(|resource| resource.imported.is_none())
    };
    let Some(missing) = made.iter().find(has) else { return Ok(known) };
    Err(is_project(&known)
        .caused_by(format!("the project has no `{}` that was imported from a CRD", missing.resource.key)))
}

/// Returns the error for CRDs whose groups are all outside of the project's domain.
fn outside(project: &Project, found: &FileContents, path: &Path) -> Error {
    let first = most_common(groups_of(found).into_iter().map(|(group, _)| group));
    Error::user(format!("no kind in `{}` has a group that ends in `{}`", path.display(), project.domain))
        .caused_by(format!("the most common group is `{first}`"))
        .hint(hint!("{} --domain {first}", line(path), first))
}

fn line(path: &Path) -> Hint {
    hint!("opctl adopt --crds {}", path.to_string_lossy())
}

fn summary(one: &ImportedVersion<'_>) -> String {
    let (key, types, lost) = (&one.resource.key, one.code.size, one.code.warnings.len());
    let lost = match lost {
        0 => String::new(),
        1 => ", 1 warning".to_owned(),
        many => format!(", {many} warnings"),
    };
    let types = if types == 1 { "1 type".to_owned() } else { format!("{types} types") };
    format!("`{}` {} in {}: {types}{lost}", key.kind, key.version, scaffold::type_file(key))
}

fn kind(one: &ImportedVersion<'_>) -> serde_json::Value {
    let key = &one.resource.key;
    json!({
        "kind": key.kind.as_str(), "group": one.definition.object["spec"]["group"], "version": key.version.as_str(),
        "place": scaffold::type_file(key),
        "inexpressible": one.code.warnings.iter().map(|(path, reason)| json!({ "path": path, "reason": reason })).collect::<Vec<_>>(),
    })
}
