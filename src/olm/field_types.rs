//! The types of the fields that OLM reads. OLM does not load an object in which a field has the wrong type.

use super::manifest::Manifest;
use k8s_openapi::api::admissionregistration::v1::RuleWithOperations;
use k8s_openapi::api::apps::v1::DeploymentSpec;
use k8s_openapi::api::rbac::v1::PolicyRule;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use semver::Version;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Returns the reason why OLM cannot load a `ClusterServiceVersion` or a CRD; `None` if OLM can load the object.
pub(super) fn mistake(manifest: &Manifest) -> Option<String> {
    let error = match (manifest.kind(), manifest.text_at("/apiVersion")) {
        ("ClusterServiceVersion", _) => {
            let version = manifest.text_at("/spec/version");
            if !version.is_empty() && tolerant_version(version).is_none() {
                return Some(format!("`spec.version` is `{version}`, which is not a semantic version"));
            }
            ServiceVersion::deserialize(&manifest.value).err()?
        }
        ("CustomResourceDefinition", "apiextensions.k8s.io/v1") => {
            CustomResourceDefinition::deserialize(&manifest.value).err()?
        }
        ("CustomResourceDefinition", "apiextensions.k8s.io/v1beta1") => return None,
        ("CustomResourceDefinition", other) => return Some(format!("its apiVersion `{other}` is not supported")),
        _ => return None,
    };
    Some(error.to_string())
}

/// Parses a version like `ParseTolerant` of `github.com/blang/semver`: a leading `v` is allowed, and the minor and
/// patch numbers are optional.
pub(super) fn tolerant_version(text: &str) -> Option<Version> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let (numbers, rest) = text.find(['-', '+']).map_or((text, ""), |at| text.split_at(at));
    let numbers = numbers.split('.').map(|number| match number.trim_start_matches('0') {
        "" if !number.is_empty() => "0",
        trimmed => trimmed,
    });
    let mut numbers: Vec<&str> = numbers.collect();
    if numbers.len() < 3 && !rest.is_empty() {
        return None;
    }
    numbers.resize(numbers.len().max(3), "0");
    Version::parse(&format!("{}{rest}", numbers.join("."))).ok()
}

macro_rules! shape {
    ($($(#[$attribute:meta])* $name:ident { $($key:literal: $of:ty),* $(,)? })*) => {$(
        $(#[$attribute])*
        #[derive(Default)]
        struct $name;

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
                $(
                    if let Some(value) = fields.get($key) {
                        let checked = <$of>::deserialize(value);
                        checked.map_err(|error| serde::de::Error::custom(add_field_prefix($key, &error.to_string())))?;
                    }
                )*
                Ok($name)
            }
        }
    )*};
}

/// Prefixes the reason for a wrong field with the name of the enclosing field.
fn add_field_prefix(key: &str, reason: &str) -> String {
    match reason.strip_prefix('`') {
        Some(inner) if reason.contains("`: ") => format!("`{key}.{inner}"),
        _ => format!("`{key}`: {reason}"),
    }
}

shape! {
    /// A `ClusterServiceVersion` with the fields of operator-framework/api (`pkg/operators/v1alpha1`).
    ServiceVersion { "metadata": ObjectMeta, "spec": Spec }
    Spec {
        "install": Install, "version": String, "maturity": String, "displayName": String, "description": String,
        "minKubeVersion": String, "replaces": String, "keywords": Vec<String>, "skips": Vec<String>,
        "maintainers": Vec<BTreeMap<String, String>>, "provider": BTreeMap<String, String>,
        "links": Vec<BTreeMap<String, String>>, "icon": Vec<Icon>, "installModes": Vec<InstallMode>,
        "labels": BTreeMap<String, String>, "annotations": BTreeMap<String, String>,
        "relatedImages": Vec<RelatedImage>, "webhookdefinitions": Vec<Webhook>,
        "customresourcedefinitions": Definitions, "apiservicedefinitions": Definitions,
    }
    Install { "strategy": String, "spec": Strategy }
    Strategy { "deployments": Vec<Deployment>, "permissions": Vec<Permission>, "clusterPermissions": Vec<Permission> }
    Deployment { "name": String, "spec": DeploymentSpec, "label": BTreeMap<String, String> }
    Permission { "serviceAccountName": String, "rules": Vec<PolicyRule> }
    Icon { "base64data": String, "mediatype": String }
    InstallMode { "type": String, "supported": bool }
    RelatedImage { "name": String, "image": String }
    Definitions { "owned": Vec<Described>, "required": Vec<Described> }
    Described {
        "name": String, "group": String, "version": String, "kind": String, "displayName": String,
        "description": String, "deploymentName": String, "containerPort": i32, "resources": Vec<Reference>,
        "specDescriptors": Vec<Descriptor>, "statusDescriptors": Vec<Descriptor>,
    }
    Reference { "name": String, "kind": String, "version": String }
    Descriptor { "path": String, "displayName": String, "description": String, "x-descriptors": Vec<String> }
    Webhook {
        "generateName": String, "type": String, "deploymentName": String, "containerPort": i32,
        "targetPort": IntOrString, "rules": Vec<RuleWithOperations>, "failurePolicy": String, "matchPolicy": String,
        "sideEffects": String, "timeoutSeconds": i32, "admissionReviewVersions": Vec<String>,
        "reinvocationPolicy": String, "webhookPath": String, "conversionCRDs": Vec<String>,
    }
}
