//! A project below a folder with settings of tools (cargo, rustfmt, clippy, git) that apply to all files below it.

use crate::support::{Place, cargo_in, must, opctl, program, separate_target_folder, text};
use std::fs;
use std::path::Path;

/// Writes settings of cargo, rustfmt, clippy, editors and git, as the root of a company's repository may have them.
fn lay_settings(folder: &Path) {
    let configuration = format!(
        "[build]\ntarget-dir = \"{}\"\njobs = 2\n\n[term]\nquiet = true\ncolor = \"always\"\n\n[alias]\nb = \"build --release\"\n",
        // In the folder of the golden projects, cargo would wait for the builds of all other tests.
        separate_target_folder("tested").display()
    );
    for (path, content) in [
        ("rustfmt.toml", "max_width = 60\nhard_tabs = true\nstyle_edition = \"2015\"\n"),
        (
            "clippy.toml",
            "too-many-arguments-threshold = 1\ndisallowed-macros = [\"std::format\", \"serde_json::json\"]\n\
             disallowed-methods = [\"std::result::Result::unwrap\", \"runtime::logging\"]\n",
        ),
        (".cargo/config.toml", &configuration),
        (".editorconfig", "root = true\n\n[*]\nend_of_line = crlf\nindent_style = tab\n"),
        (".gitattributes", "* text eol=crlf\n"),
        (".gitignore", "*.yaml\nCargo.lock\napi/\n"),
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"1\"\nmembers = [\"lib\"]\n\n[workspace.lints.rust]\nmissing_docs = \"deny\"\n",
        ),
        ("lib/Cargo.toml", "[package]\nname = \"lib\"\nversion = \"0.1.0\"\nedition = \"2015\"\n"),
        ("lib/src/lib.rs", ""),
        ("PROJECT.md", "# Not opctl's\n"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let hooks = folder.join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in ["pre-commit", "post-checkout", "post-merge"] {
        program(&hooks, hook, "echo a hook runs >&2; exit 1");
    }
}

#[test]
fn a_project_is_not_changed_by_the_settings_of_folders_above() {
    let mut place = Place::new();
    let project = "below/settings-operator";
    lay_settings(&place.root());
    place.ok(&["init", project, "--domain", "example.com"]);
    let api = ["create", "api", "--kind", "WebServer", "--image", "nginx:1.29", "--owns", "ConfigMap"];
    place.ok(&[&["-C", project], &api[..]].concat());
    place.keep("settings-above");
    let root = place.root().join(project);
    let run = |arguments: &[&str]| {
        let output = opctl(arguments).current_dir(&root).env_remove("CARGO_TARGET_DIR").output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stderr)
    };
    run(&["manifests"]);
    assert!(!root.join("target").exists(), "the target folder is the one of the settings above");
    let cargo = |arguments: &[&str]| must(cargo_in(&root, arguments).env_remove("CARGO_TARGET_DIR"));
    cargo(&["fmt", "--all", "--check"]);
    for packages in ["--workspace", "--all-targets"] {
        cargo(&["clippy", packages, "--", "-D", "warnings"]);
    }
    let checked = run(&["manifests", "--check"]);
    assert!(!checked.contains("Compiling"), "{checked}");
    run(&["update", "--check"]);
}

#[test]
fn settings_of_the_projects_folder_stay() {
    let place = Place::new();
    let own = [("rustfmt.toml", "max_width = 80\n"), ("clippy.toml", "avoid-breaking-exported-api = false\n")];
    for (path, content) in own {
        fs::write(place.root().join(path), content).unwrap();
    }
    place.ok(&["init", "--domain", "example.com"]);
    for (path, content) in own {
        assert_eq!(fs::read_to_string(place.root().join(path)).unwrap(), content);
    }
    place.ok(&["update", "--check"]);
}
