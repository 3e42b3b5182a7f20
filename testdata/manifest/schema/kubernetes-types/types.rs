//! Kubernetes' own types are what controller-gen makes of the Go types of these names.

use k8s_openapi::ByteString;
use k8s_openapi::api::{apps, autoscaling, batch, core, networking, policy, rbac};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{
    Condition, LabelSelector, MicroTime, ObjectMeta, OwnerReference, Time,
};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "cases.example", version = "v1", kind = "Case", plural = "cases", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct CaseSpec {
    pub affinity: core::v1::Affinity,
    pub any: JSON,
    pub behavior: autoscaling::v2::HorizontalPodAutoscalerBehavior,
    #[schemars(with = "String", extend("format" = "byte"))]
    pub bytes: ByteString,
    pub claim: core::v1::PersistentVolumeClaim,
    pub conditions: Vec<Condition>,
    pub config_map_key: core::v1::ConfigMapKeySelector,
    pub cross_reference: autoscaling::v2::CrossVersionObjectReference,
    pub deployment_strategy: apps::v1::DeploymentStrategy,
    pub disruption: policy::v1::PodDisruptionBudgetSpec,
    pub env_from: Vec<core::v1::EnvFromSource>,
    pub ingress: networking::v1::IngressSpec,
    pub limits: BTreeMap<String, Quantity>,
    pub local: core::v1::LocalObjectReference,
    pub max_unavailable: IntOrString,
    pub metadata: ObjectMeta,
    pub metrics: Vec<autoscaling::v2::MetricSpec>,
    pub micro_time: MicroTime,
    pub object: core::v1::ObjectReference,
    pub owner: OwnerReference,
    pub peers: Vec<networking::v1::NetworkPolicyPeer>,
    pub pod_failure_policy: batch::v1::PodFailurePolicy,
    pub quantity: Quantity,
    pub raw: RawExtension,
    pub resources: core::v1::ResourceRequirements,
    pub rules: Vec<rbac::v1::PolicyRule>,
    pub secret_key: core::v1::SecretKeySelector,
    pub selector: LabelSelector,
    pub service: core::v1::ServiceSpec,
    pub success_policy: batch::v1::SuccessPolicy,
    pub template: core::v1::PodTemplateSpec,
    pub time: Time,
    pub typed_local: core::v1::TypedLocalObjectReference,
    pub update_strategy: apps::v1::StatefulSetUpdateStrategy,
}
