use crate::cache::Key;
use crate::testing::FakeCluster;
use crate::{Action, ApplyError, Context, Controller, Watch};
use k8s_openapi::api::core::v1::{Pod, Secret};
use k8s_openapi::api::rbac::v1::ClusterRole;
use kube::ResourceExt;
use kube::api::{Api, DeleteParams};
use serde_json::{Value, from_value, json};
use std::sync::Arc;

async fn nothing(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
    Ok(Action::done())
}

fn pass(cluster: &FakeCluster) -> Arc<Context> {
    let controller = Controller::namespaced("pod", nothing)
        .owns_across_namespaces(Watch::<Secret>::new())
        .owns_across_namespaces(Watch::<ClusterRole>::new());
    cluster.context(controller, ())
}

fn pod(cluster: &FakeCluster) -> Pod {
    let metadata = json!({ "name": "a", "namespace": "default" });
    cluster.insert(from_value(json!({ "metadata": metadata })).unwrap())
}

fn secret(namespace: &str) -> Secret {
    from_value(json!({ "metadata": { "name": "a", "namespace": namespace } })).unwrap()
}

fn role() -> ClusterRole {
    from_value(json!({ "metadata": { "name": "a" } })).unwrap()
}

#[tokio::test]
async fn an_annotation_names_the_owner_of_a_child_in_another_namespace() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    for _ in 0..2 {
        let ctx = pass(&cluster);
        ctx.apply(&pod, secret("other")).await.unwrap();
        ctx.apply(&pod, secret("default")).await.unwrap();
        ctx.apply(&pod, role()).await.unwrap();
    }
    assert_eq!(cluster.writes().len(), 3, "{:?}", cluster.writes());
    let role = cluster.get::<ClusterRole>(None, "a").unwrap();
    let owner: Value = serde_json::from_str(&role.annotations()["opctl.dev/owner"]).unwrap();
    let expected = json!({
        "apiVersion": "v1", "kind": "Pod", "namespace": "default", "name": "a", "uid": pod.uid(),
    });
    assert_eq!((owner, role.owner_references()), (expected, &[][..]));
    let beside = cluster.get::<Secret>(Some("default"), "a").unwrap();
    assert!(!beside.annotations().contains_key("opctl.dev/owner"));
    assert_eq!(beside.owner_references().len(), 1);

    let ctx = pass(&cluster);
    let children = ctx.children::<Secret>(&pod).unwrap();
    let places: Vec<_> = children.iter().filter_map(ResourceExt::namespace).collect();
    assert_eq!(places, ["default", "other"]);
    ctx.remove::<Secret>(&pod, ("other", "a")).await.unwrap();
    ctx.remove::<ClusterRole>(&pod, "a").await.unwrap();
    assert!(cluster.get::<Secret>(Some("other"), "a").is_none());
    assert!(cluster.get::<ClusterRole>(None, "a").is_none());
}

#[tokio::test]
async fn a_child_of_another_owner_or_of_a_user_in_another_namespace_is_not_adopted() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    pass(&cluster).apply(&pod, role()).await.unwrap();
    let taken = async |owner: &Pod| {
        let error = pass(&cluster).apply(owner, role()).await.unwrap_err();
        let taken = error.downcast_ref();
        assert!(matches!(taken, Some(ApplyError::NameTaken(_))), "{error:#}");
        format!("{error:#}")
    };
    let mut other = pod.clone();
    other.metadata.name = Some("b".into());
    other.metadata.uid = Some("2".into());
    assert_eq!(
        taken(&other).await,
        "ClusterRole a cannot be applied: ClusterRole a belongs to Pod a"
    );
    cluster.insert(role());
    taken(&pod).await;
}

#[tokio::test]
async fn a_child_in_another_namespace_without_its_label_is_adopted_again() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    pass(&cluster)
        .create_once(&pod, secret("other"))
        .await
        .unwrap();
    for annotation in ["app.kubernetes.io/none", "opctl.dev/owner"] {
        let mut stored = cluster.get::<Secret>(Some("other"), "a").unwrap();
        stored.metadata.labels = None;
        stored.annotations_mut().remove(annotation);
        cluster.insert(stored);
        let kept = pass(&cluster)
            .create_once(&pod, secret("other"))
            .await
            .unwrap();
        assert!(kept.annotations()["opctl.dev/owner"].contains(&pod.uid().unwrap()));
        assert_eq!(pass(&cluster).children::<Secret>(&pod).unwrap().len(), 1);
    }
}

#[tokio::test]
async fn only_children_of_deleted_owners_in_other_namespaces_are_deleted() {
    let cluster = FakeCluster::new();
    let first = pod(&cluster);
    let ctx = pass(&cluster);
    ctx.apply(&first, secret("other")).await.unwrap();
    ctx.apply(&first, secret("default")).await.unwrap();
    let left = async |ctx: &Context| {
        ctx.cluster.views.objects.listed(&None).cancel();
        let done = ctx.cluster.delete_dangling(&Key::of(&first)).await;
        done.result.unwrap();
        let there = cluster.list::<Secret>();
        let there = there.iter().filter_map(ResourceExt::namespace);
        there.collect::<Vec<_>>()
    };
    let (before, both) = (pass(&cluster), ["default", "other"]);
    assert_eq!(left(&before).await, both);
    let pods: Api<Pod> = Api::namespaced(ctx.client.clone(), "default");
    pods.delete("a", &DeleteParams::default()).await.unwrap();
    assert_eq!(left(&before).await, both, "the cache of pods is stale");
    pod(&cluster);
    assert_eq!(left(&pass(&cluster)).await, ["default"]);
}

#[tokio::test]
async fn a_child_that_changed_since_it_was_cached_is_not_deleted() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    let ctx = pass(&cluster);
    ctx.apply(&pod, secret("other")).await.unwrap();
    let pods: Api<Pod> = Api::namespaced(ctx.client.clone(), "default");
    pods.delete("a", &DeleteParams::default()).await.unwrap();
    let stale = pass(&cluster);
    let changed = cluster.get::<Secret>(Some("other"), "a").unwrap();
    cluster.insert(changed);
    for (ctx, is_left) in [(stale, true), (pass(&cluster), false)] {
        ctx.cluster.views.objects.listed(&None).cancel();
        let done = ctx.cluster.delete_dangling(&Key::of(&pod)).await;
        assert_eq!(done.result.is_err(), is_left);
        assert_eq!(cluster.list::<Secret>().len(), usize::from(is_left));
    }
}

/// An owner reference has precedence over the annotation.
#[tokio::test]
async fn a_child_beside_its_owner_is_not_deleted_whatever_its_annotation_says() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    let mut copied = secret("default");
    let other = json!({
        "apiVersion": "v1", "kind": "Pod", "namespace": "default", "name": "a", "uid": "other",
    });
    let annotate = |secret: &mut Secret| {
        let annotations = secret.annotations_mut();
        annotations.insert("opctl.dev/owner".into(), other.to_string());
    };
    annotate(&mut copied);
    pass(&cluster).apply(&pod, copied).await.unwrap();
    let mut stored = cluster.get::<Secret>(Some("default"), "a").unwrap();
    assert!(!stored.annotations().contains_key("opctl.dev/owner"));
    annotate(&mut stored);
    cluster.insert(stored);
    let ctx = pass(&cluster);
    ctx.cluster.views.objects.listed(&None).cancel();
    let done = ctx.cluster.delete_dangling(&Key::of(&pod)).await;
    assert!(!done.deleted);
    assert!(cluster.get::<Secret>(Some("default"), "a").is_some());
}

#[tokio::test]
async fn an_annotation_counts_only_where_children_may_be_in_other_namespaces() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    pass(&cluster).apply(&pod, secret("other")).await.unwrap();
    assert_eq!(pass(&cluster).children::<Secret>(&pod).unwrap().len(), 1);
    let beside = Controller::namespaced("pod", nothing).owns::<Secret>();
    let ctx = cluster.context(beside, ());
    assert!(ctx.children::<Secret>(&pod).unwrap().is_empty());
}

#[tokio::test]
async fn a_damaged_annotation_is_repaired_and_an_odd_one_ignored() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    pass(&cluster)
        .create_once(&pod, secret("other"))
        .await
        .unwrap();
    let stored = || cluster.get::<Secret>(Some("other"), "a").unwrap();
    let annotation = stored().annotations()["opctl.dev/owner"].clone();
    let long = format!("\"name\":\"{}\"", "a".repeat(254));
    for (from, to) in [
        ("\"Pod\"", "\"Node\""),
        ("\"name\":\"a\"", "\"name\":\"a=b\""),
        ("\"name\":\"a\"", &long),
        ("\"default\"", "null"),
        ("{", ""),
    ] {
        let mut damaged = stored();
        let text = annotation.replace(from, to);
        damaged
            .annotations_mut()
            .insert("opctl.dev/owner".into(), text);
        cluster.insert(damaged);
        assert!(
            pass(&cluster).children::<Secret>(&pod).unwrap().is_empty(),
            "{to}"
        );
        let kept = pass(&cluster)
            .create_once(&pod, secret("other"))
            .await
            .unwrap();
        assert_eq!(kept.annotations()["opctl.dev/owner"], annotation, "{to}");
        assert_eq!(
            pass(&cluster).children::<Secret>(&pod).unwrap().len(),
            1,
            "{to}"
        );
    }
}
