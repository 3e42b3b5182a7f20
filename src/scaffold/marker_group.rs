//! API groups in markers.

/// Returns the API group in the spelling of markers: `""` for the core group, which has no name.
pub(super) fn marker_group(group: &str) -> &str {
    if group.is_empty() { "\"\"" } else { group }
}
