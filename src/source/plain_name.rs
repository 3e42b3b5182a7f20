//! Compares names without regard to case.

/// Removes case, `_` and `-`, so that `image_pull_policy`, `imagePullPolicy` and `image-pull-policy` are the same name.
pub(crate) fn plain(name: &str) -> String {
    name.trim_start_matches("r#").chars().filter(|one| !['_', '-'].contains(one)).flat_map(char::to_lowercase).collect()
}
