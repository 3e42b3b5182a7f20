//! `DemoVolume`: a `PersistentVolumeClaim`, which can grow but not shrink.

use super::stage::{Stage, condition, sample, says};
use super::trials::MANY;
use serde_json::{Value, json};

const CLAIM: &str = "v1/persistentvolumeclaims/demovolume-sample";
const OBJECTS: &str = "demo.example.com/v1alpha1/demovolumes";
const OBJECT: &str = "demo.example.com/v1alpha1/demovolumes/demovolume-sample";

fn asks_for(size: &str) -> impl Fn(&Value) -> bool {
    move |claim| claim["spec"]["resources"]["requests"]["storage"] == size
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_demo_volume_is_played_through() {
    let mut stage = Stage::set("demovolume-operator");
    // The default StorageClass that clusters usually have.
    stage.apply(&json!({
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "standard", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        "provisioner": "example.com/simulated",
        "allowVolumeExpansion": true,
    }));
    stage.start("one", &[]);
    stage.plays("tutorials/demo-volume");
    let object = sample(&stage.root);
    stage.apply(&object);
    let claim = stage.sees(CLAIM, asks_for("2Gi"));
    let ready = |object: &Value| says(object, "Ready", "True");
    let first = stage.sees(OBJECT, ready);
    assert_eq!(first["status"]["name"], "films");
    assert_eq!(claim["metadata"]["ownerReferences"][0]["uid"], first["metadata"]["uid"]);

    stage.patch(OBJECT, &json!({"spec": {"name": "series"}}));
    stage.sees(OBJECT, |object| object["status"]["name"] == "series");
    stage.patch(OBJECT, &json!({"spec": {"size": 3}}));
    stage.sees(CLAIM, asks_for("3Gi"));
    stage.sees(OBJECT, ready);
    stage.patch(OBJECT, &json!({"spec": {"size": 1}}));
    let refused = |object: &Value| {
        let condition = condition(object, "Ready");
        condition["reason"] == "ClaimRefused"
            && condition["message"].as_str().unwrap().contains("can not be less than status.capacity")
    };
    stage.sees(OBJECT, refused);
    assert!(asks_for("3Gi")(&stage.get(CLAIM).unwrap()));
    // Kubernetes normalizes a quantity of this size to another unit.
    stage.patch(OBJECT, &json!({"spec": {"size": 2048}}));
    stage.sees(CLAIM, asks_for("2Ti"));
    let grown = stage.sees(OBJECT, ready);
    assert_eq!(stage.get(CLAIM).unwrap()["metadata"]["uid"], claim["metadata"]["uid"], "it is the same all along");

    // These restarts include one in which no second claim may be created.
    stage.outlives_restarts(CLAIM, |claim| claim["status"]["phase"] == "Bound");
    stage.sees(OBJECT, ready);
    assert_eq!(stage.get(OBJECT).unwrap()["metadata"]["generation"], grown["metadata"]["generation"]);
    stage.leader_is_killed_among_many(OBJECTS, &object, |object| object["status"]["observedGeneration"] == 1);
    assert_eq!(stage.items("v1/persistentvolumeclaims/").len(), MANY + 1);
    stage.patch(OBJECT, &json!({"spec": {"name": "films"}}));
    stage.sees(OBJECT, |object| object["status"]["name"] == "films");
    stage.delete(OBJECT);
    stage.gone(CLAIM);
}
