//! Finds an outer cargo workspace of which a new project would be a member. cargo refuses such a member, because the
//! project is itself a workspace.

use crate::reading::{self, Limit};
use std::path::Path;
use toml_edit::{DocumentMut, Item};

/// Returns the path of the Cargo.toml of an outer cargo workspace of which the project at `root` would be a member, and
/// the project's path in that workspace. cargo refuses such a member, because the project is itself a workspace.
/// Returns `None` if no outer workspace has the project as a member.
pub(super) fn with_member(root: &Path) -> Option<(String, String)> {
    let above = root.ancestors().skip(1).find_map(|folder| {
        let manifest = folder.join("Cargo.toml");
        let text = reading::text(&manifest, Limit::Settings).ok()?;
        let workspace = text.parse::<DocumentMut>().ok()?.remove("workspace")?;
        Some((folder, manifest, workspace))
    });
    let (folder, manifest, workspace) = above?;
    let own = root.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
    let list = |key: &str| -> Vec<String> {
        let items = workspace.get(key).and_then(Item::as_array).into_iter().flatten();
        items.filter_map(|item| item.as_str().map(|text| text.trim_end_matches('/').to_owned())).collect()
    };
    let is_below = |excluded: &String| Path::new(&own).starts_with(excluded);
    let is_member = list("members").iter().any(|member| matches(member, &own));
    (is_member && !list("exclude").iter().any(is_below)).then(|| (manifest.display().to_string(), own))
}

/// Returns true if the pattern of a workspace member, such as `crates/*`, matches the path.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    let fits = |(pattern, part): (&&str, &&str)| match pattern.split_once('*') {
        Some((start, end)) => part.starts_with(start) && part.ends_with(end) && part.len() >= start.len() + end.len(),
        None => pattern == part,
    };
    pattern.len() == path.len() && pattern.iter().zip(&path).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_takes_in_what_its_members_mean() {
        let folder = tempfile::tempdir().unwrap();
        for (manifest, project, expected) in [
            ("[workspace]\nmembers = [\"crates/*\"]\n", "crates/shop", true),
            ("[workspace]\nmembers = [\"crates/shop/\"]\n", "crates/shop", true),
            ("[workspace]\nmembers = [\"crates/*-operator\"]\n", "crates/shop-operator", true),
            ("[workspace]\nmembers = [\"crates/*-operator\"]\n", "crates/shop", false),
            ("[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/shop\"]\n", "crates/shop", false),
            ("[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates\"]\n", "crates/shop", false),
            ("[workspace]\nmembers = [\"crates/*\"]\n", "operators/shop", false),
            ("[workspace]\nmembers = [\"*\"]\n", "crates/shop", false),
            ("[package]\nname = \"a\"\n", "crates/shop", false),
            ("[workspace", "crates/shop", false),
        ] {
            std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
            let found = with_member(&folder.path().join(project));
            let expected = expected.then(|| project.to_owned());
            assert_eq!(found.map(|(_, own)| own), expected, "{manifest}");
        }
    }
}
