//! Compares the RBAC rights that the operator's code visibly needs with the rights that markers and roles grant.
//!
//! The code is parsed, not compiled: calls on a kind that only the compiler knows, such as a type parameter, count
//! as needing no right. A granted right without a visible use is not reported either.
//!
//! The same calls show which watches keep all objects of a kind in memory.

mod cached;
mod granted;
mod kinds;
mod missing;
mod needs;
mod own;
mod requests;
mod resolve_names;
mod runtime;
mod seen;

pub(crate) use cached::{WHOLE_KIND, check as check_caches};
pub(crate) use granted::{Rights, by_hand};
pub(crate) use kinds::is_outside_of_namespaces;
pub(crate) use missing::{MISSING_RIGHT, check};
pub(crate) use resolve_names::Names;
pub(crate) use runtime::NEED_RIGHTS;
pub(crate) use seen::{is_watched, visible_rights};

#[cfg(test)]
mod tests;
