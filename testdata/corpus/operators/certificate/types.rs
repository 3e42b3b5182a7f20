//! Rule: a type in the habits of a certificate manager: durations as text, references, usages, a status with conditions.

use k8s_openapi::api::core::v1::SecretKeySelector;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "Certificate",
    plural = "certificates",
    namespaced,
    status = "CertificateStatus",
    shortname = "crt",
    category = "certs",
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status"),
    printcolumn(name = "Secret", type_ = "string", json_path = ".spec.secretName"),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp",
        description = "Since when it is there."
    )
)]
#[serde(rename_all = "camelCase")]
/// What should be signed, by whom, and where it is kept.
pub struct CertificateSpec {
    /// The secret that key and certificate are written to.
    #[schemars(length(min = 1, max = 253))]
    pub secret_name: String,
    /// Who signs.
    pub issuer_ref: IssuerReference,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dns_names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ip_addresses: Vec<String>,
    /// For how long it is valid, such as `2160h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<kube::core::Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 99))]
    pub renew_before_percentage: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub usages: Vec<KeyUsage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_key: Option<PrivateKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keystores: Option<Keystores>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_template: Option<SecretTemplate>,
    #[serde(rename = "isCA", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_ca: bool,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct IssuerReference {
    pub name: String,
    #[serde(default = "issuer")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

fn issuer() -> String {
    "Issuer".to_owned()
}

/// What a key may be used for.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum KeyUsage {
    #[serde(rename = "digital signature")]
    DigitalSignature,
    #[serde(rename = "key encipherment")]
    KeyEncipherment,
    #[serde(rename = "server auth")]
    ServerAuth,
    #[serde(rename = "client auth")]
    ClientAuth,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct PrivateKey {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_policy: Option<RotationPolicy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[allow(clippy::upper_case_acronyms)]
pub enum Algorithm {
    RSA,
    ECDSA,
    Ed25519,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum RotationPolicy {
    Never,
    Always,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Keystores {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jks: Option<Keystore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pkcs12: Option<Keystore>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Keystore {
    pub create: bool,
    pub password_secret_ref: SecretKeySelector,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct SecretTemplate {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct CertificateStatus {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_after: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
}
