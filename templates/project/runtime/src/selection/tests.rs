use crate::testing::FakeCluster;
use crate::{Action, Context, Controller, Watch};
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::core::PartialObjectMeta;
use kube::{Resource, ResourceExt};
use serde_json::{from_value, json};
use std::sync::Arc;

type Meta<K> = PartialObjectMeta<K>;

async fn nothing(_: Arc<Meta<Pod>>, _: Arc<Context>) -> anyhow::Result<Action> {
    Ok(Action::done())
}

fn pass(cluster: &FakeCluster) -> Arc<Context> {
    let pods = Watch::<Pod>::new().metadata_only();
    let controller = Controller::namespaced("pod", nothing)
        .objects(pods.index("node", |pod| vec![pod.annotations()["node"].clone()]))
        .owns_with(Watch::<Secret>::new().metadata_only());
    cluster.context(controller, ())
}

fn pod(cluster: &FakeCluster) -> Meta<Pod> {
    let annotations = json!({ "node": "worker" });
    let metadata = json!({ "name": "a", "namespace": "default", "annotations": annotations });
    let pod = json!({ "metadata": metadata, "spec": { "containers": [{ "name": "main" }] } });
    let pod = cluster.insert(from_value::<Pod>(pod).unwrap());
    let metadata = pod.metadata;
    from_value(json!({ "metadata": metadata })).unwrap()
}

fn secret(value: &str) -> Secret {
    from_value(json!({ "metadata": { "name": "a" }, "stringData": { "pin": value } })).unwrap()
}

#[tokio::test]
async fn a_child_with_only_its_metadata_cached_is_applied_once_for_each_desired_state() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    let ctx = pass(&cluster);
    for value in ["1", "1", "2", "2", ""] {
        let applied = ctx.apply(&pod, secret(value)).await.unwrap();
        assert_eq!(applied.string_data.unwrap()["pin"], value);
    }
    assert_eq!(cluster.writes().len(), 3, "{:?}", cluster.writes());
    let children = ctx.children::<Meta<Secret>>(&pod).unwrap();
    assert_eq!(children[0].name_any(), "a");
    let refused = ctx.children::<Secret>(&pod).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "only the metadata of Secret is in a cache: ask for `PartialObjectMeta<Secret>`"
    );
    assert!(ctx.objects::<Secret>().is_err());
    let listed = ctx.objects::<Meta<Secret>>().unwrap().list();
    assert_eq!(listed.len(), 1);
}

#[tokio::test]
async fn a_child_created_once_is_read_from_the_server_if_only_its_metadata_is_cached() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    for value in ["first", "second"] {
        let ctx = pass(&cluster);
        let kept = ctx.create_once(&pod, secret(value)).await.unwrap();
        assert_eq!(kept.string_data.unwrap()["pin"], "first");
    }
    assert_eq!(cluster.writes().len(), 1);
}

#[tokio::test]
async fn objects_with_only_their_metadata_cached_have_indexes_and_get_requests_all_fields() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster);
    let ctx = pass(&cluster);
    let pods = ctx.objects::<Meta<Pod>>().unwrap();
    assert_eq!(pods.by_index("node", "worker").names().len(), 1);
    let cached = ctx.cluster.views.objects.select(None, None);
    assert!(!cached[0].1.json().contains("containers"));
    let whole = ctx.get::<Pod>(&pod, pod.meta().name.clone().unwrap());
    assert!(whole.await.unwrap().unwrap().spec.is_some());
}
