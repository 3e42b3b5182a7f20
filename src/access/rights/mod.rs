//! Compares the rights that the code visibly needs with the granted ones.
//!
//! The code is read, not compiled: calls on a kind that only the compiler knows, such as a type parameter, need no
//! right here. A granted right without a visible use is no finding either.
//!
//! The same calls show which watches keep all objects of a kind in memory.

mod cached;
mod granted;
mod kinds;
mod missing;
mod names;
mod needs;
mod own;
mod requests;
mod runtime;
mod seen;

pub(crate) use cached::{WHOLE_KIND, check as check_caches};
pub(crate) use granted::{Rights, by_hand};
pub(crate) use kinds::is_outside_of_namespaces;
pub(crate) use missing::{MISSING_RIGHT, check};
pub(crate) use names::Names;
pub(crate) use runtime::NEED_RIGHTS;
pub(crate) use seen::{is_watched, seen};

#[cfg(test)]
mod tests;
