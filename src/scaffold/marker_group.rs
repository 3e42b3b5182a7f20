//! API groups in markers.

/// Returns the group as a marker has it: the core group, which has no name, is a pair of quotes.
pub(super) fn marker_group(group: &str) -> &str {
    if group.is_empty() { "\"\"" } else { group }
}
