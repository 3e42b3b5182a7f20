//! Objects that the API server accepts, for the tests of controllers.

use super::controlled::ControllerOfKind;
use super::field_samples::{has_example, json_text, spec_sample};
use crate::model::{BuiltIn, Origin};
use serde_json::{Value, json};

/// Renders an object of the kind as JSON without its metadata.
pub(super) fn object(controlled: ControllerOfKind<'_>) -> String {
    let resource = controlled.resource;
    let spec = match &resource.origin {
        Origin::Core(built_in) => return pretty(&core_sample(built_in)),
        Origin::External(_) => "{}".to_owned(),
        Origin::Own if resource.has_no_spec() => return json_text(&spec_sample(resource), ""),
        Origin::Own if has_example(resource) => r#"{ "message": "Hello" }"#.to_owned(),
        Origin::Own => json_text(&spec_sample(resource), "    "),
    };
    format!("{{\n    \"spec\": {spec},\n}}")
}

/// Returns the only name that the API server accepts for objects of the kind; empty if it accepts any name.
pub(super) fn fixed_name(built_in: &BuiltIn) -> &'static str {
    if built_in.kind == "IPAddress" { "10.98.0.7" } else { "" }
}

/// Returns the field that refers to an object in the same namespace; empty if the kind has no such field.
pub(super) fn reference_field(built_in: &BuiltIn) -> &'static str {
    match (built_in.kind, built_in.group) {
        ("Event", "") => "involvedObject",
        ("Event", _) => "regarding",
        _ => "",
    }
}

/// Returns true if a new namespace refuses objects of the kind for a while. This holds only for pods, because a pod
/// needs the namespace's default service account.
pub(super) fn creation_waits(built_in: &BuiltIn) -> bool {
    built_in.kind == "Pod"
}

fn pretty(object: &Value) -> String {
    let text = format!("{object:#}");
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines = text.lines().map(|line| format!("{}{}", " ".repeat(2 * depth(line)), line.trim_start()));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns an object of a built-in kind without metadata, with little more than the API server requires. In an `Event`,
/// the reference to another object lacks the other object's namespace, because only the test knows the namespace.
pub fn core_sample(built_in: &BuiltIn) -> Value {
    let labels = json!({ "app": "sample" });
    let pod = json!({ "containers": [{ "name": "main", "image": "nginxinc/nginx-unprivileged:1.27" }] });
    let template = json!({ "metadata": { "labels": labels }, "spec": pod });
    let once = json!({ "spec": { "restartPolicy": "Never", "containers": pod["containers"] } });
    let selector = json!({ "matchLabels": labels });
    let scaled = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "name": "sample" });
    let view = json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view" });
    match built_in.kind {
        "CSINode" => json!({ "spec": { "drivers": [] } }),
        "CSIStorageCapacity" => json!({ "storageClassName": "sample" }),
        "CertificateSigningRequest" => json!({
            "spec": { "request": REQUEST, "signerName": "example.com/sample", "usages": ["client auth"] },
        }),
        "ClusterRoleBinding" | "RoleBinding" => json!({ "roleRef": view }),
        "ControllerRevision" => json!({ "data": {}, "revision": 1 }),
        "CronJob" => json!({ "spec": { "schedule": "@daily", "jobTemplate": { "spec": { "template": once } } } }),
        "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet" => {
            json!({ "spec": { "selector": selector, "template": template } })
        }
        "CSIDriver" | "DeviceClass" | "ResourceClaim" => json!({ "spec": {} }),
        "EndpointSlice" => json!({ "addressType": "IPv4", "endpoints": [] }),
        "Event" if built_in.group.is_empty() => json!({ "involvedObject": {} }),
        "Event" => json!({
            "action": "Sample", "eventTime": "2026-01-01T00:00:00.000000Z", "reason": "Sample", "type": "Normal",
            "reportingController": "example.com/sample", "reportingInstance": "sample",
        }),
        "FlowSchema" => json!({ "spec": { "priorityLevelConfiguration": { "name": "catch-all" } } }),
        "HorizontalPodAutoscaler" => json!({ "spec": { "maxReplicas": 2, "scaleTargetRef": scaled } }),
        "IPAddress" => {
            json!({ "spec": { "parentRef": { "resource": "services", "namespace": "default", "name": "sample" } } })
        }
        "Ingress" => {
            json!({ "spec": { "defaultBackend": { "service": { "name": "sample", "port": { "number": 80 } } } } })
        }
        "IngressClass" => json!({ "spec": { "controller": "example.com/sample" } }),
        "Job" => json!({ "spec": { "template": once } }),
        "NetworkPolicy" => json!({ "spec": { "podSelector": selector } }),
        "PersistentVolume" => json!({
            "spec": { "accessModes": ["ReadWriteOnce"], "capacity": { "storage": "1Gi" }, "hostPath": { "path": "/sample" } },
        }),
        "PersistentVolumeClaim" => json!({
            "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
        }),
        "Pod" => json!({ "spec": pod }),
        "PodDisruptionBudget" => json!({ "spec": { "minAvailable": 1, "selector": selector } }),
        "PodTemplate" => json!({ "template": template }),
        "PriorityClass" => json!({ "value": 1 }),
        "PriorityLevelConfiguration" => {
            json!({ "spec": { "type": "Limited", "limited": { "limitResponse": { "type": "Reject" } } } })
        }
        "ReplicationController" => json!({ "spec": { "selector": labels, "template": template } }),
        "ResourceClaimTemplate" => json!({ "spec": { "spec": {} } }),
        "ResourceSlice" => json!({
            "spec": {
                "driver": "sample.example.com", "allNodes": true, "devices": [],
                "pool": { "name": "sample", "generation": 1, "resourceSliceCount": 1 },
            },
        }),
        "RuntimeClass" => json!({ "handler": "sample" }),
        "Service" => json!({ "spec": { "ports": [{ "port": 80 }] } }),
        "ServiceCIDR" => json!({ "spec": { "cidrs": ["10.99.0.0/24"] } }),
        "StorageClass" => json!({ "provisioner": "example.com/sample" }),
        "ValidatingAdmissionPolicy" => json!({
            "spec": {
                "matchConstraints": { "resourceRules": [{
                    "apiGroups": ["example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["samples"],
                }] },
                "validations": [{ "expression": "true" }],
            },
        }),
        "ValidatingAdmissionPolicyBinding" => {
            json!({ "spec": { "policyName": "sample", "validationActions": ["Audit"] } })
        }
        "VolumeAttachment" => json!({
            "spec": { "attacher": "example.com", "nodeName": "sample", "source": { "persistentVolumeName": "sample" } },
        }),
        "VolumeAttributesClass" => json!({ "driverName": "example.com", "parameters": { "sample": "yes" } }),
        // The other kinds require only a name.
        _ => json!({}),
    }
}

/// A certificate signing request for `CN=sample` from `openssl req -new`, in base64.
const REQUEST: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHUU1FUUNBUUF3RVRFUE1BMEdBMVVFQXd3R2MyRnRjR3hsTUNv\
    d0JRWURLMlZ3QXlFQWVEc2pWNC9iZTlHNQpSV0cwU0xtaEMzRVFnc3BhUzE3SklhUjN1QmhyS0w2Z0FEQUZCZ01yWlhBRFFRQ3Yy\
    bi9pVXU2ekRGY0pJYW9DCjZWREJvTWpscTBkcGEyelQ0WVlWSXhrRklxOXdOUlYvaTF0VVRKTS93RVUxbDVyNXRhQjJSZzdEQ1RT\
    TDdCQUkKSVdRTAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
