//! Tests of annotations that clients have made up, and of signed annotations.

use super::{Conversion, conversion};
use serde_json::{Value, json};

mod v1 {
    use kube::{CustomResource, KubeSchema};
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Gate",
        status = "Status"
    )]
    pub struct GateSpec {
        pub replicas: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 9))]
        pub level: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[x_kube(validation = ("self == oldSelf", "it never changes"))]
        pub zone: Option<String>,
    }

    #[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct Status {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 9))]
        pub ready: Option<u32>,
    }
}

mod v1alpha1 {
    use kube::{CustomResource, KubeSchema};
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1alpha1", kind = "Gate")]
    pub struct GateSpec {
        pub size: i32,
    }
}

impl From<v1alpha1::Gate> for v1::Gate {
    fn from(value: v1alpha1::Gate) -> Self {
        let replicas = value.spec.size;
        let spec = v1::GateSpec {
            replicas,
            level: None,
            zone: None,
        };
        Self {
            metadata: value.metadata,
            spec,
            status: None,
        }
    }
}

impl From<v1::Gate> for v1alpha1::Gate {
    fn from(value: v1::Gate) -> Self {
        let spec = v1alpha1::GateSpec {
            size: value.spec.replicas,
        };
        Self {
            metadata: value.metadata,
            spec,
        }
    }
}

const ANNOTATION: &str = "conversion.example.com/v1";

fn gates() -> Conversion<v1::Gate> {
    conversion().spoke::<v1alpha1::Gate>()
}

/// Makes an object of `v1alpha1` with an annotation that a client has made up.
fn written(kept: &Value) -> Value {
    let metadata = json!({"name": "a", "uid": "1", "generation": 3, "annotations": {ANNOTATION: kept.to_string()}});
    json!({
        "apiVersion": "example.com/v1alpha1", "kind": "Gate", "metadata": metadata, "spec": {"size": 3},
    })
}

#[test]
fn a_made_up_annotation_brings_only_what_the_hub_allows() {
    let (gates, plain) = (gates(), json!({"replicas": 3}));
    let refused = |why: &str| {
        format!(
            "the annotation {ANNOTATION} was not written by this operator for this object, and the restored \
             object{why}: remove the annotation, or write the object in v1"
        )
    };
    for (kept, expected) in [
        (
            json!({"spec": {"replicas": 3, "level": 9}}),
            Ok(json!({"replicas": 3, "level": 9})),
        ),
        (json!({"spec": {"replicas": 3}}), Ok(plain.clone())),
        (
            json!({"spec": {"replicas": 3, "level": "x"}}),
            Ok(plain.clone()),
        ),
        (json!(["rubbish"]), Ok(plain.clone())),
        (
            json!({"spec": {"replicas": 3, "level": 10}}),
            Err(refused(".spec.level must not be 10")),
        ),
        (
            json!({"spec": {"replicas": 3, "zone": "b"}}),
            Err(refused(
                ".spec.zone has `x-kubernetes-validations`, which only the API server can check",
            )),
        ),
        (
            json!({"spec": {"replicas": 3}, "status": {"ready": 10}}),
            Ok(plain.clone()),
        ),
        (
            json!({"spec": {"replicas": 3, "other": 1}}),
            Err(refused(".spec.other is unknown to the operator")),
        ),
        (
            json!({"signature": "AAAA", "spec": {"replicas": 3, "level": 10}}),
            Err(refused(".spec.level must not be 10")),
        ),
    ] {
        let converted = gates.convert(&written(&kept), "example.com/v1");
        let converted = converted
            .inspect(|object| assert!(object["status"].is_null(), "{object}"))
            .map(|object| object["spec"].clone())
            .map_err(|error| error.to_string());
        assert_eq!(converted, expected, "{kept}");
    }
}

#[test]
fn a_signed_annotation_comes_back_whatever_the_rules_say() {
    let (gates, other) = (gates(), gates());
    let spec = json!({"replicas": 3, "level": 10, "zone": "a"});
    let mut stored = written(&json!(null));
    (stored["apiVersion"], stored["spec"]) = ("example.com/v1".into(), spec.clone());
    let mut old = gates.convert(&stored, "example.com/v1alpha1").unwrap();
    old["spec"]["size"] = 4.into();
    old["metadata"]["generation"] = 4.into();
    let mut expected = spec;
    expected["replicas"] = 4.into();
    assert_eq!(
        gates.convert(&old, "example.com/v1").unwrap()["spec"],
        expected
    );
    // Another operator, a copy, a change.
    assert!(other.convert(&old, "example.com/v1").is_err());
    let mut copy = old.clone();
    copy["metadata"]["uid"] = "2".into();
    assert!(gates.convert(&copy, "example.com/v1").is_err());
    let kept = &mut old["metadata"]["annotations"][ANNOTATION];
    *kept = kept.as_str().unwrap().replace("\"a\"", "\"b\"").into();
    assert!(gates.convert(&old, "example.com/v1").is_err());
}
