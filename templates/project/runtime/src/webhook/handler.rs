//! A webhook as the operator serves it: its path, and the function that answers requests.

use super::{conversion::Seal, reply::Failure};
use axum::body::Bytes;
use futures::future::BoxFuture;
use std::sync::Arc;

/// A function that returns the answer to the body of a request.
pub type Answer = Arc<dyn Fn(Bytes) -> BoxFuture<'static, Result<Vec<u8>, Failure>> + Send + Sync>;

/// A function, and the path at which the API server calls it. The path consists of group, version
/// and kind, such as `/validate-apps-v1-deployment`. The path of a conversion has no version, such
/// as `/convert-example-com-site`.
pub struct Webhook {
    pub(super) path: String,
    /// The object that tells the API server to call the webhook.
    pub(super) asker: Asker,
    /// The key that signs a conversion's annotations in all replicas; `None` for other webhooks.
    pub(super) seal: Option<Arc<Seal>>,
    /// The maximum size of a request in bytes.
    pub(super) limit: usize,
    pub(super) answer: Answer,
}

/// The object in a cluster that tells the API server to call a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asker {
    Mutating,
    Validating,
    /// The CRD with this name.
    Definition(String),
}
