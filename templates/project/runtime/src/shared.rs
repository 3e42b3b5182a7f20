//! The part of a manager that its controllers and servers share.

use crate::health::Health;
use crate::metrics::Metrics;
use crate::settings::Settings;
use kube::Client;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The settings, the client and the state of an operator, for each of its controllers and servers.
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
