//! The operator in `testdata/golden` with everything that `create api` can scaffold, on a real API server: samples,
//! children, finalizers.

use crate::support::{Operator, Plane, project, reported, temporary, until};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, ResourceExt};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

fn api(client: &Client, group: &str, version: &str, kind: &str, namespace: Option<&str>) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
    match namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    }
}

/// Waits until `done` accepts the object, which is `None` while the object does not exist.
async fn found(api: &Api<DynamicObject>, name: &str, log: &Path, done: impl Fn(Option<&DynamicObject>) -> bool) {
    let start = Instant::now();
    loop {
        let object = api.get_opt(name).await.unwrap();
        if done(object.as_ref()) {
            return;
        }
        let said = std::fs::read_to_string(log).unwrap_or_default();
        assert!(start.elapsed() < Duration::from_secs(30), "{name}: {object:?}\n{said}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Applies the sample of a kind, and waits until the operator has reported on it.
async fn sample(client: &Client, kind: &str, log: &Path) -> Api<DynamicObject> {
    let singular = kind.to_lowercase();
    let file = project("kinds-operator").join(format!("config/samples/v1alpha1_{singular}.yaml"));
    let text = std::fs::read_to_string(file).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&text).unwrap();
    let namespace = (kind != "Team").then_some("default");
    let objects = api(client, "example.net", "v1alpha1", kind, namespace);
    let params =
        PatchParams { field_validation: Some(kube::api::ValidationDirective::Strict), ..PatchParams::apply("test") };
    objects.patch(&format!("{singular}-sample"), &params, &Patch::Apply(&sample)).await.unwrap();
    if kind != "Shop" {
        until(&objects, &format!("{singular}-sample"), log, reported).await;
    }
    objects
}

/// The group, version and kind of the children that each `Suite` object owns in its namespace.
const CHILDREN: &[(&str, &str, &str)] = &[
    ("", "v1", "ConfigMap"),
    ("", "v1", "LimitRange"),
    ("", "v1", "PersistentVolumeClaim"),
    ("", "v1", "Pod"),
    ("", "v1", "ResourceQuota"),
    ("", "v1", "Secret"),
    ("", "v1", "Service"),
    ("", "v1", "ServiceAccount"),
    ("apps", "v1", "DaemonSet"),
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "StatefulSet"),
    ("autoscaling", "v2", "HorizontalPodAutoscaler"),
    ("batch", "v1", "CronJob"),
    ("batch", "v1", "Job"),
    ("networking.k8s.io", "v1", "Ingress"),
    ("networking.k8s.io", "v1", "NetworkPolicy"),
    ("policy", "v1", "PodDisruptionBudget"),
    ("rbac.authorization.k8s.io", "v1", "Role"),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding"),
];

#[tokio::test]
async fn every_scaffolded_child_is_made_and_every_finalizer_goes() {
    let plane = Plane::simulated();
    let root = project("kinds-operator");
    plane.must(&root, &["install"]);
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let operator = Operator::start(&plane, "kinds-operator", &log);
    let client = plane.client().await;

    let (parcels, teams) = (sample(&client, "Parcel", &log).await, sample(&client, "Team", &log).await);
    let (suites, shops) = (sample(&client, "Suite", &log).await, sample(&client, "Shop", &log).await);
    every_child_is_made(&client, &suites, &log).await;
    fields_left_out_get_defaults(&parcels).await;
    wrong_values_are_refused(&parcels).await;
    others_add_nothing_to_a_role(&client, &log).await;
    orphans_outlive_their_owner(&client, &suites, &log).await;

    for (objects, name) in [(&parcels, "parcel-sample"), (&teams, "team-sample"), (&shops, "shop-sample")] {
        assert!(objects.get(name).await.unwrap().finalizers().contains(&"example.net/kinds-operator".to_owned()));
        objects.delete(name, &DeleteParams::background()).await.unwrap();
        found(objects, name, &log, |object| object.is_none()).await;
    }
    let said = std::fs::read_to_string(&log).unwrap();
    for controller in ["parcel", "parcel_labels", "team", "shop"] {
        assert!(said.contains(&format!("controller::{controller}: cleaned up")), "{controller}: {said}");
    }
    assert!(!said.contains("failed to remove"), "two that go at the same time:\n{said}");
    assert!(!said.contains("in another form"), "what is applied in every pass:\n{said}");
    assert_eq!(operator.stop(), Some(0), "{said}");
}

/// Checks that the operator makes every child of the sample objects, and that the `Suite` is the owner of its children
/// in its namespace.
async fn every_child_is_made(client: &Client, suites: &Api<DynamicObject>, log: &Path) {
    let suite = suites.get("suite-sample").await.unwrap().uid().unwrap();
    for (group, version, kind) in CHILDREN {
        let children = api(client, group, version, kind, Some("default"));
        let owned = |child: Option<&DynamicObject>| {
            child.is_some_and(|child| child.owner_references().iter().any(|owner| owner.uid == suite))
        };
        found(&children, "suite-sample", log, owned).await;
    }
    for (group, kind) in [("", "Namespace"), ("rbac.authorization.k8s.io", "ClusterRoleBinding")] {
        found(&api(client, group, "v1", kind, None), "team-sample", log, |child| child.is_some()).await;
    }
    let quotas = api(client, "", "v1", "ResourceQuota", Some("team-sample"));
    found(&quotas, "team-sample", log, |child| child.is_some()).await;
    let cron_jobs = api(client, "batch", "v1", "CronJob", Some("default"));
    found(&cron_jobs, "shop-sample", log, |child| child.is_some()).await;
}

async fn fields_left_out_get_defaults(parcels: &Api<DynamicObject>) {
    let without = json!({
        "gracePeriod": null, "ports": null, "limits": null, "source": { "readOnly": null }, "gates": [{ "name": "a" }],
    });
    let without = Patch::Merge(json!({ "spec": without }));
    let spec = parcels.patch("parcel-sample", &PatchParams::default(), &without).await.unwrap().data["spec"].clone();
    assert_eq!((&spec["gracePeriod"], &spec["ports"]), (&json!("90s"), &json!([80, 443])));
    assert_eq!(spec["limits"], json!({ "cpu": "1", "bytes": 7, "burst": { "factor": 1.5 } }));
    assert_eq!((&spec["source"]["readOnly"], &spec["gates"][0]["number"]), (&json!(false), &json!(443)));
}

async fn wrong_values_are_refused(parcels: &Api<DynamicObject>) {
    for wrong in [
        json!({ "share": 1.5 }),
        json!({ "mode": "slow" }),
        json!({ "ports": [0] }),
        json!({ "size": "much" }),
        json!({ "source": { "claim": "" } }),
        json!({ "source": null }),
        json!({ "limits": { "burst": { "factor": 10 } } }),
        json!({ "limits": { "bytes": 5_000_000_001_i64 } }),
        json!({ "tls": { "mode": "slack" } }),
        json!({ "gates": [] }),
        json!({ "gates": [{ "name": "a", "number": 0 }] }),
        json!({ "env": { "a": { "value": "b", "type": { "names": null } } } }),
    ] {
        let patch = Patch::Merge(json!({ "spec": wrong }));
        let refused = parcels.patch("parcel-sample", &PatchParams::default(), &patch).await;
        assert!(matches!(&refused, Err(kube::Error::Api(status)) if status.is_invalid()), "{wrong}: {refused:?}");
    }
}

/// Checks that the operator restores the whole list of rules in a Role: it removes a rule that another client has
/// added.
async fn others_add_nothing_to_a_role(client: &Client, log: &Path) {
    let stored = api(client, "rbac.authorization.k8s.io", "v1", "Role", Some("default"));
    let rules = stored.get("suite-sample").await.unwrap().data["rules"].clone();
    let everything = json!({ "apiGroups": ["*"], "resources": ["*"], "verbs": ["*"] });
    let more = json!([{ "op": "add", "path": "/rules/-", "value": everything }]);
    let more = Patch::Json::<()>(serde_json::from_value(more).unwrap());
    stored.patch("suite-sample", &PatchParams::default(), &more).await.unwrap();
    found(&stored, "suite-sample", log, |role| role.is_some_and(|role| role.data["rules"] == rules)).await;
}

/// Checks that deleting an object with `--cascade=orphan` keeps its children: while the object is being deleted, the
/// operator does not add the owner references to the children again.
async fn orphans_outlive_their_owner(client: &Client, suites: &Api<DynamicObject>, log: &Path) {
    suites.delete("suite-sample", &DeleteParams::orphan()).await.unwrap();
    found(suites, "suite-sample", log, |object| object.is_none()).await;
    // Wait as long as the garbage collector takes to delete objects without an owner.
    tokio::time::sleep(Duration::from_secs(2)).await;
    for (group, kind) in [("apps", "Deployment"), ("", "ConfigMap"), ("", "Secret")] {
        let child = api(client, group, "v1", kind, Some("default")).get("suite-sample").await.unwrap();
        assert!(child.metadata.deletion_timestamp.is_none() && child.owner_references().is_empty(), "{child:?}");
    }
}

/// Waits for a child, deletes it, and waits for its replacement.
async fn comes_back(children: &Api<DynamicObject>, name: &str, owner: &DynamicObject, log: &Path) {
    let is_child = |child: Option<&DynamicObject>| {
        child.is_some_and(|child| {
            child.owner_references().iter().any(|reference| Some(&reference.uid) == owner.uid().as_ref())
        })
    };
    found(children, name, log, is_child).await;
    let first = children.get(name).await.unwrap().uid();
    children.delete(name, &DeleteParams::background()).await.unwrap();
    found(children, name, log, |child| is_child(child) && child.and_then(ResourceExt::uid) != first).await;
}

/// Waits until the object has not changed for two seconds.
async fn rests(objects: &Api<DynamicObject>, name: &str, log: &Path) {
    let version = async || objects.get(name).await.unwrap().resource_version();
    let start = Instant::now();
    loop {
        let before = version().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        if version().await == before {
            return;
        }
        let writing = start.elapsed() < Duration::from_secs(30);
        assert!(writing, "somebody writes on\n{}", std::fs::read_to_string(log).unwrap());
    }
}

#[tokio::test]
async fn second_controllers_and_those_of_other_kinds_do_their_part() {
    let plane = Plane::start();
    let root = project("kinds-operator");
    plane.must(&root, &["install"]);
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let client = plane.client().await;
    let operator = Operator::start(&plane, "kinds-operator", &log);
    let configs = api(&client, "", "v1", "ConfigMap", Some("default"));

    // A controller of a built-in kind makes a child for each object, and writes nothing into the object itself.
    let deployments = api(&client, "apps", "v1", "Deployment", Some("default"));
    let template =
        json!({ "metadata": { "labels": { "app": "a" } }, "spec": { "containers": [{ "name": "a", "image": "a" }] } });
    let spec = json!({ "selector": { "matchLabels": { "app": "a" } }, "template": template });
    let deployment =
        json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" }, "spec": spec });
    let deployment = serde_json::from_value(deployment).unwrap();
    let deployment = deployments.create(&PostParams::default(), &deployment).await.unwrap();
    comes_back(&configs, "web-apps-deployment", &deployment, &log).await;
    let seen = deployments.get("web").await.unwrap();
    assert!(
        !seen
            .managed_fields()
            .iter()
            .any(|fields| fields.manager.as_deref().is_some_and(|by| by.starts_with("kinds-")))
    );

    // The first controller writes the status. The second one has its own finalizer and its own child, and neither
    // undoes the other's writes.
    let parcels = sample(&client, "Parcel", &log).await;
    let parcel = parcels.get("parcel-sample").await.unwrap();
    comes_back(&configs, "parcel-sample-parcel-labels", &parcel, &log).await;
    let both = ["example.net/kinds-operator".to_owned(), "example.net/kinds-operator-parcel-labels".to_owned()];
    let has = |object: Option<&DynamicObject>| {
        object.is_some_and(|object| both.iter().all(|one| object.finalizers().contains(one)))
    };
    found(&parcels, "parcel-sample", &log, has).await;
    rests(&parcels, "parcel-sample", &log).await;

    // A cluster-scoped object, which its finalizer keeps until the controller has cleaned up.
    let classes = api(&client, "networking.k8s.io", "v1", "IngressClass", None);
    let class = json!({
        "apiVersion": "networking.k8s.io/v1", "kind": "IngressClass", "metadata": { "name": "a" },
        "spec": { "controller": "example.com/a" },
    });
    classes.create(&PostParams::default(), &serde_json::from_value(class).unwrap()).await.unwrap();
    found(&classes, "a", &log, |class| class.is_some_and(|class| class.finalizers() == ["example.net/kinds-operator"]))
        .await;
    for (objects, name) in [(&classes, "a"), (&parcels, "parcel-sample")] {
        objects.delete(name, &DeleteParams::background()).await.unwrap();
        found(objects, name, &log, |object| object.is_none()).await;
    }
    let said = std::fs::read_to_string(&log).unwrap();
    for controller in ["parcel", "parcel_labels", "networking::ingress_class"] {
        assert!(said.contains(&format!("controller::{controller}: cleaned up")), "{controller}: {said}");
    }
    assert!(!said.contains("failed to"), "{said}");
    assert_eq!(operator.stop(), Some(0), "{said}");
}
