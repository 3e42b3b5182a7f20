//! The types of Kubernetes itself, such as `PodSpec`. By default, the page links to the Kubernetes documentation
//! instead of describing such a type: a pod template alone would add a hundred sections to the page.
//!
//! A CRD does not name the type from which a schema was generated, so a type is recognized by its fields.

use serde_json::Value;

/// The common prefix of the URLs of all pages in `TYPES`.
const PAGES: &str = "https://kubernetes.io/docs/reference/kubernetes-api/";

const POD: &str = "workload-resources/pod-v1/";
const VOLUME: &str = "config-and-storage-resources/volume/";
const CLAIM: &str = "config-and-storage-resources/persistent-volume-claim-v1/";

/// The types of Kubernetes: the name, the page, and a combination of fields that identifies the type.
const TYPES: [(&str, &str, &[&str]); 24] = [
    ("PodSpec", POD, &["containers", "initContainers", "restartPolicy", "serviceAccountName"]),
    ("Container", POD, &["image", "command", "livenessProbe", "volumeMounts", "name"]),
    ("Affinity", POD, &["nodeAffinity", "podAffinity", "podAntiAffinity"]),
    ("NodeSelectorTerm", POD, &["matchExpressions", "matchFields"]),
    ("ResourceRequirements", POD, &["claims", "limits", "requests"]),
    ("PodSecurityContext", POD, &["fsGroup", "fsGroupChangePolicy", "runAsUser", "sysctls"]),
    ("SecurityContext", POD, &["allowPrivilegeEscalation", "capabilities", "readOnlyRootFilesystem"]),
    ("VolumeMount", POD, &["mountPath", "mountPropagation", "name", "subPath"]),
    ("EnvVar", POD, &["name", "value", "valueFrom"]),
    ("EnvFromSource", POD, &["configMapRef", "prefix", "secretRef"]),
    ("Probe", POD, &["exec", "httpGet", "initialDelaySeconds", "tcpSocket"]),
    ("Lifecycle", POD, &["postStart", "preStop"]),
    ("Toleration", POD, &["effect", "key", "operator", "tolerationSeconds"]),
    ("TopologySpreadConstraint", POD, &["maxSkew", "topologyKey", "whenUnsatisfiable"]),
    ("PodDNSConfig", POD, &["nameservers", "options", "searches"]),
    ("Volume", VOLUME, &["configMap", "emptyDir", "hostPath", "name", "persistentVolumeClaim"]),
    ("PersistentVolumeClaimSpec", CLAIM, &["accessModes", "resources", "storageClassName", "volumeMode"]),
    ("LabelSelector", "common-definitions/label-selector/", &["matchExpressions", "matchLabels"]),
    (
        "DeploymentSpec",
        "workload-resources/deployment-v1/",
        &["progressDeadlineSeconds", "selector", "strategy", "template"],
    ),
    ("StatefulSetSpec", "workload-resources/stateful-set-v1/", &["podManagementPolicy", "serviceName", "template"]),
    ("JobSpec", "workload-resources/job-v1/", &["backoffLimit", "completions", "parallelism", "template"]),
    ("ServiceSpec", "service-resources/service-v1/", &["clusterIP", "ports", "sessionAffinity", "type"]),
    ("IngressSpec", "service-resources/ingress-v1/", &["defaultBackend", "ingressClassName", "rules", "tls"]),
    ("NetworkPolicySpec", "policy-resources/network-policy-v1/", &["egress", "ingress", "podSelector", "policyTypes"]),
];

/// Returns the name of the Kubernetes type that `schema` describes, and the URL of the type's page; `None` if `schema`
/// describes none of [`TYPES`].
pub(super) fn kubernetes_type(schema: &Value) -> Option<(&'static str, String)> {
    let fields = schema.get("properties")?.as_object()?;
    let (name, page, _) =
        TYPES.iter().find(|(_, _, signature)| signature.iter().all(|name| fields.contains_key(*name)))?;
    Some((name, format!("{PAGES}{page}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::children;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn walk(schema: &Value, names: &mut BTreeSet<&'static str>) {
        names.extend(kubernetes_type(schema).map(|(name, _)| name));
        children(schema).for_each(|(_, child)| walk(child, names));
    }

    #[test]
    fn types_are_recognized_by_their_fields() {
        let mut found = BTreeSet::new();
        for case in ["pod-template", "label-selector"] {
            let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/corpus/kubernetes");
            let text = std::fs::read_to_string(corpus.join(case).join("crd.yaml")).unwrap();
            let definition: Value = serde_yaml::from_str(&text).unwrap();
            walk(&definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"], &mut found);
        }
        let elsewhere =
            ["DeploymentSpec", "IngressSpec", "JobSpec", "NetworkPolicySpec", "ServiceSpec", "StatefulSetSpec"];
        let expected: BTreeSet<&str> =
            TYPES.iter().map(|(name, ..)| *name).filter(|name| !elsewhere.contains(name)).collect();
        assert_eq!(found, expected);
        let own = json!({"type": "object", "properties": {"limits": {}, "requests": {}}});
        assert_eq!(kubernetes_type(&own), None);
    }
}
