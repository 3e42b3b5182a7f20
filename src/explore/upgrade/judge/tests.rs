use super::{Evidence, findings};
use crate::explore::record::state::State;
use crate::explore::upgrade::picture::Picture;
use crate::explore::upgrade::play::Play;
use crate::explore::upgrade::run_version::Part;
use serde_json::{Value, json};

fn part(objects: &[(&str, Value)]) -> Part {
    let mut lists: std::collections::BTreeMap<String, Vec<Value>> = std::collections::BTreeMap::new();
    let mut picture = Picture::default();
    for resource in ["configmaps", "deployments.apps", "shops.e.com"] {
        lists.entry(resource.to_owned()).or_default();
    }
    for (resource, object) in objects {
        let name = object["metadata"]["name"].as_str().unwrap();
        picture.raw.insert(format!("{resource}/{name}"), object.clone());
        lists.entry((*resource).to_owned()).or_default().push(object.clone());
    }
    picture.state = State::of("n", &lists.into_iter().collect::<Vec<_>>());
    Part { picture, ..Part::default() }
}

fn deployment(name: &str, image: &str) -> (&'static str, Value) {
    let pod = json!({"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "main", "image": image}]}});
    ("deployments.apps", json!({"metadata": {"name": name, "uid": name}, "spec": {"replicas": 1, "template": pod}}))
}

fn config(name: &str, data: &str) -> (&'static str, Value) {
    ("configmaps", json!({"metadata": {"name": name}, "data": {"a": data}}))
}

/// Returns the code and the object of each finding about an upgrade. `old` is the result of the old version before the
/// upgrade, `after` is the result of the new version after the upgrade, and `fresh` is the result of a fresh
/// installation of the new version.
fn upgrade(old: &Part, after: Part, fresh: &Part) -> Vec<String> {
    let mut evidence = Evidence { samples: ["shops.e.com/s".to_owned()].into(), ..Evidence::default() };
    evidence.wanted = [Play::Upgrade].into();
    (evidence.old, evidence.restarted) = (old.clone(), old.clone());
    evidence.before.insert(Play::Upgrade, old.clone());
    evidence.after.insert(Play::Upgrade, after);
    evidence.fresh = Some([fresh.clone(), fresh.clone(), part(&[])]);
    findings(evidence).iter().map(|found| format!("{} {}", found.code.name(), found.object)).collect()
}

#[test]
fn a_template_that_changes_restarts_pods() {
    let (one, two) = (part(&[deployment("a", "x:1")]), part(&[deployment("a", "x:2")]));
    assert_eq!(upgrade(&one, two.clone(), &two), ["restarts deployments.apps/a"]);
    assert!(upgrade(&one, one.clone(), &one).is_empty());
}

#[test]
fn a_child_under_a_second_name_is_a_duplicate_and_one_that_stays_an_orphan() {
    let (old, new) = (part(&[config("a", "1")]), part(&[config("b", "1")]));
    let both = part(&[config("a", "1"), config("b", "1")]);
    assert_eq!(upgrade(&old, both, &new), ["duplicate configmaps/a"]);
    assert_eq!(upgrade(&old, old.clone(), &part(&[])), ["orphan configmaps/a"]);
    // It was removed under its old name.
    assert!(upgrade(&old, new.clone(), &new).is_empty());
}

#[test]
fn a_child_that_is_not_as_in_a_fresh_installation_differs() {
    let (old, new) = (part(&[config("a", "1")]), part(&[config("a", "2")]));
    assert_eq!(upgrade(&old, old.clone(), &new), ["differs configmaps/a"]);
    // A change of a child may be what the release is for.
    assert_eq!(upgrade(&old, new.clone(), &new), ["changes configmaps/a"]);
}

#[test]
fn a_field_that_users_set_is_lost() {
    let shop = |spec: Value| ("shops.e.com", json!({"metadata": {"name": "s"}, "spec": spec}));
    let (old, new) = (part(&[shop(json!({"a": 1, "b": 1}))]), part(&[shop(json!({"a": 1}))]));
    assert_eq!(upgrade(&old, new.clone(), &new), ["lost shops.e.com/s .spec.b"]);
}
