//! The types of a controller's functions, which take objects as JSON so that all kinds share one
//! worker, and the tracing span of a pass, which is one call of the reconciler.

use crate::action::Action;
use crate::cache::{Cached, Key};
use crate::cluster::Cluster;
use crate::name::Name;
use futures::future::BoxFuture;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::api::ApiResource;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use tracing::{Span, info_span};

pub type Pass = BoxFuture<'static, anyhow::Result<Action>>;
type Set = BoxFuture<'static, anyhow::Result<()>>;
/// A function that calls the reconciler with an object, given as JSON. Fails if the object
/// does not fit the Rust type.
pub type Reconcile = Box<dyn Fn(&str, Arc<Cluster>) -> serde_json::Result<Pass> + Send + Sync>;
/// A function that sets a condition in the status of an object, given as JSON.
pub type SetCondition =
    Box<dyn Fn(&str, Arc<Cluster>, Condition) -> serde_json::Result<Set> + Send + Sync>;

/// A function that is called with the name of an object that no longer exists, or that the
/// controller no longer selects: see [`Controller::on_gone`](crate::Controller::on_gone).
pub type Gone = Box<dyn Fn(Name) + Send + Sync>;

/// Makes the span of a pass. Each line that the runtime and the reconciler log contains the span,
/// which names the object. `attempt` is higher than 1 after failures in a row.
pub fn span(name: &str, kind: &ApiResource, key: &Key, cached: &Cached, attempt: u32) -> Span {
    info_span!(
        "reconcile",
        controller = name,
        kind = kind.kind,
        namespace = key.namespace(),
        name = key.name(),
        uid = &*cached.uid,
        generation = cached.generation,
        attempt,
        // As the logs of controller-runtime have it.
        reconcileID = format!("{:016x}", RandomState::new().hash_one(key)),
    )
}
