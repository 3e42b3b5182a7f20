//! Contains what several requests to the API server need: the field manager, metadata of lists, conditions, and errors
//! for failed requests.

pub(super) mod condition;
pub(super) mod contains;
pub(super) mod field_manager;
pub(super) mod list_metadata;
pub(super) mod refused_by;
pub(super) mod request_error;
