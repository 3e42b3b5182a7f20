//! Merges of two branches: one renames a kind, and the other one still uses the kind's old name.

use super::random::settled;
use super::{ITEM, Repository, SHOP, words};
use crate::support::{Place, assert_same, lay};

/// A user's comment in the types of a kind. A renaming of the kind also changes the name in the comment.
const OWN: &str = "// Every Shop is open.\n";

/// Returns a repository with a kind whose types a user edited.
fn with_edited_kind() -> Repository {
    let repository = Repository::new(&[&words(SHOP).iter().map(String::as_str).collect::<Vec<_>>()]);
    repository.write("api/src/v1alpha1/shop.rs", |text| format!("{text}{OWN}"));
    repository.commit("Edit a kind");
    repository
}

/// Checks that merging a branch that renames kinds with a branch that adds a kind gives the same project as running the
/// commands of both branches one after the other, whichever branch is checked out.
fn is_merged(renamings: &[&str]) {
    for (ours, theirs) in [("renamed", "item"), ("item", "renamed")] {
        let repository = with_edited_kind();
        let expected = Place::new();
        lay(&repository.place.root(), &expected.root());
        let renamings: Vec<Vec<String>> = renamings.iter().map(|line| words(line)).collect();
        let mut commands = [renamings.clone(), vec![words(ITEM)]];
        if ours == "item" {
            commands.reverse();
        }
        for command in commands.concat() {
            expected.ok(&command.iter().map(String::as_str).collect::<Vec<_>>());
        }
        repository.branch("renamed", &renamings);
        repository.branch("item", &[words(ITEM)]);
        repository.git(&["checkout", "-q", ours]);
        repository.finish(&repository.run_git(&["merge", theirs]), &["commit", "--no-edit"]);
        let merged = repository.tree();
        let mut sequential = expected.content();
        sequential.retain(|path, _| path != ".git" && !path.starts_with(".git/"));
        assert_same(&settled(sequential, &merged), &settled(merged.clone(), &merged), ours);
        assert_eq!(repository.place.json(&["resolve"])["outcome"], "unchanged", "{ours}");
        assert_eq!(repository.place.json(&["update"])["outcome"], "unchanged", "{ours}");
    }
}

#[test]
fn a_chain_of_renamings_is_merged_with_a_new_kind() {
    is_merged(&["rename api --kind Shop --to Store", "rename api --kind Store --to Mall"]);
}

#[test]
fn a_name_that_a_renaming_freed_is_taken_by_another_kind() {
    is_merged(&["create api --kind Stall", "rename api --kind Shop --to Mall", "rename api --kind Stall --to Shop"]);
}

/// Renaming a kind twice gives the same project as renaming it directly to the last name. The name in between does
/// not occur in the project.
#[test]
fn a_chain_of_renamings_is_one_renaming() {
    let (chain, direct) = (with_edited_kind(), with_edited_kind());
    for (from, to) in [("Shop", "Store"), ("Store", "Stall")] {
        chain.place.ok(&["rename", "api", "--kind", from, "--to", to]);
        assert_eq!(chain.place.json(&["update", "--check"])["outcome"], "unchanged", "{to}");
    }
    direct.place.ok(&["rename", "api", "--kind", "Shop", "--to", "Stall"]);
    assert_same(&direct.tree(), &chain.tree(), "the name between is gone");
    assert!(chain.read("api/src/v1alpha1/stall.rs").ends_with(&OWN.replace("Shop", "Stall")));
}
