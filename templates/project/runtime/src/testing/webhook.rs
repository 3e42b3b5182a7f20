//! Requests for unit tests of webhooks.

use crate::webhook::{Operation, Request};
use serde_json::json;

/// Makes an admission request of `user`, for a unit test of a webhook's function. The fields of the
/// request are public, for tests that need other values.
///
/// ```
/// use runtime::{testing, webhook::Operation};
///
/// let request = testing::request(Operation::Create, "alice");
/// assert_eq!(request.user_info.username.as_deref(), Some("alice"));
/// assert!(!request.dry_run);
/// ```
///
/// # Panics
/// Never: the request is always valid.
pub fn request(operation: Operation, user: &str) -> Request {
    let nothing = json!({ "group": "", "version": "", "kind": "", "resource": "" });
    let request = json!({
        "uid": "sample", "kind": nothing, "resource": nothing, "name": "sample",
        "operation": operation, "userInfo": { "username": user },
    });
    serde_json::from_value(request).expect("a request")
}
