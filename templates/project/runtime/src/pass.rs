//! The functions of a controller, without the type of its objects, so that all kinds share one
//! worker.

use crate::action::Action;
use crate::cluster::Cluster;
use futures::future::BoxFuture;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use std::sync::Arc;

pub type Pass = BoxFuture<'static, anyhow::Result<Action>>;
type Set = BoxFuture<'static, anyhow::Result<()>>;
/// Calls the reconciler with an object, given as JSON. Fails if the object does not fit the Rust
/// type.
pub type Reconcile = Box<dyn Fn(&str, Arc<Cluster>) -> serde_json::Result<Pass> + Send + Sync>;
/// Sets a condition in the status of an object, given as JSON.
pub type SetCondition =
    Box<dyn Fn(&str, Arc<Cluster>, Condition) -> serde_json::Result<Set> + Send + Sync>;
