//! Rewrites the objects of a kind: patches that change nothing, which the server stores in the storage version.

use super::patience::{Verdict, verdict};
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

/// Objects in one request.
const PAGE: u32 = 500;

/// Readings of an object that others go on writing.
const READINGS: usize = 10;

/// Refused objects after which no more are tried: what refuses so many, such as a webhook that is down, refuses all.
const MOST_REFUSED: usize = 1000;

/// Time before a list is read on that the server has forgotten.
const PAUSE: Duration = Duration::from_millis(100);

/// What became of the objects of a kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rewritten {
    /// Those that are stored anew.
    pub(super) written: u64,
    /// Those that were stored in the storage version already, or that somebody deleted meanwhile.
    pub(super) passed: u64,
    /// Those that the server refuses to write.
    pub(super) refused: Vec<Refused>,
}

/// An object that stays as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    pub(super) reason: String,
}

enum Outcome {
    Written,
    Passed,
    Refused(Refused),
}

/// The objects of a kind, in a version that is served.
pub(super) struct Objects<'a> {
    pub(super) connection: &'a Connection,
    pub(super) definition: &'a Definition,
    pub(super) version: &'a str,
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

    /// Counts them, without reading them; `None` where the server does not say how many there are.
    pub(super) async fn count(&self) -> Result<Option<u64>> {
        let page = self.api(None).list_metadata(&ListParams::default().limit(1)).await;
        let page = page.map_err(|error| self.failure(&error, "list", &self.definition.plural, None))?;
        let first = page.items.len() as u64;
        let is_whole = page.metadata.continue_.is_none_or(|token| token.is_empty());
        let remaining = page.metadata.remaining_item_count.and_then(|number| u64::try_from(number).ok());
        Ok(remaining.or(is_whole.then_some(0)).map(|remaining| first + remaining))
    }

    /// Rewrites all of them, `parallel` at a time.
    ///
    /// # Errors
    /// The server does not answer, or refuses more than single objects.
    pub(super) async fn rewrite(&self, parallel: usize, dry_run: bool, spinner: &Spinner) -> Result<Rewritten> {
        let mut rewritten = Rewritten::default();
        let mut token = None;
        loop {
            let (items, next) = match self.page(token.take()).await? {
                Page::Objects { items, next } => (items, next),
                Page::Expired(next) => {
                    // What came since the list began was stored in the storage version, so the rest of a later list will do.
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
                    let items = page.items.into_iter().map(|item| item.metadata).collect();
                    return Ok(Page::Objects {
                        items,
                        next: page.metadata.continue_.filter(|token| !token.is_empty()),
                    });
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
                Verdict::Gone => return Ok(Outcome::Passed),
                // Whoever writes it all the time has it stored in the storage version.
                Verdict::Changed if readings == READINGS => return Ok(Outcome::Passed),
                Verdict::Changed => {
                    readings += 1;
                    match api.get_metadata(&name).await {
                        Ok(current) => (object, tries) = (current.metadata, 0),
                        Err(error) if verdict(&error, 1) == Verdict::Gone => return Ok(Outcome::Passed),
                        Err(error) if matches!(verdict(&error, tries), Verdict::Wait(_)) => {}
                        Err(error) => return Err(self.failure(&error, "get", &name, namespace.as_deref())),
                    }
                }
                Verdict::Refused(reason) => return Ok(Outcome::Refused(Refused { namespace, name, reason })),
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
