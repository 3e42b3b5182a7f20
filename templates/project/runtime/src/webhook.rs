//! Webhooks: functions that the API server calls before it stores an object. A defaulting webhook
//! fills in fields that the user left out, a validating webhook reports what is wrong.
//!
//! A webhook is a function of the object, so a test needs neither a server nor an async runtime.
//! Markers declare the requests for which the API server calls it; `opctl manifests` makes
//! config/webhook from them.
//!
//! ```no_run
//! use k8s_openapi::api::apps::v1::Deployment;
//! use runtime::{Manager, webhook};
//!
//! pub fn setup(manager: &mut Manager) {
//!     manager.webhook(webhook::defaulting(default));
//!     manager.webhook(webhook::validating(validate));
//! }
//!
//! fn default(obj: &mut Deployment, _: &webhook::Request) {
//!     obj.spec.replicas.get_or_insert(3);
//! }
//!
//! fn validate(
//!     obj: &Deployment,
//!     old: Option<&Deployment>,
//!     _: &webhook::Request,
//! ) -> webhook::Findings {
//!     let mut found = webhook::Findings::default();
//!     match (obj.spec.replicas, old.and_then(|old| old.spec.replicas)) {
//!         (Some(0), Some(1..)) => found.forbidden("spec.replicas", "it must not be stopped"),
//!         (Some(1), _) => found.warn("one replica is not available while it is replaced"),
//!         _ => &mut found,
//!     };
//!     found
//! }
//! ```

mod admission;
mod authority;
mod bodies;
mod call;
mod certificate;
mod clients;
mod conversion;
mod findings;
mod functions;
mod handler;
mod http2;
mod inject;
mod metrics;
mod options;
mod renew;
mod reply;
mod review;
mod routes;
mod serve;
mod transfer;

#[cfg(feature = "testing")]
pub(crate) use conversion::Version;
pub use conversion::{Conversion, conversion};
pub use findings::Findings;
pub use functions::{defaulting, defaulting_async, validating, validating_async};
pub use handler::Webhook;
pub(crate) use http2::serve_http2;
/// The operation of a [`Request`]: create, update, delete or connect.
pub use kube::core::admission::Operation;
pub(crate) use options::WebhookOptions;
pub use reply::Request;
pub use review::Review;
