//! Rewrites the objects of a kind with patches that change nothing: the server stores each object in the storage
//! version.

use super::patience::{Verdict, verdict};
use super::stored;
use crate::cluster::request::list_metadata::{PAGE, count, next_page};
use crate::cluster::{Attempt, Connection, Definition, FIELD_MANAGER, request_error};
use crate::report::Spinner;
use crate::{Error, Result};
use futures_util::StreamExt;
use futures_util::stream::iter;
use kube::Api;
use kube::api::{ApiResource, DynamicObject, ListParams, ObjectMeta, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::json;
use std::time::Duration;

/// The maximum number of times that an object is read again because other clients keep writing it.
const READINGS: usize = 10;

/// The number of refused objects after which no further objects are tried. The cause of so many refusals, such as a
/// webhook that is down, applies to all objects.
const MOST_REFUSED: usize = 1000;

/// The pause before a list is continued after its continue token has expired.
const PAUSE: Duration = Duration::from_millis(100);

/// The result of rewriting the objects of a kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rewritten {
    /// The number of objects that were rewritten in the storage version.
    pub(super) written: u64,
    /// The number of objects that opctl did not have to write: objects already stored in the storage version, objects
    /// that another client deleted, and objects that another client keeps writing, because each write by that client
    /// also
    /// stores the object in the storage version.
    pub(super) passed: u64,
    /// The objects that the server refuses to write.
    pub(super) refused: Vec<RefusedObject>,
}

/// An object that the server refused to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RefusedObject {
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    pub(super) reason: String,
}

enum Outcome {
    Written,
    Passed,
    Refused(RefusedObject),
}

/// The objects of a kind, read and written in a served version.
pub(super) struct Objects<'a> {
    pub(super) connection: &'a Connection,
    pub(super) definition: &'a Definition,
    pub(super) version: &'a str,
    /// True if a conversion webhook converts the objects when the rewriting begins. The rewriting then fails if the
    /// webhook disappears from the CRD before all objects are rewritten.
    pub(super) converted: bool,
}

impl Objects<'_> {
    fn api(&self, namespace: Option<&str>) -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk(&self.definition.group, self.version, &self.definition.kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, &self.definition.plural);
        let client = self.connection.client.clone();
        match namespace {
            Some(namespace) => Api::namespaced_with(client, namespace, &resource),
            None => Api::all_with(client, &resource),
        }
    }

    fn failure(&self, error: &kube::Error, verb: &str, name: &str, namespace: Option<&str>) -> Error {
        let resource = format!("{}.{}", self.definition.plural, self.definition.group);
        request_error(error, self.connection, Attempt { verb, resource: &resource, name, namespace })
    }

    /// Counts the objects without reading all of them; returns `None` if the server does not report the number.
    pub(super) async fn count(&self) -> Result<Option<u64>> {
        count(&self.api(None)).await.map_err(|error| self.failure(&error, "list", &self.definition.plural, None))
    }

    /// Rewrites all objects, `parallel` at a time.
    ///
    /// # Errors
    /// Fails if the server does not answer, or refuses a request for a reason that is not specific to an object.
    /// Objects that the server refuses to write are listed in the result.
    pub(super) async fn rewrite(&self, parallel: usize, dry_run: bool, spinner: &Spinner) -> Result<Rewritten> {
        let mut rewritten = Rewritten::default();
        let mut token = None;
        loop {
            if self.converted {
                stored::check_converted(&stored::read(self.connection, &self.definition.name).await?)?;
            }
            let (items, next) = match self.page(token.take()).await? {
                Page::Objects { items, next } => (items, next),
                Page::Expired(next) => {
                    // Objects created since the list began are stored in the storage version, so a continued or newer
                    // list is enough.
                    tokio::time::sleep(PAUSE).await;
                    token = next;
                    continue;
                }
            };
            let mut outcomes = iter(items).map(|object| self.rewrite_one(object, dry_run)).buffer_unordered(parallel);
            while let Some(outcome) = outcomes.next().await {
                match outcome? {
                    Outcome::Written => rewritten.written += 1,
                    Outcome::Passed => rewritten.passed += 1,
                    Outcome::Refused(refused) => rewritten.refused.push(refused),
                }
                let done = rewritten.written + rewritten.passed + rewritten.refused.len() as u64;
                spinner.set_message(format!("{done} objects of {}", self.definition.name));
            }
            if next.is_none() || rewritten.refused.len() > MOST_REFUSED {
                return Ok(rewritten);
            }
            token = next;
        }
    }

    async fn page(&self, token: Option<String>) -> Result<Page> {
        let mut parameters = ListParams::default().limit(PAGE);
        parameters.continue_token = token;
        let mut tries = 0;
        loop {
            tries += 1;
            let error = match self.api(None).list_metadata(&parameters).await {
                Ok(page) => {
                    let next = next_page(&page.metadata);
                    let items = page.items.into_iter().map(|item| item.metadata).collect();
                    return Ok(Page::Objects { items, next });
                }
                Err(error) => error,
            };
            match verdict(&error, tries) {
                Verdict::Wait(time) => tokio::time::sleep(time).await,
                Verdict::Expired(next) => return Ok(Page::Expired(next)),
                _ => return Err(self.failure(&error, "list", &self.definition.plural, None)),
            }
        }
    }

    async fn rewrite_one(&self, object: ObjectMeta, dry_run: bool) -> Result<Outcome> {
        let (name, namespace) = (object.name.clone().unwrap_or_default(), object.namespace.clone());
        let api = self.api(namespace.as_deref());
        let parameters =
            PatchParams { dry_run, field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
        let first = object.resource_version.clone();
        let (mut object, mut tries, mut readings) = (object, 0, 0);
        loop {
            tries += 1;
            let patch = json!({"metadata": {"uid": object.uid, "resourceVersion": object.resource_version}});
            let error = match api.patch_metadata(&name, &parameters, &Patch::Merge(patch)).await {
                Ok(after) if after.metadata.resource_version == object.resource_version => return Ok(Outcome::Passed),
                Ok(_) => return Ok(Outcome::Written),
                Err(error) => error,
            };
            match verdict(&error, tries) {
                Verdict::Wait(time) => tokio::time::sleep(time).await,
                Verdict::Changed | Verdict::Gone if readings == READINGS => {
                    // The object is written all the time, so it is already stored in the storage version; or it is as it
                    // was, and somebody else refuses the request with such an answer.
                    let is_same = object.resource_version == first;
                    let refused = || RefusedObject { namespace, name, reason: error.to_string() };
                    return Ok(if is_same { Outcome::Refused(refused()) } else { Outcome::Passed });
                }
                Verdict::Changed | Verdict::Gone => {
                    readings += 1;
                    match api.get_metadata(&name).await {
                        Ok(current) => (object, tries) = (current.metadata, 0),
                        Err(error) if verdict(&error, 1) == Verdict::Gone => return Ok(Outcome::Passed),
                        Err(error) if matches!(verdict(&error, tries), Verdict::Wait(_)) => {}
                        Err(error) => return Err(self.failure(&error, "get", &name, namespace.as_deref())),
                    }
                }
                Verdict::Refused(reason) => return Ok(Outcome::Refused(RefusedObject { namespace, name, reason })),
                Verdict::Stop | Verdict::Expired(_) => {
                    return Err(self.failure(&error, "patch", &name, namespace.as_deref()));
                }
            }
        }
    }
}

enum Page {
    Objects { items: Vec<ObjectMeta>, next: Option<String> },
    Expired(Option<String>),
}
