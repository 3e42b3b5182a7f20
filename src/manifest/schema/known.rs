//! Kubernetes' own types, where their schema in k8s-openapi is not what controller-gen writes.
//!
//! controller-tools `pkg/crd/known_types.go`, and the markers on `metav1.Condition` in apimachinery.

use serde_json::{Value, json};

/// The pattern of a quantity (controller-tools `known_types.go`).
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

const REASON: &str = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
const CONDITION_TYPE: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/// What stands for a definition, instead of its own schema.
pub(super) fn replacement(definition: &str) -> Option<Value> {
    Some(match definition {
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => json!({
            "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": QUANTITY, "x-kubernetes-int-or-string": true,
        }),
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => json!({
            "anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true,
        }),
        "io.k8s.apimachinery.pkg.apis.meta.v1.Time" | "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime" => {
            json!({"type": "string", "format": "date-time"})
        }
        // controller-gen writes a bare object, from which the server prunes even the labels of a pod template, unless
        // `generateEmbeddedObjectMeta` is given. This is what it writes then, and nothing is pruned.
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" => json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "namespace": {"type": "string"},
                "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                "finalizers": {"type": "array", "items": {"type": "string"}},
            },
            "x-kubernetes-preserve-unknown-fields": true,
        }),
        // Of no defined shape; `FieldsV1` is written by the server.
        "io.k8s.apimachinery.pkg.runtime.RawExtension" | "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1" => {
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
        }
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON" => {
            json!({"x-kubernetes-preserve-unknown-fields": true})
        }
        _ => return None,
    })
}

/// What is added to a definition, by property; the schema itself stays.
pub(super) fn additions(definition: &str) -> Option<Value> {
    Some(match definition {
        "io.k8s.apimachinery.pkg.apis.meta.v1.Condition" => json!({
            "message": {"maxLength": 32768},
            "observedGeneration": {"minimum": 0},
            "reason": {"maxLength": 1024, "minLength": 1, "pattern": REASON},
            "status": {"enum": ["True", "False", "Unknown"]},
            "type": {"maxLength": 316, "pattern": CONDITION_TYPE},
        }),
        _ => return None,
    })
}
