//! Tests of `shop-operator` in `testdata/golden`, which makes a Deployment and a Service, on a real API server: the
//! children, the takeover by another leader, and the operator's writes to objects.

use crate::support::{Operator, Plane, project, temporary, until, web_servers};
use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, ResourceExt};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) const FLAGS: [&str; 3] =
    ["--leader-elect", "--leader-election-namespace=default", "--leader-election-lease-duration=9s"];

async fn holder(leases: &Api<Lease>) -> String {
    let lease = leases.get_opt("shop-operator").await.unwrap();
    lease.and_then(|lease| lease.spec?.holder_identity).unwrap_or_default()
}

pub(crate) async fn led_by_another(leases: &Api<Lease>, than: &str) -> String {
    let start = Instant::now();
    loop {
        let now = holder(leases).await;
        if !now.is_empty() && now != than {
            return now;
        }
        assert!(start.elapsed() < Duration::from_secs(40), "nobody leads but `{now}`");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn children_are_kept_and_a_second_replica_takes_over_without_a_write() {
    let plane = Plane::start();
    let root = project("shop-operator");
    plane.must(&root, &["install"]);
    let client = plane.client().await;
    let children = |group: &str, kind: &str| -> Api<DynamicObject> {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
        Api::default_namespaced_with(client.clone(), &resource)
    };
    let (deployments, services) = (children("apps", "Deployment"), children("", "Service"));
    let (objects, leases) = (web_servers(&client), Api::<Lease>::default_namespaced(client.clone()));
    let temporary = temporary();
    let (one_log, other_log) = (temporary.path().join("one.log"), temporary.path().join("other.log"));
    let one = Operator::start_with(&plane, "shop-operator", &one_log, &FLAGS);
    let first = led_by_another(&leases, "").await;
    let lease = leases.get("shop-operator").await.unwrap().spec.unwrap();
    assert_eq!(lease.lease_duration_seconds, Some(9));
    let other = Operator::start_with(&plane, "shop-operator", &other_log, &FLAGS);

    let text = std::fs::read_to_string(root.join("config/samples/v1alpha1_webserver.yaml")).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&text).unwrap();
    let name = sample.metadata.name.clone().unwrap();
    objects.patch(&name, &PatchParams::apply("test"), &Patch::Apply(&sample)).await.unwrap();
    children_are_restored(&services, &deployments, &name, &one_log).await;
    let observed =
        |object: &DynamicObject| object.data["status"]["observedGeneration"] == json!(object.metadata.generation);
    until(&objects, &name, &one_log, observed).await;

    let all = [&objects, &deployments, &services];
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = versions(&all, &name).await;
    drop(one); // killed: the lease is not released
    let second = led_by_another(&leases, &first).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let said = std::fs::read_to_string(&other_log).unwrap();
    assert_eq!(versions(&all, &name).await, before, "{said}");
    // Nor does it send an apply that would change nothing.
    assert!(said.contains("started") && !said.contains("applied"), "{said}");
    objects.patch(&name, &PatchParams::default(), &with_replicas(3)).await.unwrap();
    until(&deployments, &name, &other_log, |deployment| *replicas(deployment) == json!(3)).await;
    let ready = |object: &DynamicObject| {
        let conditions = object.data["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.iter().filter(|one| one["type"] == "Ready" && one["status"] == "False").count() == 1
    };
    until(&objects, &name, &other_log, ready).await;

    assert_eq!(holder(&leases).await, second);
    assert_eq!(other.stop(), Some(0), "{}", std::fs::read_to_string(&other_log).unwrap());
    assert_eq!(holder(&leases).await, "", "released when stopped");
}

fn with_replicas(number: i32) -> Patch<Value> {
    Patch::Merge(json!({ "spec": { "replicas": number } }))
}

fn replicas(object: &DynamicObject) -> &Value {
    &object.data["spec"]["replicas"]
}

/// Checks that a Service that is deleted is made again, and that a Deployment gets its replicas back.
async fn children_are_restored(
    services: &Api<DynamicObject>,
    deployments: &Api<DynamicObject>,
    name: &str,
    log: &Path,
) {
    until(deployments, name, log, |_| true).await;
    let service = until(services, name, log, |_| true).await;
    services.delete(name, &DeleteParams::default()).await.unwrap();
    until(services, name, log, |again| again.metadata.uid != service.metadata.uid).await;
    deployments.patch(name, &PatchParams::default(), &with_replicas(7)).await.unwrap();
    until(deployments, name, log, |deployment| *replicas(deployment) == json!(2)).await;
}

/// Returns the resource version that the object `name` has in each of these APIs.
async fn versions(apis: &[&Api<DynamicObject>], name: &str) -> Vec<Option<String>> {
    let mut versions = Vec::new();
    for api in apis {
        versions.push(api.get(name).await.unwrap().metadata.resource_version);
    }
    versions
}

/// Returns the operations (such as `Apply`) by which the operator owns fields of an object, from `managedFields`.
fn ways(object: &DynamicObject) -> Vec<String> {
    let own =
        object.managed_fields().iter().filter(|entry| entry.manager.as_deref() == Some("shop-operator/webserver"));
    own.filter_map(|entry| entry.operation.clone()).collect()
}

const POLICY: &str = "\
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: {name: no-denied}
  spec:
    matchConstraints:
      resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [services]}]
    validations: [{expression: object.metadata.name != 'denied', message: not this one}]
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicyBinding
  metadata: {name: no-denied}
  spec: {policyName: no-denied, validationActions: [Deny]}
";

/// Checks that the condition Ready shows why the API server refused a write, until a reconciliation succeeds.
async fn refusals_are_told_in_the_condition(client: &Client, objects: &Api<DynamicObject>, log: &Path) {
    let create = async |group: &str, object: &Value| {
        let kind = GroupVersionKind::gvk(group, "v1", object["kind"].as_str().unwrap());
        let resource = ApiResource::from_gvk(&kind);
        let api: Api<DynamicObject> = match group {
            "admissionregistration.k8s.io" => Api::all_with(client.clone(), &resource),
            _ => Api::default_namespaced_with(client.clone(), &resource),
        };
        api.create(&PostParams::default(), &serde_json::from_value(object.clone()).unwrap()).await.unwrap();
        api
    };
    let reason = async |name: &str, expected: &str| {
        let says = |object: &DynamicObject| {
            let conditions = object.data["status"]["conditions"].as_array();
            let mut conditions = conditions.into_iter().flatten();
            conditions.any(|one| one["type"] == "Ready" && one["status"] == "False" && one["reason"] == expected)
        };
        until(objects, name, log, says).await
    };
    let web = async |name: &str| {
        let object = json!({"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": {"name": name}, "spec": {"image": "example:1"}});
        objects.create(&PostParams::default(), &serde_json::from_value(object).unwrap()).await.unwrap();
    };
    let owner = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "theirs", "uid": "a", "controller": true});
    let template = json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}});
    let taken = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "taken", "ownerReferences": [owner]},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
    });
    create("apps", &taken).await;
    web("taken").await;
    reason("taken", "NameTaken").await;
    for object in serde_yaml::from_str::<Vec<Value>>(POLICY).unwrap() {
        create("admissionregistration.k8s.io", &object).await;
    }
    let quota = json!({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "none"}, "spec": {"hard": {"count/services": "0"}}});
    let quotas = create("", &quota).await;
    // The count that kube-controller-manager would write.
    let counted = json!({"status": {"hard": {"count/services": "0"}, "used": {"count/services": "0"}}});
    quotas.patch_status("none", &PatchParams::default(), &Patch::Merge(counted)).await.unwrap();
    // The API server enforces a new policy and a new quota only after a moment.
    tokio::time::sleep(Duration::from_secs(2)).await;
    web("denied").await;
    let denied = reason("denied", "AdmissionDenied").await;
    assert!(denied.data["status"]["conditions"].to_string().contains("not this one"), "{denied:?}");
    web("many").await;
    let refused = reason("many", "QuotaExceeded").await;
    assert_eq!(refused.data["status"]["observedGeneration"], Value::Null, "no pass has succeeded");
    quotas.delete("none", &DeleteParams::default()).await.unwrap();
    reason("many", "NotAllReady").await;
}

#[tokio::test]
async fn a_field_that_is_no_longer_wanted_goes_from_children_that_were_created() {
    let plane = Plane::start();
    plane.must(&project("shop-operator"), &["install"]);
    let client = plane.client().await;
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("apps", "v1", "Deployment"));
    let deployments: Api<DynamicObject> = Api::default_namespaced_with(client.clone(), &resource);
    let objects = web_servers(&client);
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let operator = Operator::start(&plane, "shop-operator", &log);
    let merge = async |api: &Api<DynamicObject>, name: &str, patch: serde_json::Value| {
        api.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap()
    };
    let limits = |object: &DynamicObject| {
        let container = &object.data["spec"]["template"]["spec"]["containers"][0];
        container["resources"]["limits"].as_object().cloned().unwrap_or_default()
    };
    let labelled = |object: &DynamicObject| object.labels().contains_key("app.kubernetes.io/managed-by");
    for name in ["kept", "unlabelled"] {
        let spec =
            json!({ "image": "example:1", "replicas": 1, "resources": { "limits": { "cpu": "1", "memory": "1Gi" } } });
        let object = json!({ "apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": { "name": name }, "spec": spec });
        objects.create(&PostParams::default(), &serde_json::from_value(object).unwrap()).await.unwrap();
        let created = until(&deployments, name, &log, |_| true).await;
        assert_eq!(ways(&created), ["Update"], "cheaper than an apply");
        if name == "unlabelled" {
            // Without the label, the operator's cache lacks the Deployment, so the operator takes it for missing
            // although it exists.
            merge(&deployments, name, json!({ "metadata": { "labels": { "app.kubernetes.io/managed-by": null } } }))
                .await;
            until(&deployments, name, &log, labelled).await;
        }
        for (patch, left) in [(json!({ "memory": null }), 1), (json!(null), 0)] {
            merge(&objects, name, json!({ "spec": { "resources": { "limits": patch } } })).await;
            let applied = until(&deployments, name, &log, |deployment| limits(deployment).len() == left).await;
            assert_eq!(ways(&applied), ["Apply"]);
        }
        // Fields that others have added stay.
        merge(&deployments, name, json!({ "spec": { "minReadySeconds": 7 } })).await;
        merge(&objects, name, json!({ "spec": { "image": "example:2" } })).await;
        let image = |object: &DynamicObject| object.data["spec"]["template"]["spec"]["containers"][0]["image"].clone();
        let others = until(&deployments, name, &log, |deployment| image(deployment) == "example:2").await;
        assert_eq!(others.data["spec"]["minReadySeconds"], 7);
    }
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(!said.contains("WARN"), "{said}");
    refusals_are_told_in_the_condition(&client, &objects, &log).await;
    assert_eq!(operator.stop(), Some(0), "{said}");
}
