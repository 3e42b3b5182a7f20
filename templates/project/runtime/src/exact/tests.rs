use super::foreign;
use crate::testing::FakeCluster;
use crate::{Action, Context, Controller, Object};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Service};
use kube::ResourceExt;
use serde_json::{Value, from_value, json};
use std::sync::Arc;

async fn nothing(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
    Ok(Action::done())
}

fn owning<C: Object>() -> Controller<Pod> {
    Controller::namespaced("pod", nothing).owns::<C>()
}

fn pod(cluster: &FakeCluster, name: &str) -> Pod {
    let metadata = json!({ "name": name, "namespace": "default" });
    cluster.insert(from_value(json!({ "metadata": metadata })).unwrap())
}

fn config_map(name: &str) -> ConfigMap {
    from_value(json!({ "metadata": { "name": name }, "data": { "a": "1" } })).unwrap()
}

#[test]
fn the_labels_of_controllers_stay_and_an_empty_list_is_emptied() {
    let job = |labels: Value| {
        let template = json!({ "metadata": { "labels": labels } });
        json!({ "apiVersion": "batch/v1", "kind": "Job", "spec": { "template": template } })
    };
    let observed = job(json!({ "app": "a", "controller-uid": "1", "job-name": "a", "team": "x" }));
    let found = foreign::<Job>(&job(json!({ "app": "a" })), &observed);
    assert_eq!(found, ["/spec/template/metadata/labels/team"]);

    let service =
        |ports: Value| json!({ "apiVersion": "v1", "kind": "Service", "spec": { "ports": ports } });
    let observed = service(json!([{ "port": 80, "targetPort": 80 }]));
    assert_eq!(
        foreign::<Service>(&service(json!([])), &observed),
        ["/spec/ports/0"]
    );
}

#[tokio::test]
async fn apply_exactly_removes_entries_that_others_added_to_a_child() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let pass = || cluster.context(owning::<ConfigMap>(), ());
    pass().apply_exactly(&pod, config_map("a")).await.unwrap();
    let made = cluster.writes();
    assert_eq!(made.len(), 1);

    let mut changed = cluster.list::<ConfigMap>().remove(0);
    let data = changed.data.as_mut().unwrap();
    data.insert("a/b~c".into(), "theirs".into());
    changed.labels_mut().insert("team".into(), "theirs".into());
    changed.binary_data = Some([("left".to_owned(), Default::default())].into());
    cluster.insert(changed);
    pass().apply(&pod, config_map("a")).await.unwrap();
    assert_eq!(cluster.writes(), made, "an apply leaves them");

    let kept = pass().apply_exactly(&pod, config_map("a")).await.unwrap();
    assert_eq!(json!(kept.data), json!({ "a": "1" }));
    assert_eq!(cluster.list::<ConfigMap>(), vec![kept.clone()]);
    assert_eq!(kept.labels()["team"], "theirs");
    assert!(kept.binary_data.is_some(), "a map that is left out stays");
    assert_eq!(cluster.writes().len(), 2);
    pass().apply_exactly(&pod, config_map("a")).await.unwrap();
    assert_eq!(cluster.writes().len(), 2);

    let mut changed = cluster.list::<ConfigMap>().remove(0);
    changed.data = Some(json!({ "a": "2", "b": "3" })).map(|data| from_value(data).unwrap());
    cluster.insert(changed);
    let stale = pass();
    let kept = pass().apply_exactly(&pod, config_map("a")).await.unwrap();
    assert_eq!(json!(kept.data), json!({ "a": "1" }));
    assert_eq!(cluster.writes().len(), 4, "an apply, and a patch");
    stale
        .apply_exactly(&pod, config_map("a"))
        .await
        .unwrap_err();
}

#[tokio::test]
async fn apply_exactly_leaves_objects_of_other_owners_unchanged() {
    let cluster = FakeCluster::new();
    let (pod, other) = (pod(&cluster, "a"), pod(&cluster, "b"));
    let pass = || cluster.context(owning::<ConfigMap>(), ());
    let theirs: ConfigMap = from_value(json!({
        "metadata": { "name": "a", "namespace": "default" }, "data": { "b": "2" },
    }))
    .unwrap();
    cluster.insert(theirs);
    pass()
        .apply_exactly(&pod, config_map("a"))
        .await
        .unwrap_err();
    pass().apply(&other, config_map("c")).await.unwrap();
    let mut changed = cluster.get::<ConfigMap>(Some("default"), "c").unwrap();
    changed
        .data
        .as_mut()
        .unwrap()
        .insert("b".into(), "2".into());
    cluster.insert(changed);
    pass()
        .apply_exactly(&pod, config_map("c"))
        .await
        .unwrap_err();
    for map in cluster.list::<ConfigMap>() {
        assert_eq!(map.data.unwrap()["b"], "2");
    }
}

#[tokio::test]
async fn only_maps_and_lists_are_made_exact() {
    let cluster = FakeCluster::new();
    let pod = pod(&cluster, "a");
    let pass = || cluster.context(owning::<Deployment>(), ());
    let pods = |containers: Value| {
        json!({
            "metadata": { "labels": { "app": "a" } },
            "spec": { "nodeSelector": { "disk": "ssd" }, "containers": containers },
        })
    };
    let container = json!({
        "name": "a", "image": "a:1", "args": ["x"], "env": [{ "name": "A", "value": "1" }],
        "resources": { "limits": { "cpu": "1" } }, "ports": [{ "containerPort": 80 }],
    });
    let desired: Deployment = from_value(json!({
        "metadata": { "name": "a" },
        "spec": {
            "selector": { "matchLabels": { "app": "a" } },
            "template": pods(json!([container])),
        },
    }))
    .unwrap();
    pass().apply_exactly(&pod, desired.clone()).await.unwrap();

    // What the API server and its controllers add stays.
    let mut stored = json!(cluster.list::<Deployment>().remove(0));
    stored["metadata"]["annotations"]["deployment.kubernetes.io/revision"] = "1".into();
    stored["spec"]["replicas"] = 3.into();
    stored["spec"]["strategy"] =
        json!({ "type": "RollingUpdate", "rollingUpdate": { "maxSurge": "25%" } });
    stored["status"] =
        json!({ "replicas": 3, "conditions": [{ "type": "Available", "status": "True" }] });
    let template = &mut stored["spec"]["template"];
    template["metadata"]["annotations"] = json!({ "kubectl.kubernetes.io/restartedAt": "now" });
    template["spec"]["dnsPolicy"] = "ClusterFirst".into();
    template["spec"]["securityContext"] = json!({});
    let container = &mut template["spec"]["containers"][0];
    container["imagePullPolicy"] = "IfNotPresent".into();
    container["ports"][0]["protocol"] = "TCP".into();
    let defaulted: Deployment = from_value(stored.clone()).unwrap();
    cluster.insert(defaulted.clone());
    let kept = pass().apply_exactly(&pod, desired.clone()).await.unwrap();
    assert_eq!(kept.spec, defaulted.spec);
    assert_eq!(cluster.writes().len(), 1);

    // What others add goes.
    let template = &mut stored["spec"]["template"];
    template["metadata"]["labels"]["team"] = "theirs".into();
    template["metadata"]["labels"]["note.kubernetes.io/x"] = "stays".into();
    template["spec"]["nodeSelector"]["kubernetes.io/os"] = "linux".into();
    let containers = template["spec"]["containers"].as_array_mut().unwrap();
    let env =
        json!([{ "name": "Z" }, { "name": "A", "value": "1" }, { "name": "B", "value": "2" }]);
    containers[0]["env"] = env;
    containers[0]["resources"]["limits"]["memory"] = "1Gi".into();
    containers[0]["resources"]["requests"] = json!({ "cpu": "1" });
    containers.insert(0, json!({ "name": "sidecar", "env": [{ "name": "A" }] }));
    containers.push(json!({ "name": "sidecar2" }));
    cluster.insert::<Deployment>(from_value(stored).unwrap());
    let kept = pass().apply_exactly(&pod, desired).await.unwrap();
    let mut expected = defaulted.spec;
    let template = &mut expected.template;
    let labels = template.metadata.as_mut().unwrap().labels.as_mut().unwrap();
    labels.insert("note.kubernetes.io/x".into(), "stays".into());
    let containers = &mut template.spec.as_mut().unwrap().containers;
    let resources = containers[0].resources.as_mut().unwrap();
    resources.requests = Some(from_value(json!({ "cpu": "1" })).unwrap());
    assert_eq!(json!(kept.spec), json!(expected));
    assert_eq!(cluster.writes().len(), 2);
}
