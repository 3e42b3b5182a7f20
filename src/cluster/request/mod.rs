//! Parts of requests to the API server: the field manager, lists, conditions, and errors of requests.

pub(super) mod condition;
pub(super) mod contains;
pub(super) mod field_manager;
pub(super) mod list_metadata;
pub(super) mod refused_by;
pub(super) mod request_error;
