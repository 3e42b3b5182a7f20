//! `WebApp`: a Deployment and a Service, limits and defaults of the schema, and an image that fails.

use super::stage::{Stage, sample, says};
use super::trials::MANY;
use crate::health_checks;
use serde_json::{Value, json};
use std::time::Duration;

const DEPLOYMENT: &str = "apps/v1/deployments/webapp-sample";
const SERVICE: &str = "v1/services/webapp-sample";
const OBJECTS: &str = "apps.example.com/v1/webapps";
const OBJECT: &str = "apps.example.com/v1/webapps/webapp-sample";

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_web_app_is_played_through() {
    let mut stage = Stage::set("webapp-operator");
    stage.start("one", &[]);
    stage.plays("tutorials/web-app");
    let object = sample(&stage.root);
    limits_and_defaults(&stage, &object);

    stage.apply(&object);
    let available = |object: &Value| says(object, "Available", "True") && says(object, "Ready", "True");
    let healthy = stage.sees(OBJECT, available);
    health_checks::says(&stage.root, &healthy, "current");
    health_checks::conforms(&healthy, "current");
    let status = healthy["status"].clone();
    assert_eq!(status["availableReplicas"], 2, "{status:#}");
    let deployment = stage.get(DEPLOYMENT).unwrap();
    let container = &deployment["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["image"], object["spec"]["image"]);
    assert_eq!(container["ports"][0]["containerPort"], 8080);
    assert_eq!(stage.get(SERVICE).unwrap()["spec"]["ports"][0]["port"], 8080);
    let columns = stage.kubectl(&["get", "webapps"]);
    let lines: Vec<Vec<_>> = columns.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..4], ["NAME", "IMAGE", "REPLICAS", "AVAILABLE"], "{columns}");
    assert_eq!(lines[1][1..4], ["nginxinc/nginx-unprivileged:1.27", "2", "2"], "{columns}");
    stage.kubectl(&["scale", "webapps/webapp-sample", "--replicas", "3"]);
    stage.sees(OBJECT, |object| object["status"]["availableReplicas"] == 3);

    stage.patch(OBJECT, &json!({"spec": {"image": "fail:pull"}}));
    let degraded = |object: &Value| says(object, "Degraded", "True") && says(object, "Ready", "False");
    let failed = stage.sees_within(Duration::from_secs(15), OBJECT, degraded);
    health_checks::says(&stage.root, &failed, "failed");
    health_checks::conforms(&failed, "in progress");
    stage.patch(OBJECT, &json!({"spec": {"image": object["spec"]["image"]}}));
    stage.sees(OBJECT, |object| available(object) && says(object, "Degraded", "False"));

    referenced_config_map_and_optional_service(&stage);
    stage.outlives_restarts(DEPLOYMENT, |deployment| deployment["status"]["availableReplicas"] == 3);
    stage.leader_is_killed_among_many(OBJECTS, &object, |object| object["status"]["observedGeneration"] == 1);
    for children in ["apps/v1/deployments/", "v1/services/"] {
        let ours = |child: &&Value| child["metadata"]["name"] != "limits";
        assert_eq!(stage.items(children).iter().filter(ours).count(), MANY + 1, "{children}");
    }
    stage.patch(OBJECT, &json!({"spec": {"replicas": 1}}));
    stage.sees(DEPLOYMENT, |deployment| deployment["spec"]["replicas"] == 1);
}

/// Tests a `ConfigMap` that the object refers to, while the `ConfigMap` is created, changed and deleted. Then tests
/// that the operator deletes and creates the optional Service when the object's spec turns the Service off and on.
fn referenced_config_map_and_optional_service(stage: &Stage) {
    const CONFIG_MAP: &str = "v1/configmaps/settings";
    let version = |object: &Value| {
        let annotations = &object["spec"]["template"]["metadata"]["annotations"];
        annotations["example.com/config-version"].clone()
    };
    let follows = |stage: &Stage| {
        let now = stage.get(CONFIG_MAP).map_or(Value::Null, |object| object["metadata"]["resourceVersion"].clone());
        stage.sees(DEPLOYMENT, |deployment| version(deployment) == now);
    };
    // The object refers to the ConfigMap before it exists.
    stage.patch(OBJECT, &json!({"spec": {"configMap": "settings"}}));
    stage.kubectl(&["create", "configmap", "settings", "--from-literal=a=1"]);
    follows(stage);
    stage.patch(CONFIG_MAP, &json!({"data": {"a": "2"}}));
    follows(stage);
    let log = stage.log("one");
    assert!(log.contains("replacing the pods"), "{log}");
    stage.delete(CONFIG_MAP);
    follows(stage);
    stage.patch(OBJECT, &json!({"spec": {"configMap": null}}));

    stage.patch(OBJECT, &json!({"spec": {"exposed": false}}));
    stage.gone(SERVICE);
    stage.patch(OBJECT, &json!({"spec": {"exposed": true}}));
    stage.sees(SERVICE, |_| true);
}

/// Tests the values that the server refuses, and the defaults that it fills in.
fn limits_and_defaults(stage: &Stage, object: &Value) {
    let with = |spec: Value| {
        let mut object = object.clone();
        object["metadata"]["name"] = json!("limits");
        object["spec"] = spec;
        object
    };
    for (spec, why) in [
        (json!({}), "spec.image: Required value"),
        (json!({"image": ""}), "spec.image in body should be at least 1 chars long"),
        (json!({"image": "a", "replicas": 0}), "spec.replicas in body should be greater than or equal to 1"),
        (json!({"image": "a", "port": 0}), "spec.port in body should be greater than or equal to 1"),
        (json!({"image": "a", "port": 65536}), "spec.port in body should be less than or equal to 65535"),
    ] {
        let output = stage.try_kubectl(&["create", "-f", "-"], &with(spec.clone()).to_string());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(why), "{spec}: {said}");
    }
    stage.apply(&with(json!({"image": "a"})));
    let filled = stage.get("apps.example.com/v1/webapps/limits").unwrap()["spec"].clone();
    assert_eq!(filled, json!({"image": "a", "replicas": 1, "port": 80}));
    stage.delete("apps.example.com/v1/webapps/limits");
}
