//! Branches that add webhooks to several kinds or to the same one, and a branch that adds a conversion.

use super::random::settled;
use super::{Repository, says, words};
use crate::support::{Place, assert_same};

const BASE: [&str; 4] = [
    "create api --kind Shop",
    "create api --kind Shop --version v1 --storage-version",
    "create api --kind Item --group apps",
    "create webhook --kind Item --group apps --validation",
];

/// Makes a project by the commands `base`, and a branch for each of `commands`. Merges the branches into the first one,
/// and checks that the result equals a project in which all commands ran one after the other.
fn are_merged(base: &[&str], commands: &[&str]) {
    let one_by_one = Place::new();
    one_by_one.ok(&["init", "--domain", "example.com", "--name", "shop-operator"]);
    for line in base.iter().chain(commands) {
        one_by_one.ok(&line.split(' ').collect::<Vec<_>>());
    }
    let base: Vec<Vec<&str>> = base.iter().map(|line| line.split(' ').collect()).collect();
    let repository = Repository::new(&base.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let names: Vec<String> = (0..commands.len()).map(|number| format!("branch-{number}")).collect();
    for (name, command) in names.iter().zip(commands) {
        repository.branch(name, &[words(command)]);
    }
    repository.git(&["checkout", "-q", &names[0]]);
    let mut stops = 0;
    for name in &names[1..] {
        stops += repository.finish(&repository.run_git(&["merge", name]), &["commit", "--no-edit"]);
    }
    assert!(stops > 0, "git alone has merged {commands:?}");
    let merged = repository.tree();
    let expected = settled(one_by_one.content(), &merged);
    assert_same(&expected, &settled(merged.clone(), &merged), &format!("{commands:?}"));
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(repository.place.json(&words)["outcome"], "unchanged", "{command}");
    }
    assert_eq!(repository.place.json(&["update", "--dry-run"])["outcome"], "unchanged", "{commands:?}");
}

#[test]
fn webhooks_of_several_kinds_and_a_conversion_are_merged() {
    are_merged(
        &BASE[..3],
        &[
            "create webhook --kind Shop --defaulting",
            "create webhook --kind Item --group apps --defaulting --validation",
            "create webhook --kind Shop --conversion --spoke v1alpha1",
        ],
    );
}

#[test]
fn webhooks_join_those_that_are_there() {
    are_merged(
        &BASE,
        &[
            "create webhook --kind Shop --conversion --spoke v1alpha1",
            "create webhook --kind Item --group apps --defaulting",
            "create webhook --group core --kind Pod --validation",
        ],
    );
}

#[test]
fn two_webhooks_of_one_kind_are_in_one_file() {
    are_merged(&BASE[..1], &["create webhook --kind Shop --defaulting", "create webhook --kind Shop --validation"]);
}

#[test]
fn two_policies_of_one_kind_are_merged() {
    are_merged(&BASE[..1], &["create policy --kind Shop", "create policy --kind Shop --mutating"]);
}

#[test]
fn a_user_edit_in_one_of_two_merged_webhooks_stays_in_conflict() {
    let repository = Repository::new(&[&["create", "api", "--kind", "Shop"]]);
    let file = "src/webhook/shop.rs";
    for (branch, flag) in [("one", "--defaulting"), ("other", "--validation")] {
        repository.branch(branch, &[words(&format!("create webhook --kind Shop {flag}"))]);
    }
    repository.git(&["checkout", "-q", "one"]);
    repository.write(file, |text| format!("{text}\n// Mine.\n"));
    repository.commit("Edit");
    repository.run_git(&["merge", "other"]);
    let (code, said) = says(&repository.place, &["resolve"]);
    assert!(code == 3 && said.contains(&format!("error: `{file}` is still in conflict\n")), "{said}");
    assert!(repository.read(file).contains("// Mine."));
}
