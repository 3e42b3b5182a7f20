use crate::cache::{Event, Pool};
use crate::testing::FakeCluster;
use crate::{Action, Context, Controller, Name, Objects, Watch};
use k8s_openapi::api::core::v1::{ConfigMap, Node, Pod, Secret};
use kube::{CustomResource, ResourceExt, core::Selector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{from_value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;

async fn nothing<S>(_: Arc<Pod>, _: Arc<Context<S>>) -> anyhow::Result<Action> {
    Ok(Action::done())
}

fn controller<S: Send + Sync + 'static>() -> Controller<Pod, S> {
    Controller::namespaced("pod", nothing::<S>)
        .owns::<ConfigMap>()
        .watches::<Secret>(|pod| vec![Name::from(pod.name_any())])
}

fn pod(cluster: &FakeCluster, name: &str) -> Pod {
    let metadata = json!({ "name": name, "namespace": "default" });
    cluster.insert(from_value(json!({ "metadata": metadata })).unwrap())
}

fn config_map(name: &str) -> ConfigMap {
    from_value(json!({ "metadata": { "name": name }, "data": { "a": "1" } })).unwrap()
}

fn secret(namespace: &str) -> Secret {
    from_value(json!({ "metadata": { "name": "a", "namespace": namespace } })).unwrap()
}

#[tokio::test]
async fn a_child_is_made_once_changed_back_and_removed_once() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let pass = || cluster.context(controller(), ());
    pass().apply(&pod, config_map("a")).await.unwrap();
    pass().apply(&pod, config_map("a")).await.unwrap();
    assert_eq!(cluster.writes().len(), 1);

    let mut changed = cluster.list::<ConfigMap>().remove(0);
    changed
        .data
        .as_mut()
        .unwrap()
        .insert("a".into(), "2".into());
    cluster.insert(changed);
    let kept = pass().apply(&pod, config_map("a")).await.unwrap();
    assert_eq!(kept.data.unwrap()["a"], "1");

    pass().remove::<ConfigMap>(&pod, "a").await.unwrap();
    assert!(cluster.list::<ConfigMap>().is_empty());
    let writes = cluster.writes();
    pass().remove::<ConfigMap>(&pod, "a").await.unwrap();
    assert_eq!(cluster.writes(), writes);
}

#[tokio::test]
async fn a_child_needs_a_name() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let mut unnamed = config_map("a");
    unnamed.metadata.name = None;
    unnamed.metadata.generate_name = Some("a-".into());
    let context = cluster.context(controller(), ());
    let refused = context.apply(&pod, unnamed).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("ConfigMap cannot be a child: it has no metadata.name"),
        "{refused}"
    );
    assert_eq!(cluster.writes(), [""; 0]);
}

/// The hash annotation of a `Secret` does not depend on the values of the `Secret`.
#[tokio::test]
async fn the_hash_of_a_secret_says_nothing_about_its_values() {
    let mut hashes = Vec::new();
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let controller = || Controller::<Pod>::namespaced("pod", nothing::<()>).owns::<Secret>();
    for pin in ["NDcxMQ==", "MDgxNQ=="] {
        let desired = json!({ "metadata": { "name": "a" }, "data": { "pin": pin } });
        let desired: Secret = from_value(desired).unwrap();
        let apply = cluster.context(controller(), ());
        apply.apply(&pod, desired).await.unwrap();
        let stored = cluster.list::<Secret>().remove(0);
        assert_eq!(json!(stored.data.as_ref().unwrap())["pin"], pin);
        hashes.push(stored.annotations()["opctl.dev/desired-hash"].clone());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[tokio::test]
async fn a_child_created_once_is_kept_if_its_label_is_removed() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let password = |text: &str| -> Secret {
        from_value(json!({ "metadata": { "name": "a" }, "data": { "password": text } })).unwrap()
    };
    let controller = || Controller::<Pod>::namespaced("pod", nothing::<()>).owns::<Secret>();
    let pass = || cluster.context(controller(), ());
    let children = || pass().children::<Secret>(&pod).unwrap().len();
    let (first, second) = (password("MQ=="), password("Mg=="));
    pass().create_once(&pod, first.clone()).await.unwrap();
    let strip = || {
        let mut stored = cluster.list::<Secret>().remove(0);
        stored.metadata.labels = None;
        cluster.insert(stored);
        assert_eq!(children(), 0);
    };
    strip();
    let kept = pass().create_once(&pod, second.clone()).await.unwrap();
    assert_eq!((kept.data, children()), (first.data.clone(), 1));
    strip();
    pass().apply(&pod, second).await.unwrap_err();
    assert_eq!(cluster.list::<Secret>().remove(0).data, first.data);
    assert_eq!(children(), 1, "the next pass sees it");
    let writes = cluster.writes();
    pass().create_once(&pod, first).await.unwrap();
    assert_eq!(cluster.writes(), writes);
}

#[tokio::test]
async fn objects_that_are_only_read_are_requested_each_time() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let controller = || Controller::<Pod>::namespaced("pod", nothing::<()>).reads::<Secret>();
    let context = cluster.context(controller(), ());
    let found = async || context.get::<Secret>(&pod, "a").await.unwrap();
    assert_eq!(found().await, None);
    cluster.insert(secret("default"));
    assert!(found().await.is_some(), "it is newer than the pass");
    let elsewhere = context.get::<Secret>(&pod, ("other", "a"));
    assert_eq!(elsewhere.await.unwrap(), None);
}

/// A child whose hash annotation is unknown, as after an upgrade, costs a single write.
#[tokio::test]
async fn another_hash_costs_one_write() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let pass = || cluster.context(controller(), ());
    pass().apply(&pod, config_map("a")).await.unwrap();
    let mut stored = cluster.list::<ConfigMap>().remove(0);
    let annotations = stored.metadata.annotations.as_mut().unwrap();
    annotations.insert("opctl.dev/desired-hash".into(), "0123456789abcdef".into());
    cluster.insert(stored);
    let mut writes = Vec::new();
    for _ in 0..3 {
        pass().apply(&pod, config_map("a")).await.unwrap();
        writes.push(cluster.writes().len());
    }
    // Taking over the fields of the creation is a request of its own, once.
    assert_eq!(writes[1..], [writes[0]; 2]);
}

#[tokio::test]
async fn an_orphan_of_another_operator_is_not_adopted() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let pass = || cluster.context(controller(), ());
    pass().apply(&pod, config_map("a")).await.unwrap();
    let mut orphan = cluster.list::<ConfigMap>().remove(0);
    orphan.metadata.owner_references = None;
    orphan
        .metadata
        .annotations
        .as_mut()
        .unwrap()
        .insert("opctl.dev/desired-hash".into(), "0".into());
    cluster.insert(orphan.clone());
    let unseen = pass().apply(&pod, config_map("a")).await.unwrap_err();
    assert!(
        format!("{unseen:#}").contains("not in the cache"),
        "{unseen:#}"
    );
    pass().apply(&pod, config_map("a")).await.unwrap();

    let labels = orphan.metadata.labels.as_mut().unwrap();
    labels.insert("app.kubernetes.io/managed-by".into(), "another".into());
    cluster.insert(orphan);
    let refused = pass().apply(&pod, config_map("a")).await.unwrap_err();
    assert!(
        format!("{refused:#}").contains("was not created by this operator"),
        "{refused:#}"
    );
}

#[tokio::test]
async fn a_function_of_the_author_that_panics_stops_nothing() {
    let cluster = FakeCluster::new();
    let found = pod(&cluster, "a");
    let controller = Controller::<Pod>::namespaced("pod", nothing::<()>)
        .objects(Watch::new().predicate(|_, _| panic!("no such field")))
        .watches::<Secret>(|_| panic!("no such name"));
    let mut views = controller.views;
    views.join(&mut Pool::default(), "fake", &[None]);
    let (changed, mut told) = unbounded_channel();
    views.objects.subscribe(&changed);
    for version in ["1", "2"] {
        let mut changed = serde_json::to_value(&found).unwrap();
        changed["metadata"]["resourceVersion"] = version.into();
        views.objects.put(from_value(changed).unwrap());
        let Ok(Event::Changed(_, key, states, _)) = told.try_recv() else {
            panic!("{version} is not told");
        };
        let subjects = views.objects.subjects(&key, &states);
        assert_eq!(subjects.len(), 1, "{version}");
    }
}

#[tokio::test]
async fn only_own_children_are_listed_and_removed() {
    let cluster = FakeCluster::new();
    let (one, other) = (pod(&cluster, "a"), pod(&cluster, "b"));
    let pass = || cluster.context(controller(), ());
    for (owner, name) in [(&one, "z"), (&one, "y"), (&other, "x")] {
        pass().apply(owner, config_map(name)).await.unwrap();
    }
    let mut foreign = config_map("foreign");
    foreign.metadata.namespace = Some("default".into());
    cluster.insert(foreign);

    let names = |pod: &Pod| {
        let children = pass().children::<ConfigMap>(pod).unwrap();
        children
            .iter()
            .map(ResourceExt::name_any)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&one), ["y", "z"]);
    for name in ["x", "foreign", "none"] {
        pass().remove::<ConfigMap>(&one, name).await.unwrap();
    }
    assert_eq!(cluster.list::<ConfigMap>().len(), 4);

    // The owner is created again under its name before the garbage collector has deleted its
    // children.
    let mut again = one.clone();
    again.metadata.uid = Some("another".into());
    assert!(names(&again).is_empty());
    pass().remove::<ConfigMap>(&again, "y").await.unwrap();
    assert_eq!(cluster.list::<ConfigMap>().len(), 4);
    let taken = pass().apply(&again, config_map("y")).await.unwrap_err();
    assert!(
        format!("{taken:#}").contains("belongs to Pod a"),
        "{taken:#}"
    );
}

#[tokio::test]
async fn watched_objects_are_read_from_memory() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    cluster.insert(secret("default"));
    cluster.insert(secret("other"));
    let ctx = cluster.context(controller(), ());
    let found = ctx.get::<Secret>(&pod, "a").await.unwrap().unwrap();
    assert_eq!(found.namespace().unwrap(), "default");
    let found = ctx
        .get::<Secret>(&pod, ("other", "a"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.namespace().unwrap(), "other");
    assert!(ctx.get::<Secret>(&pod, "none").await.unwrap().is_none());
    assert!(ctx.get::<Pod>(&pod, "a").await.unwrap().is_some());
    assert!(ctx.get::<ConfigMap>(&pod, "a").await.unwrap().is_none());
    let unknown = ctx.get::<Node>(&pod, "a").await.unwrap_err().to_string();
    let told = "Node is not watched: add `.watches::<Node>(..)` or `.reads::<Node>()`";
    assert_eq!(unknown, told);
    let unknown = ctx.children::<Secret>(&pod).unwrap_err().to_string();
    assert_eq!(unknown, "Secret is not owned: add `.owns::<Secret>()`");
}

#[tokio::test]
async fn objects_watched_by_metadata_only_are_requested_from_the_server() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let names = |pod: &Pod| vec![Name::from(pod.name_any())];
    let controller = Controller::namespaced("pod", nothing::<()>);
    let controller = controller.watches_metadata(Watch::<Secret>::new(), names);
    let ctx = cluster.context(controller, ());
    assert!(ctx.get::<Secret>(&pod, "a").await.unwrap().is_none());
    cluster.insert(secret("default"));
    assert!(ctx.get::<Secret>(&pod, "a").await.unwrap().is_some());
}

#[tokio::test]
async fn state_is_the_authors() {
    let ctx = FakeCluster::new().context(controller::<String>(), "own".to_owned());
    assert_eq!(*ctx.state, "own");
}

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Web")]
#[kube(namespaced, status = "WebStatus")]
struct WebSpec {}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
struct WebStatus {
    phase: String,
}

#[tokio::test]
async fn a_status_is_written_that_another_one_of_the_same_pass_has_replaced() {
    let cluster = FakeCluster::new();
    let mut web = Web::new("a", WebSpec {});
    web.metadata.namespace = Some("default".into());
    web.status = Some(status("Running"));
    let web = cluster.insert(web);
    let nothing = async |_: Arc<Web>, _: Arc<Context>| anyhow::Ok(Action::done());
    let ctx = cluster.context(Controller::namespaced("web", nothing), ());
    for phase in ["Pending", "Running"] {
        ctx.apply_status(&web, status(phase)).await.unwrap();
        let stored: Web = cluster.get(Some("default"), "a").unwrap();
        assert_eq!(stored.status, Some(status(phase)));
    }
}

fn status(phase: &str) -> WebStatus {
    let phase = phase.into();
    WebStatus { phase }
}

#[tokio::test]
async fn a_child_lives_where_its_owner_does() {
    let cluster = FakeCluster::new();
    let mut elsewhere = config_map("a");
    elsewhere.metadata.namespace = Some("elsewhere".into());
    let (pod, ctx) = (pod(&cluster, "a"), cluster.context(controller(), ()));
    let said = ctx.apply(&pod, elsewhere).await.unwrap_err().to_string();
    assert!(said.contains("not in namespace default"), "{said}");
    assert_eq!(cluster.writes(), [""; 0]);
}

#[tokio::test]
async fn an_orphan_is_not_adopted_by_an_owner_that_is_being_deleted() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let ctx = cluster.context(controller(), ());
    ctx.apply(&pod, config_map("a")).await.unwrap();
    let mut orphan = cluster.list::<ConfigMap>().remove(0);
    orphan.metadata.owner_references = None;
    cluster.insert(orphan);

    let stale = cluster.context(controller(), ());
    let mut deleted = serde_json::to_value(&pod).unwrap();
    deleted["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
    cluster.insert::<Pod>(from_value(deleted).unwrap());
    let refused = stale.apply(&pod, config_map("a")).await.unwrap_err();
    assert!(
        format!("{refused:#}").contains("is being deleted"),
        "{refused:#}"
    );
    let kept = cluster.list::<ConfigMap>().remove(0);
    assert_eq!(kept.metadata.owner_references, None);
}

#[tokio::test]
async fn cached_objects_are_selected_and_what_is_of_no_use_is_an_error() {
    let cluster = FakeCluster::new();
    for (name, namespace, tier) in [("a", "one", "x"), ("b", "two", "x"), ("c", "one", "y")] {
        let metadata = json!({ "name": name, "namespace": namespace, "labels": { "tier": tier } });
        cluster.insert::<Pod>(from_value(json!({ "metadata": metadata })).unwrap());
    }
    let tier = |pod: &Pod| pod.labels().values().cloned().collect();
    let by_tier = Watch::new().index("tier", tier);
    let ctx = cluster.context(controller().objects(by_tier), ());
    let pods = ctx.objects::<Pod>().unwrap();
    let names = |pods: Objects<Pod>| {
        let pods = pods.list();
        pods.iter().map(ResourceExt::name_any).collect::<String>()
    };
    let front = Selector::from_iter([("tier", "x")]);
    assert_eq!(names(pods.clone()), "acb");
    assert_eq!(names(pods.in_namespace("one")), "ac");
    assert_eq!(names(pods.with_labels(&front)), "ab");
    assert_eq!(names(pods.by_index("tier", "x").in_namespace("two")), "b");
    assert_eq!(names(pods.by_index("tier", "none")), "");
    let both = pods.in_namespace("one").with_labels(&front);
    assert_eq!(both.names(), [Name::from(("one", "a"))]);

    let unknown = ctx.objects::<Node>().err().unwrap().to_string();
    let told = "Node is not in a cache: add `.owns::<Node>()` or `.watches::<Node>(..)`";
    assert_eq!(unknown, told);
    let typo = catch_unwind(AssertUnwindSafe(|| pods.by_index("teir", "x"))).err();
    let typo = typo.unwrap().downcast::<String>().unwrap();
    assert_eq!(*typo, "Pod has no index named teir");
}
