use super::*;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use serde_json::{Value, json};
use std::ops::Deref;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A view of pods, and the channel of the changes that its controller receives.
pub(super) struct Pods {
    pub(super) view: View,
    told: Mutex<UnboundedReceiver<Event>>,
}

impl Deref for Pods {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}

impl Pods {
    pub(super) fn new(pool: &mut Pool, mut view: View) -> Self {
        pool.join(&mut view, &[None]);
        let (changed, told) = unbounded_channel();
        view.subscribe(&changed);
        let told = Mutex::new(told);
        Self { view, told }
    }

    /// Returns the keys of the objects to reconcile after the changes since the last call.
    pub(super) fn told(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        while let Ok(Event::Changed(_, key, states, _)) = self.told.lock().try_recv() {
            keys.extend(self.subjects(&key, &states));
        }
        keys
    }

    pub(super) fn put(&self, object: Observed) -> Option<Key> {
        self.view.put(object);
        self.told().pop()
    }

    fn put_listed(&self, object: Observed, before: Option<u64>) -> Option<Key> {
        self.view.put_listed(object, before, Priority::High);
        self.told().pop()
    }

    fn remove(&self, key: &Key, version: u64) -> Option<Key> {
        self.view.remove(key, version);
        self.told().pop()
    }
}

/// Makes a view of the pods of Deployments.
pub(super) fn of_deployments() -> View {
    let kind = ApiResource::erase::<Deployment>(&());
    View::new(ApiResource::erase::<Pod>(&()), true, Some((kind, true)))
}

/// Makes a view of all pods.
pub(super) fn all_pods() -> View {
    View::new(ApiResource::erase::<Pod>(&()), true, None)
}

fn pods() -> Pods {
    Pods::new(&mut Pool::default(), of_deployments())
}

pub(super) fn child(version: &str, owners: &Value) -> Observed {
    let metadata = json!({
        "name": "a", "namespace": "ns", "resourceVersion": version, "ownerReferences": owners,
    });
    // As in a list: without a kind.
    serde_json::from_value(json!({ "metadata": metadata, "spec": {} })).unwrap()
}

pub(super) fn owned() -> Value {
    json!([{
        "apiVersion": "apps/v1", "kind": "Deployment", "name": "o", "uid": "1",
        "controller": true,
    }])
}

pub(super) fn of(name: &str) -> Key {
    Key::new(Some("ns"), name)
}

#[test]
fn the_owner_of_what_changed_is_given_and_echoes_are_not_news() {
    let pods = pods();
    assert_eq!(pods.put(child("10", &owned())), Some(of("o")));
    assert_eq!(
        pods.put(child("10", &owned())),
        None,
        "the echo of an own write"
    );
    assert_eq!(pods.put(child("9", &owned())), None, "older");
    assert!(
        pods.get(&of("a"))
            .unwrap()
            .json()
            .contains("\"kind\":\"Pod\"")
    );
    assert_eq!(pods.remove(&of("a"), 9), None, "made again since");
    assert_eq!(pods.put(child("11", &json!([]))), Some(of("o")), "disowned");
    assert!(pods.get(&of("a")).is_none());
}

#[test]
fn an_owner_that_loses_a_child_to_another_is_given() {
    let pods = pods();
    pods.put(child("10", &owned()));
    let (owned, mut others) = (owned(), owned());
    others[0]["name"] = "p".into();
    let told = |version, owners| {
        pods.view.put(child(version, owners));
        pods.told()
    };
    assert_eq!(told("9", &others), [], "older");
    assert_eq!(told("11", &owned), [of("o")]);
    assert_eq!(told("12", &others), [of("o"), of("p")]);
}

#[test]
fn a_change_by_others_just_before_an_own_write_is_told() {
    let pods = Pods::new(&mut Pool::default(), all_pods());
    let put = |version| pods.put(child(version, &json!([])));
    let write = |version| pods.write(of("a")).done(child(version, &json!([])));
    put("9");
    assert_eq!(write("11"), Done::Kept);
    assert_eq!(write("12"), Done::Kept);
    assert_eq!(put("10"), Some(of("a")), "by somebody else");
    assert_eq!([put("11"), put("12")], [None, None], "own");

    assert_eq!(write("14"), Done::Kept);
    let before = pods.begin_list(None).get(&of("a")).copied();
    let listed = pods.put_listed(child("14", &json!([])), before);
    assert_eq!(listed, Some(of("a")), "the list hides what came before");
    assert_eq!(put("14"), None);

    assert_eq!(write("16"), Done::Kept);
    pods.remove(&of("a"), 17);
    assert!(pods.entries.lock().echoes.is_empty());
}

#[test]
fn a_new_object_of_the_same_name_matters_whatever_the_predicate_says() {
    let mut pods = pods();
    pods.view.predicates.update = Some(Box::new(|_, _| false));
    let version = |version, uid: &str| {
        let mut pod = child(version, &owned());
        pod.metadata.uid = Some(uid.into());
        pod
    };
    pods.put(version("10", "1"));
    let before = pods.begin_list(None).get(&of("a")).copied();
    assert_eq!(pods.put_listed(version("11", "1"), before), None);
    // The watch has missed the deletion.
    let before = pods.begin_list(None).get(&of("a")).copied();
    assert_eq!(pods.put_listed(version("12", "2"), before), Some(of("o")));
}

#[test]
fn a_list_is_believed_even_if_versions_go_back() {
    let pods = pods();
    pods.put(child("100", &owned()));
    let before = pods.begin_list(Some("ns"));
    assert_eq!(pods.begin_list(Some("other")), HashMap::new());
    assert_eq!(
        pods.put_listed(child("100", &owned()), before.get(&of("a")).copied()),
        None
    );
    assert!(
        pods.put_listed(child("7", &owned()), before.get(&of("a")).copied())
            .is_some()
    );
    assert_eq!(pods.get(&of("a")).unwrap().version, 7);

    let before = pods.begin_list(None);
    pods.put(child("9", &owned())); // an own write, after the list was made
    assert_eq!(
        pods.put_listed(child("8", &owned()), before.get(&of("a")).copied()),
        None
    );
    assert_eq!(
        pods.remove(&of("a"), before[&of("a")]),
        None,
        "made since the list"
    );
    assert_eq!(pods.get(&of("a")).unwrap().version, 9);
}

#[test]
fn a_deletion_that_overtakes_the_answer_of_a_write_counts() {
    let pods = pods();
    let write = pods.write(of("a"));
    assert_eq!(pods.remove(&of("a"), 21), None, "not yet known");
    write.done(child("20", &owned()));
    assert!(pods.get(&of("a")).is_none());
    // Created again, with a higher version.
    let write = pods.write(of("a"));
    pods.remove(&of("a"), 21);
    write.done(child("22", &owned()));
    assert!(pods.get(&of("a")).is_some());
    assert!(pods.entries.lock().writes.is_empty());
}

#[test]
fn objects_written_during_a_list_that_lacks_them_are_looked_up() {
    let pods = pods();
    let before = pods.begin_list(Some("ns"));
    assert_eq!(pods.write(of("a")).done(child("20", &owned())), Done::Kept);
    assert_eq!(pods.end_list(Some("ns")), [(of("a"), 20)]);
    assert_eq!(pods.end_list(Some("ns")), [], "once");

    pods.begin_list(None);
    pods.write(of("a")).done(child("21", &owned()));
    let listed = child("20", &owned());
    pods.put_listed(listed, before.get(&of("a")).copied());
    assert_eq!(pods.end_list(None), [], "the watch tells what follows");
    assert_eq!(pods.get(&of("a")).unwrap().version, 21);

    pods.write(of("a")).done(child("22", &owned()));
    assert_eq!(pods.end_list(None), [], "no list was on its way");
}

#[test]
fn an_answer_that_comes_after_a_list_has_ended_is_not_believed() {
    let pods = pods();
    pods.begin_list(None);
    let write = pods.write(of("a"));
    pods.end_list(None);
    assert_eq!(write.done(child("20", &owned())), Done::Unsure);
    assert!(pods.get(&of("a")).is_none());
    assert_eq!(pods.write(of("a")).done(child("21", &owned())), Done::Kept);
    // An object that the list contains exists, and is watched.
    pods.begin_list(None);
    let write = pods.write(of("a"));
    pods.put_listed(child("21", &owned()), Some(21));
    pods.end_list(None);
    assert_eq!(write.done(child("22", &owned())), Done::Kept);
}

#[test]
fn changes_of_others_in_an_answer_are_news() {
    let pods = pods();
    let with = |version, generation| {
        let mut object = child(version, &owned());
        object.metadata.generation = Some(generation);
        object
    };
    pods.put(with("1", 1));
    assert_eq!(pods.write(of("a")).done(with("2", 1)), Done::Kept);
    let done = pods.write(of("a")).done(with("4", 2));
    assert_eq!(done, Done::News, "version 3 was somebody else's");
}

pub(super) fn naming_secrets() -> View {
    let mut pods = all_pods();
    let values: Values = Arc::new(|json| {
        let pod: Value = serde_json::from_str(json).unwrap();
        let names = pod["spec"]["secrets"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        names
            .iter()
            .map(|name| of(name.as_str().unwrap()))
            .collect()
    });
    pods.indexes.push((None, values));
    pods
}

fn pods_that_name_secrets() -> Pods {
    Pods::new(&mut Pool::default(), naming_secrets())
}

pub(super) fn naming(version: &str, secrets: &[&str]) -> Observed {
    let mut pod = child(version, &json!([]));
    pod.data = json!({ "spec": { "secrets": secrets } }).to_string().into();
    pod
}

pub(super) fn named(pods: &View, index: usize, name: &str) -> Vec<Key> {
    let selected = pods.select(Some("ns"), Some((index, of(name))));
    selected.into_iter().map(|(key, _)| key).collect()
}

#[test]
fn indexes_have_what_the_cache_has_in_all_orders_of_events() {
    let names = ["x", "y", "z"];
    for seed in 0..300_u64 {
        let pods = pods_that_name_secrets();
        let mut state = seed;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % below
        };
        let (mut writes, mut before) = (Vec::new(), HashMap::new());
        for _ in 0..40 {
            let version = 1 + random(30);
            let mut pod = naming(&version.to_string(), &names[random(3)..]);
            pod.metadata.name = Some(["a", "b"][random(2)].into());
            let key = Key::of(&pod);
            match random(7) {
                0 => drop(pods.put(pod)),
                1 => drop(pods.put_listed(pod, before.get(&key).copied())),
                2 => drop(pods.remove(&key, version as u64)),
                3 => writes.push(pods.write(key)),
                4 if !writes.is_empty() => {
                    writes.swap_remove(random(writes.len())).done(pod);
                }
                5 => before = pods.begin_list(Some("ns")),
                _ => drop(pods.end_list(Some("ns"))),
            }
            let cached = pods.select(None, None);
            for name in names {
                let mut found = named(&pods, 0, name);
                let has = |cached: &Cached| cached.json().contains(&format!("\"{name}\""));
                let with = cached.iter().filter(|(_, cached)| has(cached));
                let mut expected: Vec<_> = with.map(|(key, _)| key.clone()).collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "seed {seed}");
            }
        }
    }
}

#[test]
fn deleted_objects_and_other_namespaces_are_not_selected() {
    let pods = pods_that_name_secrets();
    let mut pod = naming("1", &["x"]);
    pod.metadata.uid = Some("1".into());
    pods.put(pod);
    assert_eq!(named(&pods, 0, "x"), [of("a")]);
    assert!(pods.select(Some("other"), None).is_empty());
    pods.set_gone(&of("a"), "1");
    assert!(pods.select(None, None).is_empty() && named(&pods, 0, "x").is_empty());
}

#[test]
fn indexes_follow_every_change_of_an_object() {
    let pods = pods_that_name_secrets();
    let named = |name| named(&pods, 0, name);
    pods.put(naming("1", &["x", "y"]));
    assert_eq!((named("x"), named("y")), (vec![of("a")], vec![of("a")]));
    assert!(self::named(&pods, 1, "x").is_empty(), "of another watch");

    pods.put(naming("2", &["y", "z"]));
    assert_eq!((named("x"), named("z")), (vec![], vec![of("a")]));
    // The answer to an own write updates the index, too.
    pods.write(of("a")).done(naming("3", &["x"]));
    assert_eq!((named("x"), named("y")), (vec![of("a")], vec![]));
    pods.remove(&of("a"), 4);
    assert!(named("x").is_empty());
}

#[test]
fn changes_that_do_not_matter_are_kept_and_no_news() {
    let mut pods = pods_that_name_secrets();
    pods.view.predicates.update = Some(Box::new(|before, after| {
        let of = |json: &str| serde_json::from_str::<Value>(json).unwrap()["spec"].clone();
        of(before) != of(after)
    }));
    assert!(pods.put(naming("1", &["x"])).is_some(), "a new object");
    assert!(pods.put(naming("2", &["x"])).is_none());
    assert_eq!(pods.get(&of("a")).unwrap().version, 2);
    assert!(pods.put(naming("3", &["y"])).is_some());
    let mut deleted = naming("4", &["y"]);
    deleted.metadata.deletion_timestamp =
        serde_json::from_value(json!("2000-01-01T00:00:00Z")).unwrap();
    assert!(pods.put(deleted).is_some(), "its finalizer has to know");
    assert!(pods.remove(&of("a"), 5).is_some());
}

#[test]
fn creations_and_deletions_that_do_not_matter_are_kept_and_no_news() {
    let mut pods = pods_that_name_secrets();
    let names = |name: &'static str| Box::new(move |json: &str| json.contains(name));
    pods.view.predicates.create = Some(names("\"x\""));
    pods.view.predicates.delete = Some(names("\"y\""));
    assert_eq!(pods.put(naming("1", &["z"])), None);
    assert_eq!(pods.get(&of("a")).unwrap().version, 1);
    assert_eq!(pods.put(naming("2", &["z"])), Some(of("a")), "no creation");
    assert_eq!(pods.remove(&of("a"), 3), None);
    assert!(pods.get(&of("a")).is_none());
    assert_eq!(pods.put(naming("4", &["x", "y"])), Some(of("a")));
    assert_eq!(pods.remove(&of("a"), 5), Some(of("a")));

    let mut deleted = naming("6", &["z"]);
    let now = serde_json::from_value(json!("2000-01-01T00:00:00Z"));
    deleted.metadata.deletion_timestamp = now.unwrap();
    assert!(pods.put(deleted).is_some(), "its finalizer has to know");

    // A deletion and a creation that a list shows as one change.
    let version = |version: &str, uid: &str, name| {
        let mut pod = naming(version, &[name]);
        pod.metadata.uid = Some(uid.into());
        pod
    };
    pods.put(version("7", "1", "y"));
    assert!(pods.put(version("8", "2", "z")).is_some(), "one is lost");
    assert!(pods.put(version("9", "3", "z")).is_none());
    assert!(pods.put(version("10", "4", "x")).is_some(), "one is new");
}

#[test]
fn objects_are_cached_as_they_are_and_take_a_fraction_of_their_text() {
    let pods = pods();
    let pod = |index: u32| {
        let mut pod = child("1", &owned());
        pod.metadata.name = Some(format!("pod-{index}"));
        pod.metadata.uid = Some(format!("{:08x}", index.wrapping_mul(0x9e37_79b9)));
        let containers = json!([{
            "name": "server", "image": "nginx:1.27", "imagePullPolicy": "IfNotPresent",
            "ports": [{ "containerPort": 80, "protocol": "TCP" }],
            "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
        }]);
        // After the first dictionary was made, the objects look different.
        let status = if index < 500 {
            json!(null)
        } else {
            json!({ "phase": "läuft", "index": index })
        };
        let data = json!({ "spec": { "containers": containers }, "status": status });
        pod.data = data.to_string().into();
        pod
    };
    let (mut length, mut compressed) = (0, 0);
    for index in 0..3000 {
        pods.put(pod(index));
    }
    for index in 0..3000 {
        let cached = pods.get(&of(&format!("pod-{index}"))).unwrap();
        assert_eq!(cached.json(), pod(index).json(&pods.kind).unwrap());
        length += cached.json().len();
        compressed += cached.json.size();
    }
    assert!(compressed * 6 < length, "{compressed} of {length} bytes");
}

#[test]
fn a_key_has_the_namespace_and_the_name_that_it_was_made_of() {
    for (namespace, name) in [(Some("ns"), "a"), (None, "a"), (None, "a/b"), (None, "")] {
        let key = Key::new(namespace, name);
        assert_eq!((key.namespace(), key.name()), (namespace, name));
    }
    assert_ne!(Key::new(None, "a/b"), Key::new(Some("a"), "b"));
}

#[test]
fn a_change_of_a_child_by_others_just_before_an_own_write_is_told() {
    let pods = pods();
    pods.put(child("9", &owned()));
    // The kubelet writes version 10, then the operator version 11, and its answer comes first.
    pods.write(of("a")).done(child("11", &owned()));
    assert_eq!(
        pods.put(child("10", &owned())),
        Some(of("o")),
        "no pass has seen what the kubelet wrote"
    );
    assert_eq!(pods.put(child("11", &owned())), None, "an own write");
}
