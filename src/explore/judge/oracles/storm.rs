//! Counts the writes of one object within a short time.

use crate::explore::record::journal::Entry;
use std::collections::BTreeMap;
use std::time::Duration;

/// The maximum number of writes of one object within [`WITHIN`] by an operator at rest. With more writes, the operator
/// is not at rest.
pub(super) const WRITES: usize = 3;
const WITHIN: Duration = Duration::from_secs(2);

/// Returns the object with the most writes within [`WITHIN`] before `end`, and the number of these writes; `None` if
/// there are no writes in this time.
pub(super) fn busiest<'a>(entries: impl Iterator<Item = &'a Entry>, end: Duration) -> Option<(&'a str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries.filter(|entry| entry.at + WITHIN > end) {
        if let Some(request) = entry.request().filter(|request| request.moved) {
            *counts.entry(request.parts().1).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count)
}
