//! Finds files that other files refer to, and without which a project does not build.

use std::collections::BTreeMap;
use std::path::Path;

/// Returns true if the project needs the file at `path`: another file of `tree` refers to it in a `mod` line or in a
/// kustomization, the workspace lists its package, or the file is the `lib.rs` or `main.rs` of a package. `tree` has
/// the texts of the files by path.
pub(super) fn is_needed(path: &str, tree: &BTreeMap<String, String>) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let text = |path: &str| tree.get(path).map(String::as_str).unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match (name, extension) {
        ("Cargo.toml", _) => text("Cargo.toml").contains(&format!("\"{folder}\"")),
        ("lib.rs" | "main.rs", _) => folder
            .strip_suffix("src")
            .is_some_and(|package| !package.is_empty() && tree.contains_key(&format!("{package}Cargo.toml"))),
        ("mod.rs", _) => {
            let (above, module) = folder.rsplit_once('/').unwrap_or(("", folder));
            declares(above, module, &text)
        }
        (_, "rs") => declares(folder, stem, &text),
        ("kustomization.yaml", _) => {
            let named = format!("- ../{}", folder.rsplit('/').next().unwrap_or_default());
            let others = tree.iter().filter(|(other, _)| other.ends_with("/kustomization.yaml"));
            others.into_iter().any(|(_, text)| text.lines().any(|line| line.trim() == named))
        }
        (_, "yaml") => {
            let entry = |line: &str| line.trim().trim_start_matches("- ").trim_start_matches("path: ") == name;
            text(&path_in_folder(folder, "kustomization.yaml")).lines().any(entry)
        }
        _ => false,
    }
}

/// Returns true if the module file of `folder` has the line `mod module;`, with or without `pub`.
fn declares<'a>(folder: &str, module: &str, text: &dyn Fn(&str) -> &'a str) -> bool {
    let files = ["mod.rs", "lib.rs", "main.rs"].map(|name| path_in_folder(folder, name));
    let line = format!("mod {module};");
    let declares = |text: &str| text.lines().any(|own| own.trim().trim_start_matches("pub ") == line);
    files.iter().map(String::as_str).chain([format!("{folder}.rs").as_str()]).any(|file| declares(text(file)))
}

fn path_in_folder(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_others_name_are_needed() {
        let tree = [
            ("Cargo.toml", "[workspace]\nmembers = [\"api\", \"runtime\"]\n"),
            ("api/Cargo.toml", ""),
            ("src/controller/mod.rs", "pub mod apps;\nmod web_server;\n"),
            ("tests/it/main.rs", "mod support;\n"),
            ("config/default/kustomization.yaml", "- ../rbac\n- metrics_service.yaml\n- path: patch.yaml\n"),
        ];
        let tree = tree.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        for (path, expected) in [
            ("api/Cargo.toml", true),
            ("other/Cargo.toml", false),
            ("api/src/lib.rs", true),
            ("src/main.rs", false),
            ("src/controller/web_server.rs", true),
            ("src/controller/web.rs", false),
            ("src/controller/apps/mod.rs", true),
            ("tests/it/support/mod.rs", true),
            ("tests/it/support/children.rs", false),
            ("config/rbac/kustomization.yaml", true),
            ("config/prometheus/kustomization.yaml", false),
            ("config/default/metrics_service.yaml", true),
            ("config/default/patch.yaml", true),
            ("config/default/service.yaml", false),
            ("README.md", false),
        ] {
            assert_eq!(is_needed(path, &tree), expected, "{path}");
        }
    }
}
