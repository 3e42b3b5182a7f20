//! Applies one object with server-side apply and strict validation.

use super::crd::crd_api::RESOURCE as DEFINITIONS;
use super::crd::{conversion, converted};
use super::{Attempt, Connection, FIELD_MANAGER, request_error};
use crate::error::hint;
use crate::model::{removed_stored_versions, storage_loss, stored_version};
use crate::report::ChangeLine;
use crate::{Error, Result, yaml};
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams, ValidationDirective};
use serde_json::Value;
use std::borrow::Cow;

/// Options of an apply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apply {
    /// Take over fields that other field managers own.
    pub(super) force_conflicts: bool,
    /// Let the server validate everything and store nothing.
    pub(super) dry_run: bool,
    /// Keep the local conversion webhook that a running `opctl run` has set in a CRD.
    pub(super) keeps_run: bool,
}

/// An object before and after an apply.
pub(super) struct Applied {
    /// The object before the apply; `None` if the apply created the object.
    pub(super) before: Option<DynamicObject>,
    /// The object after the apply; for a dry run, the object that an apply would store.
    pub(super) after: DynamicObject,
}

impl Apply {
    /// Returns the parameters of a server-side apply by the field manager `opctl`, with strict validation.
    pub(super) fn parameters(self) -> PatchParams {
        PatchParams {
            dry_run: self.dry_run,
            force: self.force_conflicts,
            field_manager: Some(FIELD_MANAGER.to_owned()),
            field_validation: Some(ValidationDirective::Strict),
        }
    }

    /// Applies `object` by server-side apply. `attempt` describes the apply request in error messages; the caller must
    /// set
    /// the verb of `attempt` to `patch`.
    ///
    /// # Errors
    /// Fails if the server refuses the object, or if the object is being deleted.
    pub(super) async fn object(
        self,
        connection: &Connection,
        api: &Api<DynamicObject>,
        object: &DynamicObject,
        attempt: Attempt<'_>,
    ) -> Result<Applied> {
        let get = Attempt { verb: "get", ..attempt };
        let before = api.get_opt(attempt.name).await.map_err(|error| request_error(&error, connection, get))?;
        let applied = self.onto(before, api, object, connection, attempt).await?;
        applied.map_err(|error| request_error(&error, connection, attempt))
    }

    /// Applies `object` by server-side apply, after a check against `before`, the live object as read before the apply.
    /// If `before` is `None`, opctl checks nothing, and only the server validates the object. The inner result is the
    /// result of the apply request, with the server's error unchanged.
    ///
    /// # Errors
    /// Fails if the live object is being deleted, if `object` is a CRD that lacks a stored version or a field of stored
    /// objects, or if the live CRD's conversion webhook cannot be turned off.
    pub(super) async fn onto(
        self,
        before: Option<DynamicObject>,
        api: &Api<DynamicObject>,
        object: &DynamicObject,
        connection: &Connection,
        attempt: Attempt<'_>,
    ) -> Result<Result<Applied, kube::Error>> {
        if before.as_ref().is_some_and(|before| before.metadata.deletion_timestamp.is_some()) {
            return Err(being_deleted(connection, attempt));
        }
        if let Some(before) = before.as_ref().filter(|_| attempt.resource == DEFINITIONS) {
            let value = |object: &DynamicObject| serde_json::to_value(object).unwrap_or_default();
            let (before, object) = (value(before), value(object));
            refuse_removal(attempt.name, &before, &object, connection)?;
            refuse_loss(attempt.name, &before, &object)?;
        }
        let definition = before.as_ref().filter(|_| attempt.resource == DEFINITIONS);
        let live = definition.filter(|before| converted::is_converted(before));
        let ends = live.is_some() && !converted::is_converted(object);
        if ends && !self.dry_run {
            conversion::stop(connection, attempt.name).await?;
        }
        // The server refuses an incomplete conversion: some of its fields are the deployed operator's.
        let kept = live.filter(|before| converted::is_local(before) && self.keeps_run || ends && self.dry_run);
        let object = kept.map_or(Cow::Borrowed(object), |before| Cow::Owned(converted::as_in(before, object)));
        let after = api.patch(attempt.name, &self.parameters(), &Patch::Apply(&object)).await;
        Ok(after.map(|after| Applied { before, after }))
    }
}

/// Fails if stored objects would lose fields under the new CRD `object`.
fn refuse_loss(name: &str, before: &Value, object: &Value) -> Result<()> {
    let Some(loss) = storage_loss(before, object) else { return Ok(()) };
    Err(Error::conflict(format!("the new CRD `{name}` would remove fields from stored objects"))
        .caused_by(loss.reason())
        .hint(
            "opctl explain OP620    # keep the fields in the new storage version, or state in a comment above its \
               struct why no data is lost",
        ))
}

/// Fails, with a hint, if the new CRD lacks a version that objects may be stored in. The API server also refuses such a
/// CRD, but its error has no hint.
fn refuse_removal(name: &str, before: &Value, object: &Value, connection: &Connection) -> Result<()> {
    let removed = removed_stored_versions(before, object);
    let Some(first) = removed.first() else { return Ok(()) };
    let listed = removed.iter().map(|version| format!("`{version}`")).collect::<Vec<_>>().join(", ");
    let kind = object.pointer("/spec/names/kind").and_then(Value::as_str).unwrap_or_default();
    let migrate = connection.target.opctl(hint!("migrate {kind}", kind));
    let hint = if stored_version(before).is_some_and(|version| removed.iter().any(|removed| removed == version)) {
        let install = connection.target.opctl("install");
        hint!(
            "add the version {first} again with `storage = false`, run these commands, and then remove the \
             version:\n{install} && {migrate}",
            first,
            install,
            migrate
        )
    } else {
        hint!("{migrate}    # then run the same command again", migrate)
    };
    Err(Error::conflict(format!("the new CRD `{name}` lacks versions that objects may still be stored in: {listed}"))
        .caused_by(
            "a version is listed in `status.storedVersions` until all objects are rewritten in the storage version",
        )
        .hint(hint))
}

fn being_deleted(connection: &Connection, attempt: Attempt<'_>) -> Error {
    let Attempt { resource, name, namespace, .. } = attempt;
    let error = Error::conflict(format!("`{name}` is being deleted"));
    if resource == DEFINITIONS {
        return error
            .caused_by(
                "an earlier uninstall is waiting for the objects of the CRD to be deleted, and no object can be \
                 created until then",
            )
            .hint(hint!(
                "{}    # then: {}",
                connection.kubectl(hint!("get {name} --all-namespaces", name)),
                connection.target.opctl("uninstall --force")
            ));
    }
    let within = namespace.map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
    let wait = connection.kubectl(hint!("wait --for=delete {resource}/{name}{within}", resource, name, within));
    error
        .caused_by("the object is deleted when its finalizers are removed, and cannot be changed until then")
        .hint(hint!("{wait}    # then run the same command again", wait))
}

impl Applied {
    /// Returns the report's line for the change of the object at `path`, with a diff if `with_diff` is set.
    pub(super) fn line(&self, path: String, with_diff: bool) -> ChangeLine {
        let (before, after) =
            (self.before.as_ref().map(json_without_server_fields), json_without_server_fields(&self.after));
        let action = match &before {
            None => "create",
            // Compared by content: a dry run does not change the resource version.
            Some(before) if *before == after => "unchanged",
            Some(_) => "update",
        };
        let diff = (with_diff && action != "unchanged").then(|| {
            let header = if before.is_some() { format!("live/{path}") } else { "/dev/null".to_owned() };
            let text = |value: &Value| yaml::document(value);
            let (before, after) = (before.as_ref().map(text).unwrap_or_default(), text(&after));
            similar::TextDiff::from_lines(before.as_str(), after.as_str())
                .unified_diff()
                .header(&header, &format!("applied/{path}"))
                .to_string()
        });
        ChangeLine { action: action.to_owned(), path, diff }
    }
}

/// Returns the object as JSON, without `status` and without the metadata fields that the server sets, such as `uid`.
fn json_without_server_fields(object: &DynamicObject) -> Value {
    let mut value = serde_json::to_value(object).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.remove("status");
    }
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        for key in ["creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"] {
            metadata.remove(key);
        }
    }
    value
}
