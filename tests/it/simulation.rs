//! Checks that, with the real Kubernetes controllers, an operator sees workloads on the simulated node as it would see
//! them in a real cluster.

use crate::support::Plane;
use kube::Client;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Returns an API for the objects of one kind in a namespace.
fn objects(client: &Client, namespace: &str, group: &str, kind: &str) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
    Api::namespaced_with(client.clone(), namespace, &resource)
}

async fn namespace(client: &Client, name: &str) {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Namespace"));
    let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    apply(&api, name, json!({"apiVersion": "v1", "kind": "Namespace"})).await;
}

async fn apply(api: &Api<DynamicObject>, name: &str, mut object: Value) {
    object["metadata"]["name"] = name.into();
    api.patch(name, &PatchParams::apply("test").force(), &Patch::Apply(&object)).await.unwrap();
}

/// Waits until `ask` succeeds. Returns its result.
async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Result<T, String>) -> T {
    let begun = Instant::now();
    loop {
        match ask().await {
            Ok(seen) => return seen,
            Err(instead) => assert!(begun.elapsed() < Duration::from_secs(30), "{what}: {instead}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a condition of an object is True.
async fn condition(api: &Api<DynamicObject>, name: &str, type_: &str) {
    until(&format!("{name} {type_}"), async || {
        let object = api.get_opt(name).await.unwrap();
        let status = object.map(|object| object.data["status"].clone()).unwrap_or_default();
        let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
        let found = conditions.iter().any(|condition| condition["type"] == type_ && condition["status"] == "True");
        if found { Ok(()) } else { Err(status.to_string()) }
    })
    .await;
}

async fn gone(api: &Api<DynamicObject>, what: &str) {
    until(what, async || match api.list(&ListParams::default()).await.unwrap().items.len() {
        0 => Ok(()),
        left => Err(format!("{left} left")),
    })
    .await;
}

fn deployment(image: &str, replicas: u32) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": template(image),
        },
    })
}

fn template(image: &str) -> Value {
    json!({
        "metadata": {"labels": {"app": "web"}},
        "spec": {
            "initContainers": [{"name": "setup", "image": "busybox"}],
            "containers": [{"name": "main", "image": image}],
        },
    })
}

#[tokio::test]
async fn workloads_live_as_in_a_cluster() {
    let plane = Plane::simulated();
    let client = plane.client().await;
    tokio::join!(
        deployments_roll_out_and_go(&client),
        stateful_sets_get_their_claims(&client),
        jobs_complete_or_fail(&client),
        images_fail_as_they_are_named(&client),
        a_namespace_goes_with_all_that_is_in_it(&client),
        many_pods_are_soon_ready(&client),
    );
}

async fn deployments_roll_out_and_go(client: &Client) {
    namespace(client, "roll").await;
    let (deployments, pods) = (objects(client, "roll", "apps", "Deployment"), objects(client, "roll", "", "Pod"));
    apply(&deployments, "web", deployment("nginx:1", 3)).await;
    condition(&deployments, "web", "Available").await;
    let images = async |wanted: &str, count: usize| {
        until(&format!("{count} pods of {wanted}"), async || {
            let pods = pods.list(&ListParams::default()).await.unwrap().items;
            let ready = |pod: &&DynamicObject| {
                pod.data["status"]["containerStatuses"][0]["ready"] == true
                    && pod.data["spec"]["containers"][0]["image"] == wanted
            };
            let ready: Vec<_> = pods.iter().filter(ready).cloned().collect();
            if ready.len() == count && pods.len() == count { Ok(ready) } else { Err(format!("{pods:?}")) }
        })
        .await
    };
    let mut addresses: Vec<_> =
        images("nginx:1", 3).await.iter().map(|pod| pod.data["status"]["podIP"].to_string()).collect();
    addresses.sort();
    addresses.dedup();
    assert_eq!(addresses.len(), 3, "{addresses:?}");
    apply(&deployments, "web", deployment("nginx:2", 2)).await;
    let rolled = images("nginx:2", 2).await;

    let name = rolled[0].metadata.name.clone().unwrap();
    pods.delete(&name, &DeleteParams::default()).await.unwrap();
    until("another pod in its place", async || {
        // The deleted pod may still be Ready.
        let pods = images("nginx:2", 2).await;
        if pods.iter().any(|pod| pod.metadata.name.as_ref() == Some(&name)) { Err(name.clone()) } else { Ok(()) }
    })
    .await;

    deployments.delete("web", &DeleteParams::foreground()).await.unwrap();
    gone(&deployments, "the deployment").await;
    gone(&pods, "pods whose deployment is gone").await;
}

async fn stateful_sets_get_their_claims(client: &Client) {
    namespace(client, "stateful").await;
    let sets = objects(client, "stateful", "apps", "StatefulSet");
    let (pods, claims) =
        (objects(client, "stateful", "", "Pod"), objects(client, "stateful", "", "PersistentVolumeClaim"));
    let claim = json!({
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "any",
            "resources": {"requests": {"storage": "2Gi"}},
        },
    });
    let set = json!({
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "spec": {
            "serviceName": "web",
            "replicas": 2,
            "selector": {"matchLabels": {"app": "web"}},
            "template": template("postgres"),
            "volumeClaimTemplates": [claim],
        },
    });
    apply(&sets, "db", set).await;
    condition(&pods, "db-1", "Ready").await;
    let bound = claims.get("data-db-1").await.unwrap();
    assert_eq!(bound.data["status"]["phase"], "Bound");
    assert_eq!(bound.data["status"]["capacity"]["storage"], "2Gi");
    let begun = async |name: &str| pods.get(name).await.unwrap().data["status"]["startTime"].to_string();
    assert!(begun("db-0").await <= begun("db-1").await, "in order");

    // A pod whose claim does not exist waits for it, and reports the reason.
    let waiting = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "spec": {
            "containers": [{"name": "main", "image": "nginx"}],
            "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "later"}}],
        },
    });
    apply(&pods, "waiting", waiting).await;
    until("a pod without its claim", async || {
        let status = pods.get("waiting").await.unwrap().data["status"].clone();
        let told = status["conditions"][0]["message"].as_str().unwrap_or_default();
        if told.contains("\"later\" not found") { Ok(()) } else { Err(status.to_string()) }
    })
    .await;
    let later = json!({
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    apply(&claims, "later", later).await;
    condition(&pods, "waiting", "Ready").await;

    sets.delete("db", &DeleteParams::background()).await.unwrap();
    pods.delete("waiting", &DeleteParams::default()).await.unwrap();
    gone(&pods, "pods of a stateful set").await;
    claims.delete_collection(&DeleteParams::default(), &ListParams::default()).await.unwrap();
    gone(&claims, "claims that nobody uses").await;
    let volumes = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "PersistentVolume"));
    gone(&Api::all_with(client.clone(), &volumes), "volumes of claims that are gone").await;
}

async fn jobs_complete_or_fail(client: &Client) {
    namespace(client, "jobs").await;
    let (jobs, pods) = (objects(client, "jobs", "batch", "Job"), objects(client, "jobs", "", "Pod"));
    for (image, ends) in [("busybox", "Complete"), ("fail:crash", "Failed")] {
        let name = ends.to_lowercase();
        let pod = json!({"restartPolicy": "Never", "containers": [{"name": "main", "image": image}]});
        let job = json!({
            "apiVersion": "batch/v1", "kind": "Job", "spec": {"backoffLimit": 0, "template": {"spec": pod}},
        });
        apply(&jobs, &name, job).await;
        condition(&jobs, &name, ends).await;
    }
    let phases: Vec<_> = pods.list(&ListParams::default()).await.unwrap().items;
    let mut phases: Vec<_> = phases.iter().map(|pod| pod.data["status"]["phase"].as_str().unwrap()).collect();
    phases.sort_unstable();
    assert_eq!(phases, ["Failed", "Succeeded"]);
    jobs.delete("complete", &DeleteParams::background()).await.unwrap();
    jobs.delete("failed", &DeleteParams::background()).await.unwrap();
    gone(&pods, "pods of jobs").await;
}

async fn images_fail_as_they_are_named(client: &Client) {
    namespace(client, "failing").await;
    let (deployments, pods) = (objects(client, "failing", "apps", "Deployment"), objects(client, "failing", "", "Pod"));
    for (image, reason) in [("fail:pull", "ImagePullBackOff"), ("fail:crash", "CrashLoopBackOff")] {
        apply(&deployments, "web", deployment(image, 1)).await;
        until(image, async || {
            let pods = pods.list(&ListParams::default()).await.unwrap().items;
            let waits = |pod: &DynamicObject| {
                pod.data["status"]["containerStatuses"][0]["state"]["waiting"]["reason"] == reason
            };
            if pods.iter().any(waits) { Ok(()) } else { Err(format!("{pods:?}")) }
        })
        .await;
        let status = deployments.get("web").await.unwrap().data["status"].clone();
        assert_eq!(status["readyReplicas"], Value::Null, "{status}");
    }
    // The Deployment recovers with an image that works.
    apply(&deployments, "web", deployment("nginx", 1)).await;
    condition(&deployments, "web", "Available").await;
}

async fn a_namespace_goes_with_all_that_is_in_it(client: &Client) {
    namespace(client, "going").await;
    let deployments = objects(client, "going", "apps", "Deployment");
    apply(&deployments, "web", deployment("nginx", 2)).await;
    condition(&deployments, "web", "Available").await;
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Namespace"));
    let namespaces: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    namespaces.delete("going", &DeleteParams::default()).await.unwrap();
    until("the namespace", async || match namespaces.get_opt("going").await.unwrap() {
        None => Ok(()),
        Some(left) => Err(left.data["status"].to_string()),
    })
    .await;
}

async fn many_pods_are_soon_ready(client: &Client) {
    namespace(client, "many").await;
    let deployments = objects(client, "many", "apps", "Deployment");
    let begun = Instant::now();
    apply(&deployments, "web", deployment("nginx", 300)).await;
    until("300 replicas", async || {
        let status = deployments.get("web").await.unwrap().data["status"].clone();
        if status["availableReplicas"] == 300 { Ok(()) } else { Err(status.to_string()) }
    })
    .await;
    println!("300 pods are Ready after {:.2} s", begun.elapsed().as_secs_f64());
}

/// The simulated node has the rights for its own work and no others, so that it cannot do the work of an operator.
#[tokio::test]
async fn the_node_has_the_rights_of_a_node() {
    let plane = Plane::simulated();
    let client = plane.client().await;
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("authorization.k8s.io", "v1", "SubjectAccessReview"));
    let reviews: Api<DynamicObject> = Api::all_with(client, &resource);
    for (group, kind, verb, allowed) in [
        ("", "pods", "delete", true),
        ("", "nodes", "create", true),
        ("", "persistentvolumes", "create", true),
        ("", "pods", "create", false),
        ("", "pods", "patch", false),
        ("", "secrets", "get", false),
        ("", "configmaps", "create", false),
        ("", "services", "patch", false),
        ("apps", "deployments", "patch", false),
        ("rbac.authorization.k8s.io", "clusterroles", "create", false),
    ] {
        let attributes = json!({"group": group, "resource": kind, "verb": verb, "namespace": "default"});
        let review = json!({
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "metadata": {},
            "spec": {"user": "opctl:simulated-node", "resourceAttributes": attributes},
        });
        let review = serde_json::from_value(review).unwrap();
        let answer = reviews.create(&PostParams::default(), &review).await.unwrap();
        assert_eq!(answer.data["status"]["allowed"], allowed, "{verb} {kind}");
    }
}
