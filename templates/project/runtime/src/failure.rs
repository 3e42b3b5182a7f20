//! The failures of passes.

use kube::core::Status;

/// The causes of a refusal, as the API server names them.
const OWNED: &str = "FieldManagerConflict";
const TERMINATING: &str = "NamespaceTerminating";

/// Returns true if a write failed because the object had changed since it was read, or was not in
/// the cache. Another field manager that owns a field is no such reason: it stays one.
pub fn is_outdated(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<Unseen>())
        || api_errors(error).any(|status| status.is_conflict() && !has_cause(status, OWNED))
}

/// Returns true if nothing can be made in the object's namespace, because that is being deleted.
pub fn is_of_deleted_namespace(error: &anyhow::Error) -> bool {
    api_errors(error).any(|status| has_cause(status, TERMINATING))
}

/// Returns the errors among the causes that the API server has sent.
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

/// The error that a child cannot be made, because an object of its name belongs to another owner or
/// was not made by this operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NameTaken(pub String);

/// The error that a child cannot be applied, because the cache lacks an object of its name that is
/// there: the reconciler could not look at it. The next pass can.
#[derive(Debug, thiserror::Error)]
#[error("it was not in the cache")]
pub struct Unseen;

/// The error that a stored object does not fit its Rust type.
#[derive(Debug, thiserror::Error)]
#[error("object does not fit its Rust type: {0}")]
pub struct DoesNotFit(pub serde_json::Error);

/// Returns the texts of the error and its causes. Of an error that the API server has sent, only
/// the message is used.
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
