//! A second kind of the operator under test. Its children have the same names as those of the first kind, so that
//! two controllers apply the same object.

use crate::operator::{Spec, Status, finish};
use crate::passes::{Log, begin};
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::object::HasStatus;
use kube::{Resource, ResourceExt};
use parking_lot::Mutex;
use runtime::{Action, Context, Controller, Watch};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The label of this controller's children, which separates their watch from the other controller's.
pub(crate) const PART: &str = "part=page";

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Page {
    pub metadata: ObjectMeta,
    #[serde(default)]
    pub spec: Spec,
    pub status: Option<Status>,
}

impl Resource for Page {
    type DynamicType = ();
    type Scope = NamespaceResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        "Page".into()
    }
    fn group((): &()) -> Cow<'_, str> {
        "example.com".into()
    }
    fn version((): &()) -> Cow<'_, str> {
        "v1".into()
    }
    fn plural((): &()) -> Cow<'_, str> {
        "pages".into()
    }
    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

impl HasStatus for Page {
    type Status = Status;

    fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }
    fn status_mut(&mut self) -> &mut Option<Status> {
        &mut self.status
    }
}

async fn reconcile(page: Arc<Page>, ctx: Arc<Context>, log: Arc<Mutex<Log>>) -> anyhow::Result<Action> {
    let pass = begin(&log, &*page);
    let mut desired = ConfigMap {
        data: Some(BTreeMap::from([("value".to_owned(), page.spec.value.to_string())])),
        ..Default::default()
    };
    desired.metadata.name = Some(page.name_any());
    let (label, value) = PART.split_once('=').unwrap_or_default();
    desired.labels_mut().insert(label.into(), value.into());
    let map = ctx.apply_exactly(&*page, desired).await?;
    pass.applied(vec![map.resource_version()]);
    finish(&ctx, &*page, map).await?;
    pass.succeeded();
    Ok(Action::await_change())
}

pub(crate) fn controller(log: Arc<Mutex<Log>>) -> Controller<Page> {
    Controller::namespaced("page", move |page, ctx| reconcile(page, ctx, log.clone()))
        .owns_with(Watch::<ConfigMap>::new().labels(PART).page_size(50))
        .backoff(Duration::from_millis(100), Duration::from_secs(20))
        .conditions(|status: &mut Status| &mut status.conditions)
}
