//! `undeploy`: removes the operator from the cluster, and keeps CRDs and namespaces that are still in use.

use super::apply_set::ApplySet;
use super::conversions::Conversions;
use super::member::{Member, kinds, members};
use super::namespace::others_in;
use super::rendered_objects::rendered_objects;
use super::steps::{Steps, delete, removal_line};
use crate::cluster::uninstall::{count_objects, describe_first_objects, finalized_objects, places};
use crate::cluster::{Connection, Definition, Remote, Target, run_until_interrupted};
use crate::error::hint;
use crate::model::Project;
use crate::report::{Console, Outcome, Report};
use crate::{Error, Result};
use std::path::Path;
use std::time::{Duration, Instant};

const DEFINITION: &str = "CustomResourceDefinition.apiextensions.k8s.io";

/// The maximum number of objects that a warning names.
const NAMED: usize = 3;

/// Options of `undeploy`.
#[derive(Clone, Debug)]
pub struct UndeployOptions {
    /// The cluster to undeploy from.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// The handling of remote resources that kustomizations name.
    pub remote: Remote,
    /// Undeploy even if objects have finalizers that only the running operator removes.
    pub force: bool,
    /// Report the objects that would be deleted, and delete nothing.
    pub dry_run: bool,
    /// Wait until all deleted objects are gone.
    pub wait: bool,
}

/// Deletes the objects that `deploy` applied for the project at `root`, and the objects that `config/default` renders.
/// Keeps a CRD that still has objects, and a namespace that still holds other objects.
///
/// # Errors
/// Fails if objects have finalizers that only the running operator removes (nothing is deleted then, unless
/// [`UndeployOptions::force`] is set), if the manifests cannot be rendered, if the server refuses a request, or if
/// deleted objects still exist at the end of the time limit.
pub fn undeploy(project: &Project, root: &Path, options: &UndeployOptions, console: &Console) -> Result<Report> {
    let objects = rendered_objects(root, Some("controller:none"), "undeploy", &options.target, options.remote)?;
    let deadline = Instant::now() + options.timeout.saturating_sub(options.timeout / 10);
    let steps = Steps::new("undeploy", console);
    let undeployed = run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        steps.say("Context", &format!("{} ({})", connection.context, connection.server));
        let discovery = kinds(&connection).await?;
        let known_to_server = |object: &&serde_json::Value| members(&discovery, &[(*object).clone()]).is_ok();
        let rendered: Vec<_> = objects.iter().filter(known_to_server).cloned().collect();
        let rendered = members(&discovery, &rendered)?;
        let set = ApplySet::of(project, &rendered)?;
        let mut targets = Vec::new();
        for member in rendered {
            let live = member.read_live_object(&connection).await?;
            let owner = live.as_ref().map(ApplySet::of_object);
            // An object that another apply set owns is not deleted.
            if owner.is_some_and(|owner| owner.is_none_or(|owner| owner == set.id())) {
                targets.push(member);
            }
        }
        if let Some(known) = set.read_contents(&connection).await? {
            for member in set.objects(&connection, &known).await?.0 {
                if !targets.iter().any(|target| target.is_same_object(&member)) {
                    targets.push(member);
                }
            }
            // Deleted last but for CRDs and namespaces: it alone knows the objects that are not rendered any more.
            targets.insert(0, set.parent());
        }
        let (finalized, unknown) = objects_with_finalizers(&targets, &connection, options.force).await?;
        if !options.force && !finalized.is_empty() {
            return Err(refusal(&finalized, &connection));
        }
        // Delete in reverse order of dependency, and CRDs and namespaces last: their objects are deleted with them.
        targets.reverse();
        targets.sort_by_key(Member::is_precious);

        let mut report = Report::new("undeploy", Outcome::Unchanged);
        let left = finalized.iter().map(|(name, held)| {
            format!(
                "`{name}` has objects with finalizers, which are not removed without the operator: {}",
                held.join(", ")
            )
        });
        report.warnings.extend(left.chain(unknown));
        let definitions = targets.iter().filter(|member| member.group_kind() == DEFINITION);
        let mut conversions =
            if options.dry_run { None } else { Conversions::of(definitions, &targets, &connection).await? };
        let mut gone = Vec::new();
        for member in &targets {
            if let Some(conversions) = conversions.take_if(|_| member.is_precious()) {
                report.warnings.extend(conversions.end(&connection, &steps, deadline).await?);
            }
            if let Some(reason) = reason_to_keep(member, &targets, &connection).await? {
                report.warnings.push(format!("`{}` is kept: {reason}", member.path()));
                continue;
            }
            if options.dry_run {
                report.changes.push(removal_line(member));
            } else {
                delete(&connection, member).await?;
                steps.record_change("Deleted", removal_line(member));
            }
            gone.push(member);
        }
        if !options.dry_run {
            report.told = true;
            report.changes = steps.changes.take();
        }
        if options.wait && !options.dry_run {
            until_gone(&connection, &gone, deadline, &mut report).await?;
        }
        report.outcome = match (gone.is_empty(), options.dry_run) {
            (true, _) => Outcome::Unchanged,
            (false, true) => Outcome::DryRun,
            (false, false) => Outcome::Changed,
        };
        let summary = match gone.len() {
            0 => "nothing to do: no object of the project is deployed".to_owned(),
            number => format!("objects: {number} removed"),
        };
        Ok(report.summary(summary))
    });
    undeployed.map_err(|error| steps.so_far(error, "deleted"))
}

/// The name of a CRD, and descriptions of its objects that have finalizers.
type Finalized = (String, Vec<String>);

/// Returns the CRDs that have objects with finalizers, each with descriptions of these objects, and a list of warnings.
/// Both lists are empty if the operator, which removes the finalizers, is not deployed. With `force`, a CRD whose
/// objects cannot be listed, for example because of a broken conversion webhook, causes a warning instead of an error.
async fn objects_with_finalizers(
    targets: &[Member],
    connection: &Connection,
    force: bool,
) -> Result<(Vec<Finalized>, Vec<String>)> {
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    if !targets.iter().any(|member| member.group_kind() == "Deployment.apps") {
        return Ok((found, unknown));
    }
    for member in targets.iter().filter(|member| member.group_kind() == DEFINITION) {
        let Some(live) = member.read_live_object(connection).await? else { continue };
        let definition = Definition::of(serde_json::to_value(&live).unwrap_or_default())?;
        let held = match finalized_objects(connection, &definition).await {
            Err(error) if force => {
                unknown.push(format!("`{}` may have objects with finalizers: {}", definition.name, error.message()));
                continue;
            }
            held => held?,
        };
        if !held.is_empty() {
            found.push((definition.name, describe_first_objects(&held)));
        }
    }
    Ok((found, unknown))
}

fn refusal(finalized: &[Finalized], connection: &Connection) -> Error {
    let names: Vec<&str> = finalized.iter().map(|(name, _)| name.as_str()).collect();
    let name = names[0];
    let error = Error::conflict(format!(
        "the CRD `{name}` has objects with finalizers, and only the operator removes \
                                         these finalizers"
    ));
    let error = finalized.iter().flat_map(|(_, held)| held).fold(error, Error::caused_by);
    error.hint(hint!(
        "{}    # run this while the operator runs and can remove the finalizers; then: {}\n{}    # or undeploy now, \
         and keep the objects with their finalizers",
        connection.kubectl(hint!("delete {} --all --all-namespaces", names.join(","))),
        connection.target.opctl("undeploy"),
        connection.target.opctl("undeploy --force")
    ))
}

async fn reason_to_keep(member: &Member, targets: &[Member], connection: &Connection) -> Result<Option<String>> {
    match member.group_kind().as_str() {
        DEFINITION => {
            let Some(live) = member.read_live_object(connection).await? else { return Ok(None) };
            let definition = Definition::of(serde_json::to_value(&live).unwrap_or_default())?;
            let counts = count_objects(connection, &definition).await?;
            let found = places(&definition, &counts).join(", ");
            let force = connection.target.opctl("uninstall --force");
            let force = force.as_str();
            Ok((!counts.is_empty()).then(|| format!("it has {found}; `{force}` deletes them too")))
        }
        "Namespace" => {
            let live = member.read_live_object(connection).await?;
            if live.is_some_and(|live| ApplySet::of_object(&live).is_none()) {
                return Ok(Some("it existed before `opctl deploy`".to_owned()));
            }
            let others = others_in(member.name(), targets, &kinds(connection).await?, connection).await?;
            let named: Vec<String> = others.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
            let more = match others.len().saturating_sub(NAMED) {
                0 => String::new(),
                number => format!(" and {number} more"),
            };
            Ok((!others.is_empty()).then(|| format!("it holds {}{more}", named.join(", "))))
        }
        _ => Ok(None),
    }
}

async fn until_gone(
    connection: &Connection,
    members: &[&Member],
    deadline: Instant,
    report: &mut Report,
) -> Result<()> {
    for member in members {
        while member.read_live_object(connection).await?.is_some() {
            if Instant::now() < deadline {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            if member.group_kind() == "Namespace" {
                report.warnings.push(format!(
                    "`{}` is still being deleted: the namespace controller has not finished",
                    member.path()
                ));
                break;
            }
            let namespace = member.namespace().map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
            return Err(Error::cluster(format!("`{}` is still there", member.path()))
                .caused_by("the finalizers of the object have not been removed")
                .hint(connection.kubectl(hint!(
                    "get {} {}{namespace} -o yaml",
                    member.resource.plural,
                    member.name(),
                    namespace
                ))));
        }
    }
    Ok(())
}
