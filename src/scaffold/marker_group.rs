//! Converts the name of an API group to the form that RBAC markers use.

/// Returns the API group in the spelling of markers: `""` for the core group, which has no name.
pub(super) fn marker_group(group: &str) -> &str {
    if group.is_empty() { "\"\"" } else { group }
}
