//! The objects of a run while the operator is at rest, and their differences from the objects of another run.

use super::journal::VARIES;
use super::lock::is_lock;
use super::normalize::{Leaves, Words, general, leaves};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The objects of a run by resource and name. A resource is absent if its objects were not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State(BTreeMap<String, BTreeMap<String, Object>>);

/// The leaf values of an object, and its actual name in the run.
#[derive(Clone, Debug, Eq)]
struct Object {
    name: String,
    leaves: Leaves,
}

impl PartialEq for Object {
    /// Compares only the leaf values, which contain the name unless the name is generated.
    fn eq(&self, other: &Self) -> bool {
        self.leaves == other.leaves
    }
}

/// A difference between two states. If `path` is empty, the object exists in only one of the states.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The object, such as `services/web`; `*` stands for a name that differs from run to run.
    pub object: String,
    /// The actual name of an object whose name differs from run to run: the name in this run, or in the reference run
    /// if this run lacks the object. `None` for other objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The field, such as `.spec.replicas`; empty for the object itself.
    pub path: String,
    /// The value in the reference run, if any.
    pub expected: Option<String>,
    /// The value in this run, if any.
    pub found: Option<String>,
}

/// The names and fields that differ between two runs of the same scenario, and are therefore not compared.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    /// Resources with objects that have random names.
    names: BTreeSet<String>,
    /// The objects that have the same name in two runs of the same scenario.
    fixed: BTreeSet<String>,
    /// The fields that are not compared, as pairs of a resource and a path.
    paths: BTreeSet<(String, String)>,
}

/// The objects that Kubernetes creates in every namespace.
const GIVEN: [&str; 2] = ["configmaps/kube-root-ca.crt", "serviceaccounts/default"];

impl State {
    /// Creates a state from the objects that were listed in `namespace`.
    pub fn of(namespace: &str, lists: &[(String, Vec<Value>)]) -> State {
        let all = || lists.iter().flat_map(|(resource, objects)| objects.iter().map(move |object| (resource, object)));
        let text = |object: &Value, key: &str| object["metadata"][key].as_str().map(str::to_owned);
        let uid = |(resource, object): (&String, &Value)| {
            Some((text(object, "uid")?, format!("{{uid of {resource}/{}}}", name_of(object))))
        };
        let mut words: Words = all().filter_map(uid).collect();
        words.push((namespace.to_owned(), "{namespace}".to_owned()));
        // Generated names are also replaced where other objects mention them.
        let generated = all().filter(|(_, object)| text(object, "generateName").is_some());
        words.extend(generated.filter_map(|(_, object)| Some((text(object, "name")?, name_of(object)))));
        let mut state = BTreeMap::new();
        for (resource, objects) in lists {
            let with_name = |object: &Value| Object {
                name: text(object, "name").unwrap_or_default(),
                leaves: leaves(object, &words),
            };
            let named =
                objects.iter().filter(|object| !is_lock(object)).map(|object| (name_of(object), with_name(object)));
            let ours = named.filter(|(name, _)| !GIVEN.contains(&format!("{resource}/{name}").as_str()));
            state.insert(resource.clone(), number_objects(ours.collect()));
        }
        State(state)
    }

    /// Returns the state without the names and fields that the masks hide.
    fn apply_masks(&self, masks: &Masks) -> State {
        let each = self.0.iter().map(|(resource, objects)| {
            let hidden = |path: &str| masks.paths.contains(&(resource.clone(), general(path)));
            let kept = |leaves: &Leaves| -> Leaves {
                leaves
                    .iter()
                    .filter(|(path, _)| !hidden(path))
                    .map(|(path, leaf)| (path.clone(), leaf.clone()))
                    .collect()
            };
            let objects = objects.iter().map(|(key, object)| {
                let mut leaves = kept(&object.leaves);
                let unnamed = masks.hides_name(resource, key);
                if unnamed {
                    leaves.remove(".metadata.name");
                }
                let name = if unnamed { "*".to_owned() } else { key.clone() };
                (name, Object { name: object.name.clone(), leaves })
            });
            (resource.clone(), number_objects(objects.collect()))
        });
        State(each.collect())
    }

    /// Compares this state, which is expected, with the state `found`, and returns the differences. Ignores what
    /// `masks` hide, and resources that only one of the two states contains.
    pub fn differences(&self, found: &State, masks: &Masks) -> Vec<Difference> {
        let (expected, found) = (self.apply_masks(masks), found.apply_masks(masks));
        let mut differences = Vec::new();
        for (resource, expected) in &expected.0 {
            let Some(found) = found.0.get(resource) else { continue };
            for name in expected.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
                let object = format!("{resource}/{name}");
                compare(&object, expected.get(name), found.get(name), &mut differences);
            }
        }
        differences
    }

    /// Adds the differences between this state and `other` to `masks`, so that later comparisons ignore these
    /// differences. Both states come from runs of the same scenario without a fault.
    pub fn learn(&self, other: &State, masks: &mut Masks) {
        for (resource, objects) in &self.0 {
            let Some(others) = other.0.get(resource) else { continue };
            if !others.keys().eq(objects.keys()) {
                masks.names.insert(resource.clone());
            }
            let both = objects.keys().filter(|name| others.contains_key(*name));
            masks.fixed.extend(both.map(|name| format!("{resource}/{name}")));
        }
        for difference in self.differences(other, masks) {
            let resource = difference.object.split('/').next().unwrap_or_default();
            masks.paths.insert((resource.to_owned(), general(&difference.path)));
        }
    }

    /// Returns the resources whose objects were listed.
    pub fn resources(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Returns the names of the objects of a resource.
    pub fn names(&self, resource: &str) -> impl Iterator<Item = &str> {
        self.0.get(resource).into_iter().flat_map(BTreeMap::keys).map(String::as_str)
    }

    /// Returns the fields of an object such as `services/web`.
    pub fn object(&self, object: &str) -> Option<&Leaves> {
        let (resource, name) = object.split_once('/')?;
        Some(&self.0.get(resource)?.get(name)?.leaves)
    }
}

impl Masks {
    /// Returns true if the name of the object differs from run to run.
    fn hides_name(&self, resource: &str, name: &str) -> bool {
        self.names.contains(resource) && !self.fixed.contains(&format!("{resource}/{name}"))
    }

    /// Returns true if the field, such as `data.password`, differs between two equal runs.
    pub fn has(&self, resource: &str, field: &str) -> bool {
        self.paths.contains(&(resource.to_owned(), general(&format!(".{field}"))))
    }

    /// Returns a list of what the comparison of states ignores: each ignored field, as `resource path`, and each
    /// resource with random names, because the names of its objects are not compared.
    pub fn list(&self) -> Vec<String> {
        let paths = self.paths.iter().map(|(resource, path)| format!("{resource} {path}"));
        self.names.iter().cloned().chain(paths).collect()
    }
}

/// The field that an object has while it is being deleted.
pub const ENDING: &str = ".metadata.deletionTimestamp";
const BEING_DELETED: &str = "is being deleted";

fn compare(object: &str, expected: Option<&Object>, found: Option<&Object>, differences: &mut Vec<Difference>) {
    let shown = found.or(expected).map(|one| one.name.clone());
    let name = shown.filter(|_| object.contains('*'));
    let difference = |path: &str, expected, found| {
        let (object, name, path) = (object.to_owned(), name.clone(), path.to_owned());
        Difference { object, name, path, expected, found }
    };
    let (Some(expected), Some(found)) = (expected, found) else {
        let there = |object: Option<&Object>| {
            let text = |object: &Object| if object.leaves.contains_key(ENDING) { BEING_DELETED } else { "exists" };
            object.map(text).map(str::to_owned)
        };
        return differences.push(difference("", there(expected), there(found)));
    };
    for path in expected.leaves.keys().chain(found.leaves.keys()).collect::<BTreeSet<_>>() {
        let (expected, found) = (expected.leaves.get(path), found.leaves.get(path));
        if expected != found {
            let text = |value: Option<&Value>| value.map(Value::to_string);
            differences.push(difference(path, text(expected), text(found)));
        }
    }
}

impl Difference {
    /// Returns true if the object is still being deleted in this run, but not in the reference run.
    pub fn never_ends(&self) -> bool {
        let is_left = self.path.is_empty() && self.expected.is_none();
        (is_left && self.found.as_deref() == Some(BEING_DELETED)) || (self.path == ENDING && self.expected.is_none())
    }

    /// Returns true if the object exists in the reference, but not in this run.
    pub fn is_missing(&self) -> bool {
        self.path.is_empty() && self.expected.is_some()
    }

    /// Returns the object and the field as a text that is the same in all runs: without the number of an object whose
    /// name differs from run to run, and without the indexes of lists.
    pub fn key(&self) -> String {
        format!("{}{}", strip_number(&self.object), general(&self.path))
    }

    /// Returns the object as shown in messages. If its name differs from run to run, the text contains the name in this
    /// run, followed by [`VARIES`].
    pub fn displayed_object(&self) -> String {
        match (&self.name, self.object.split_once('/')) {
            (Some(name), Some((resource, _))) => format!("{resource}/{name}{VARIES}"),
            _ => self.object.clone(),
        }
    }
}

/// Returns an object such as `secrets/*#2` without its number: `secrets/*`.
pub fn strip_number(object: &str) -> &str {
    object.rsplit_once("*#").map_or(object, |(before, _)| &object[..=before.len()])
}

/// Returns the object's name; for a generated name, the prefix followed by `*`.
fn name_of(object: &Value) -> String {
    let generated = object["metadata"]["generateName"].as_str().map(|prefix| format!("{prefix}*"));
    generated.or_else(|| object["metadata"]["name"].as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the objects by name. Objects of the same name are sorted by content and get numbers, such as `#2`, so that
/// each run has the same names.
fn number_objects(mut objects: Vec<(String, Object)>) -> BTreeMap<String, Object> {
    objects.sort_by_cached_key(|(name, object)| (name.clone(), format!("{:?}", object.leaves)));
    let mut numbered = BTreeMap::new();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (name, object) in objects {
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { name } else { format!("{name}#{count}") };
        numbered.insert(name, object);
    }
    numbered
}

impl fmt::Display for Difference {
    /// Writes, for example, `services/web is missing` or `deployments.apps/web .spec.replicas is 1 instead of 2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { path, expected, found, .. } = self;
        let object = self.displayed_object();
        match (path.as_str(), expected, found) {
            _ if self.never_ends() => write!(f, "{object} {BEING_DELETED}, and stays"),
            ("", Some(_), _) => write!(f, "{object} is missing"),
            ("", None, _) => write!(f, "{object} exists, and should not"),
            (_, Some(expected), Some(found)) => write!(f, "{object} {path} is {found} instead of {expected}"),
            (_, Some(expected), None) => write!(f, "{object} {path} is missing: {expected}"),
            (_, None, found) => {
                write!(f, "{object} {path} should not be set: {}", found.as_deref().unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn state(namespace: &str, lists: &[(&str, Value)]) -> State {
        let list = |(resource, objects): &(&str, Value)| ((*resource).to_owned(), objects.as_array().unwrap().clone());
        State::of(namespace, &lists.iter().map(list).collect::<Vec<_>>())
    }

    fn texts(differences: &[Difference]) -> Vec<String> {
        differences.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn states_differ_where_objects_or_fields_do() {
        let one = state(
            "run-1",
            &[
                ("services", json!([{"metadata": {"name": "web", "uid": "1"}, "spec": {"x": 1, "y": "in run-1"}}])),
                ("secrets", json!([{"metadata": {"name": "key"}}])),
                ("configmaps", json!([{"metadata": {"name": "kube-root-ca.crt"}}])),
            ],
        );
        let other = state(
            "run-2",
            &[
                (
                    "services",
                    json!([{"metadata": {"name": "web", "uid": "2"}, "spec": {"x": 2, "y": "in run-2", "z": 3}}]),
                ),
                ("secrets", json!([{"metadata": {"name": "lock"}}])),
                ("configmaps", json!([])),
                ("pods", json!([{"metadata": {"name": "new to us"}}])),
            ],
        );
        assert_eq!(one.differences(&one, &Masks::default()), []);
        let expected = [
            "secrets/key is missing",
            "secrets/lock exists, and should not",
            "services/web .spec.x is 2 instead of 1",
            "services/web .spec.z should not be set: 3",
        ];
        assert_eq!(texts(&one.differences(&other, &Masks::default())), expected);
    }

    #[test]
    fn differences_between_equal_runs_are_masked() {
        let run = |secret: &str, job: &str, replicas: u32| {
            state(
                "a",
                &[
                    ("secrets", json!([{"metadata": {"name": "key"}, "data": {"password": secret}}])),
                    ("jobs.batch", json!([{"metadata": {"name": job}, "spec": {"x": 1}}])),
                    ("deployments.apps", json!([{"metadata": {"name": "web"}, "spec": {"replicas": replicas}}])),
                ],
            )
        };
        let mut masks = Masks::default();
        run("abc", "job-1", 2).learn(&run("xyz", "job-7", 2), &mut masks);
        assert_eq!(masks.list(), ["jobs.batch", "secrets .data.password"]);
        assert_eq!(run("abc", "job-1", 2).differences(&run("123", "job-3", 2), &masks), []);
        let wrong = run("abc", "job-1", 2).differences(&run("123", "job-3", 1), &masks);
        assert_eq!(texts(&wrong), ["deployments.apps/web .spec.replicas is 1 instead of 2"]);
    }

    #[test]
    fn generated_names_are_counted() {
        let pods = |names: &[&str]| {
            let pod = |name: &&str| json!({"metadata": {"name": name, "generateName": "web-"}, "spec": {"is": name}});
            state("a", &[("pods", Value::Array(names.iter().map(pod).collect()))])
        };
        assert_eq!(pods(&["web-1", "web-2"]), pods(&["web-8", "web-5"]));
        let fewer = pods(&["web-1", "web-2"]).differences(&pods(&["web-7"]), &Masks::default());
        assert_eq!(texts(&fewer), ["pods/web-2~ is missing"]);
        assert_eq!(pods(&["web-1"]).names("pods").collect::<Vec<_>>(), ["web-*"]);
    }

    #[test]
    fn a_name_that_differs_from_run_to_run_is_shown_and_marked() {
        let maps = |names: &[&str]| {
            let map = |name: &&str| json!({"metadata": {"name": name}});
            state("a", &[("configmaps", Value::Array(names.iter().map(map).collect()))])
        };
        let mut masks = Masks::default();
        maps(&["a-1", "b"]).learn(&maps(&["a-2", "b"]), &mut masks);
        let more = maps(&["a-1", "b"]).differences(&maps(&["a-7", "a-8", "b"]), &masks);
        assert_eq!(texts(&more), ["configmaps/a-8~ exists, and should not"]);
        assert_eq!(more[0].key(), "configmaps/*");
        // An object with a fixed name is no other one, whatever the names of the rest are.
        let without = maps(&["a-1", "b"]).differences(&maps(&["a-7", "c"]), &masks);
        assert_eq!(texts(&without), ["configmaps/c~ exists, and should not", "configmaps/b is missing"]);
    }

    #[test]
    fn a_deletion_that_does_not_end_is_told_as_one() {
        let maps = |maps: Value| state("a", &[("configmaps", maps)]);
        let ending = json!([{"metadata": {"name": "a", "deletionTimestamp": "2026-01-02T03:04:05Z"}}]);
        for before in [json!([]), json!([{"metadata": {"name": "a"}}])] {
            let found = maps(before).differences(&maps(ending.clone()), &Masks::default());
            assert_eq!(texts(&found), ["configmaps/a is being deleted, and stays"]);
            assert!(found[0].never_ends());
        }
    }

    #[test]
    fn an_owner_is_known_by_its_name() {
        let run = |uid: &str| {
            let owner = json!([{"kind": "Web", "name": "w", "uid": uid}]);
            state(
                "a",
                &[
                    ("webs", json!([{"metadata": {"name": "w", "uid": uid}}])),
                    ("services", json!([{"metadata": {"name": "s", "ownerReferences": owner}}])),
                ],
            )
        };
        assert_eq!(run("1"), run("2"));
    }
}
