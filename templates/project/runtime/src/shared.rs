//! What the controllers and the servers of an operator share.

use crate::health::Health;
use crate::metrics::Metrics;
use crate::settings::Settings;
use kube::Client;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The part of a manager that its controllers share.
#[derive(Clone)]
pub struct Shared {
    /// The operator's name in the cluster.
    pub operator: &'static str,
    pub client: Client,
    /// The namespaces to watch; `None` stands for all namespaces.
    pub namespaces: Vec<Option<String>>,
    pub identity: String,
    pub settings: Settings,
    pub metrics: Arc<Metrics>,
    pub health: Health,
    pub stop: CancellationToken,
}
