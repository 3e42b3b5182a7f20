//! The types of somebody else's operator, which others can depend on.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[kube(group = "certs.example.io", version = "v1", kind = "Certificate", plural = "certificates", namespaced)]
    #[serde(rename_all = "camelCase")]
    pub struct CertificateSpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub secret_name: Option<String>,
    }

    #[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[kube(group = "certs.example.io", version = "v1", kind = "Authority", plural = "authorities")]
    #[serde(rename_all = "camelCase")]
    pub struct AuthoritySpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub secret_name: Option<String>,
    }
}
