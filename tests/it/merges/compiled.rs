//! A merged project compiles, and its manifests contain the changes of both branches.

use super::{ITEM, Repository, SHOP, generate, words};
use crate::support::{cargo_in, must, target_folder, text};
use std::process::Output;

const ROLE: &str = "config/rbac/role.yaml";

/// Runs opctl with the shared target folder, in which the dependencies are compiled already.
fn opctl(repository: &Repository, arguments: &[&str]) -> Output {
    repository.place.command(arguments).env("CARGO_TARGET_DIR", target_folder()).output().unwrap()
}

#[test]
fn a_merged_project_compiles_and_its_manifests_are_made_by_resolve() {
    let mut repository = Repository::named("merged-operator", &[]);
    for (branch, command) in [("one", SHOP), ("other", ITEM)] {
        repository.branch(branch, &[words(command)]);
        repository.git(&["checkout", "-q", branch]);
        generate(&repository, ROLE, &format!("rules:\n- of: {branch}\n"));
        repository.commit("Generate");
    }
    repository.git(&["checkout", "-q", "one"]);
    repository.run_git(&["merge", "other"]);
    assert!(repository.unmerged().contains(ROLE), "{}", repository.unmerged());

    repository.place.keep("merged");
    let resolved = opctl(&repository, &["resolve"]);
    let said = text(&resolved.stderr);
    assert_eq!(resolved.status.code(), Some(0), "{said}");
    assert!(said.contains("next:\n    git commit --no-edit\n"), "{said}");
    let role = repository.read(ROLE);
    for rule in ["- shops\n", "- items\n"] {
        assert!(role.contains(rule), "{role}");
    }
    let listed = repository.read("config/crd/kustomization.yaml");
    for name in ["example.com_shops", "apps.example.com_items"] {
        assert!(repository.read(&format!("config/crd/bases/{name}.yaml")).contains("kind: CustomResourceDefinition\n"));
        assert!(listed.contains(&format!("- bases/{name}.yaml\n")), "{listed}");
    }
    repository.git(&["commit", "--no-edit"]);
    assert_eq!(repository.git(&["status", "--porcelain"]), "", "everything that resolve made is in the merge");

    let checked = opctl(&repository, &["manifests", "--check"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    let check = ["check", "--tests", "--locked"];
    let compiled = must(&mut cargo_in(&repository.place.root(), &check));
    assert!(!text(&compiled.stderr).contains("warning"), "{}", text(&compiled.stderr));
}
