//! Compares names without regard to case.

/// Converts a name to lower case without `_` and `-`: `imagePullPolicy` and `image_pull_policy` become the same name.
pub(crate) fn normalize_name(name: &str) -> String {
    name.trim_start_matches("r#").chars().filter(|one| !['_', '-'].contains(one)).flat_map(char::to_lowercase).collect()
}
