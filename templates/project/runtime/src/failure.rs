//! Errors that end a reconciliation: their types, and functions that classify and describe them.

use kube::core::Status;
use std::error::Error;

/// The `reason` in `details.causes` of a refused write if another field manager owns a field.
const OWNED: &str = "FieldManagerConflict";
const TERMINATING: &str = "NamespaceTerminating";

/// Returns true if a write failed because the object had changed since it was read, or was not in
/// the cache. Returns false if another field manager owns a field: a retry would fail as well.
pub fn is_outdated(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<Unseen>())
        || api_errors(error).any(|status| status.is_conflict() && !has_cause(status, OWNED))
}

/// Returns true if a write failed because the object's namespace is being deleted.
pub fn is_of_deleted_namespace(error: &anyhow::Error) -> bool {
    api_errors(error).any(|status| has_cause(status, TERMINATING))
}

/// Returns the first error of type `T` among the error itself, its contexts and its causes.
pub fn find<T: Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&T> {
    let cause = || error.chain().find_map(|cause| cause.downcast_ref());
    error.downcast_ref().or_else(cause)
}

/// Returns the errors of the API server among the causes of `error`.
fn api_errors(error: &anyhow::Error) -> impl Iterator<Item = &Status> {
    let errors = error.chain().filter_map(|cause| cause.downcast_ref());
    errors.filter_map(|error| match error {
        kube::Error::Api(status) => Some(&**status),
        _ => None,
    })
}

fn has_cause(status: &Status, reason: &str) -> bool {
    let mut causes = status.details.iter().flat_map(|details| &details.causes);
    causes.any(|cause| cause.reason == reason)
}

/// An error that a retry cannot fix, such as an invalid spec or a missing configuration. A pass
/// that returns this error is not repeated until the object, a child or a watched object changes,
/// or until the resync period ends. With [`Controller::conditions`](crate::Controller::conditions),
/// the condition `Ready` becomes `False`, with the reason and the message of this error; an event
/// reports both as well.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use runtime::{Action, Context, TerminalError};
/// use std::sync::Arc;
///
/// async fn reconcile(pod: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
///     let zone = pod.metadata.labels.iter().flatten().find(|(name, _)| *name == "zone");
///     let Some(_zone) = zone else {
///         return Err(TerminalError::new("NoZone", "the label `zone` is missing").into());
///     };
///     Ok(Action::done())
/// }
///
/// let error = TerminalError::new("NoZone", "the label `zone` is missing");
/// assert_eq!((&*error.reason, error.to_string()), ("NoZone", error.message));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TerminalError {
    /// The reason, one CamelCase word for programs.
    pub reason: String,
    /// The message, a text for people.
    pub message: String,
}

impl TerminalError {
    /// Makes a terminal error.
    pub fn new(reason: impl Into<String>, message: impl Into<String>) -> Self {
        let (reason, message) = (reason.into(), message.into());
        Self { reason, message }
    }
}

/// A reason why a child cannot be applied or created, which an author may want to handle.
/// `error.downcast_ref()` finds it in an error of [`Context::apply`](crate::Context::apply),
/// `apply_exactly` and `create_once`. `error.downcast_ref::<kube::Error>()` finds the answer of the
/// API server.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Pod};
/// use runtime::{ApplyError, Context, TerminalError};
///
/// async fn settings(pod: &Pod, ctx: &Context, map: ConfigMap) -> anyhow::Result<()> {
///     match ctx.apply(pod, map).await {
///         Err(error) if matches!(error.downcast_ref(), Some(ApplyError::Refused(_))) => {
///             Err(TerminalError::new("InvalidSettings", format!("{error:#}")).into())
///         }
///         applied => applied.map(drop),
///     }
/// }
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// An object with the child's name belongs to another owner, or was not created by this operator.
    #[error("{0}")]
    NameTaken(String),
    /// The child has changed since it was cached. A pass that returns this error is repeated after
    /// a second.
    #[error("{0}")]
    Conflict(String),
    /// The API server refuses the child: the child is invalid, the operator lacks a right, a quota
    /// is exceeded, or an admission policy or webhook forbids the child.
    #[error("{0}")]
    Refused(String),
}

/// Adds the failed action `what` to `error`, as [`ApplyError`] if `error` is a conflict or refusal.
pub fn of_apply(error: anyhow::Error, what: String) -> anyhow::Error {
    let code = api_errors(&error).next().map_or(0, |status| status.code);
    match code {
        409 => error.context(ApplyError::Conflict(what)),
        401 | 404 | 408 | 429 => error.context(what),
        400..500 => error.context(ApplyError::Refused(what)),
        _ => error.context(what),
    }
}

/// The error that a child cannot be applied, because an object with its name exists but was
/// not in the cache, so that the reconciler could not read it. The next pass can read it.
#[derive(Debug, thiserror::Error)]
#[error("the existing object was not in the cache")]
pub struct Unseen;

/// The error that a stored object does not fit its Rust type.
#[derive(Debug, thiserror::Error)]
#[error("object does not fit its Rust type: {0}")]
pub struct DoesNotFit(pub serde_json::Error);

/// Returns the texts of the error and its causes, joined by colons. For an error that the API
/// server has sent, uses only the `message`, and leaves out its causes.
pub fn message(error: &anyhow::Error) -> String {
    let mut texts = Vec::new();
    for cause in error.chain() {
        if let Some(kube::Error::Api(status)) = cause.downcast_ref() {
            texts.push(status.message.clone());
            break;
        }
        texts.push(cause.to_string());
    }
    texts.join(": ")
}
