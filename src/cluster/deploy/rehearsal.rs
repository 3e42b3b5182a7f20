//! Dry-runs the apply of each object before any object is applied, so that all conflicts and refusals are known first.

use super::apply_set::ApplySet;
use super::denied::Denied;
use super::member::Member;
use super::options::DeployOptions;
use crate::cluster::apply::{Applied, Apply};
use crate::cluster::request::contains::has_wanted_fields;
use crate::cluster::{Connection, RefusedBy, request_error};
use crate::error::hint;
use crate::report::ChangeLine;
use crate::{Error, Result};
use kube::api::DynamicObject;
use std::collections::BTreeSet;

/// The result of a server-side dry run of all objects.
pub(super) struct Rehearsal {
    pub(super) lines: Vec<ChangeLine>,
    /// The objects, as `kind/name`, that are not applied because the user has no right to change them.
    pub(super) kept: Vec<String>,
    /// Warnings for the report.
    pub(super) warnings: Vec<String>,
}

/// Dry-runs the apply of each object on the server, and collects all conflicts and refusals.
pub(super) async fn rehearse(
    connection: &Connection,
    members: &[Member],
    set: &ApplySet,
    options: &DeployOptions,
) -> Result<Rehearsal> {
    let apply = Apply { force_conflicts: options.force_conflicts, dry_run: true, keeps_run: false };
    let mut rehearsal = Rehearsal { lines: Vec::new(), kept: Vec::new(), warnings: Vec::new() };
    let mut conflicts = Vec::new();
    let mut denied = Denied::default();
    let mut missing = BTreeSet::new();
    for member in members {
        let live = match member.api(&connection.client).get_opt(member.name()).await {
            Ok(live) => live,
            Err(error) => {
                denied.add(member, error).map_err(|error| request_error(&error, connection, member.attempt("get")))?;
                continue;
            }
        };
        if live.is_none() && member.group_kind() == "Namespace" {
            missing.insert(member.name());
        }
        let absent = member.namespace().filter(|namespace| missing.contains(namespace));
        if let Some(namespace) = absent {
            let applied = Applied { before: None, after: member.object.clone() };
            rehearsal.lines.push(applied.line(member.path(), options.diff));
            let unchecked =
                format!("the API server did not check the objects in `{namespace}`: the namespace does not exist yet");
            if options.dry_run && !rehearsal.warnings.contains(&unchecked) {
                rehearsal.warnings.push(unchecked);
            }
            continue;
        }
        let owner = live.as_ref().and_then(ApplySet::of_object).filter(|owner| *owner != set.id());
        if let (Some(owner), false) = (owner, options.force_conflicts) {
            conflicts.push(format!("`{}` belongs to another deployment, `{owner}`", member.path()));
            continue;
        }
        let api = member.api(&connection.client);
        let stranger = live.as_ref().filter(|live| ApplySet::of_object(live) != Some(set.id().as_str())).cloned();
        if let Some(controller) = stranger.as_ref().and_then(controller) {
            return Err(name_taken_error(member, connection).caused_by(format!(
                "the existing object is controlled by \
                 `{controller}`"
            )));
        }
        let before = live.clone();
        match apply.onto(live, &api, &member.object, connection, member.attempt("patch")).await? {
            Ok(applied) => rehearsal.lines.push(applied.line(member.path(), options.diff)),
            Err(error) => {
                let fields = conflicting_fields(&error);
                let error = match &stranger {
                    // Find out if `force_conflicts` would help.
                    Some(stranger) if !fields.is_empty() => {
                        let force = Apply { force_conflicts: true, dry_run: true, keeps_run: false };
                        let attempt = member.attempt("patch");
                        let forced =
                            force.onto(Some(stranger.clone()), &api, &member.object, connection, attempt).await?;
                        forced.err().unwrap_or(error)
                    }
                    _ => error,
                };
                if let (Some(stranger), Some(message)) = (&stranger, immutable_field_message(&error)) {
                    let by = managers(stranger).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    let found = format!("it exists already, managed by {by}, with other values in immutable fields");
                    return Err(name_taken_error(member, connection).caused_by(found).caused_by(message));
                }
                if let Some(lacking) = before.and_then(|live| tolerated_warnings(member, &live, &error)) {
                    rehearsal.lines.push(ChangeLine {
                        action: "unchanged".to_owned(),
                        path: member.path(),
                        diff: None,
                    });
                    rehearsal.kept.push(member.path());
                    rehearsal.warnings.extend(lacking);
                    continue;
                }
                if fields.is_empty() {
                    denied
                        .add(member, error)
                        .map_err(|error| request_error(&error, connection, member.attempt("patch")))?;
                    continue;
                }
                conflicts.extend(fields.iter().map(|field| format!("`{}`: {field}", member.path())));
            }
        }
    }
    if let Some(error) = denied.error(members.len(), connection) {
        return Err(error);
    }
    if conflicts.is_empty() { Ok(rehearsal) } else { Err(refusal(&conflicts, options)) }
}

/// Returns the warnings for an object that the user has no right to change and that may stay unchanged: an object that
/// already has all wanted values, or a Namespace, which only has to exist. Returns `None` for any other object.
fn tolerated_warnings(member: &Member, live: &DynamicObject, error: &kube::Error) -> Option<Vec<String>> {
    let kube::Error::Api(status) = error else { return None };
    // Without the right to change the Deployment, there is nothing to deploy.
    let may_stay = member.group_kind() != "Deployment.apps";
    if !may_stay || !matches!(RefusedBy::of(&status.message), RefusedBy::MissingRight | RefusedBy::Escalation) {
        return None;
    }
    let mut wanted = member.object.clone();
    wanted.metadata.labels.get_or_insert_default().retain(|name, _| !ApplySet::is_label(name));
    let value = |object: &DynamicObject| serde_json::to_value(object).unwrap_or_default();
    if has_wanted_fields(&value(live), &value(&wanted)) {
        return Some(Vec::new());
    }
    let labels = live.metadata.labels.clone().unwrap_or_default();
    let lacks = wanted.metadata.labels.into_iter().flatten().filter(|(name, value)| labels.get(name) != Some(value));
    let lacks: Vec<String> = lacks.map(|(name, value)| format!("`{name}={value}`")).collect();
    let path = member.path();
    let warning = format!(
        "`{path}` is not changed, because you may not change it; these labels are missing: {}",
        lacks.join(", ")
    );
    (member.group_kind() == "Namespace").then_some(vec![warning])
}

/// Returns the owner of the object whose owner reference has `controller: true`, as `kind/name`; `None` if the object
/// has no such owner.
fn controller(object: &DynamicObject) -> Option<String> {
    let mut owners = object.metadata.owner_references.iter().flatten();
    let owner = owners.find(|owner| owner.controller == Some(true))?;
    Some(format!("{}/{}", owner.kind.to_lowercase(), owner.name))
}

/// Returns the name of the field manager of each entry in `metadata.managedFields` of the object. Leaves out entries
/// for subresources.
fn managers(object: &DynamicObject) -> impl Iterator<Item = &str> {
    let entries = object.metadata.managed_fields.iter().flatten();
    entries.filter(|entry| entry.subresource.is_none()).filter_map(|entry| entry.manager.as_deref())
}

/// Returns the server's message if `error` is a refusal to change an immutable field; `None` for any other error.
fn immutable_field_message(error: &kube::Error) -> Option<&str> {
    let kube::Error::Api(status) = error else { return None };
    let says = |words: &str| status.message.contains(words);
    (status.code == 422 && (says("field is immutable") || says("cannot change roleRef"))).then_some(&status.message)
}

fn name_taken_error(member: &Member, connection: &Connection) -> Error {
    let within = member.namespace().map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
    let (plural, name) = (&member.resource.plural, member.name());
    Error::conflict(format!("the name of `{}` is taken, and nothing was applied", member.path())).hint(hint!(
        "choose another `namePrefix` in `config/default/kustomization.yaml`, or, if nothing needs the existing \
         object, delete it:\n{}",
        connection.kubectl(hint!("delete {plural} {name}{within}", plural, name, within))
    ))
}

/// Returns the fields that other field managers own, each with its field manager, as listed in `error`; an empty list
/// if `error` is not a conflict.
fn conflicting_fields(error: &kube::Error) -> Vec<String> {
    let kube::Error::Api(status) = error else { return Vec::new() };
    if status.code != 409 || status.reason != "Conflict" {
        return Vec::new();
    }
    let causes = status.details.iter().flat_map(|details| &details.causes);
    let causes: Vec<String> = causes.map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
    if causes.is_empty() { vec![status.message.clone()] } else { causes }
}

fn refusal(conflicts: &[String], options: &DeployOptions) -> Error {
    let error = Error::conflict("another field manager owns fields of the objects to deploy, and nothing was applied");
    let error = conflicts.iter().fold(error, Error::caused_by);
    let image = options.image.as_ref().map(|image| hint!(" --image {image}", image)).unwrap_or_default();
    let again = options.target.opctl(hint!("deploy{image} --force-conflicts    # takes these fields over", image));
    error.hint(again)
}
