//! Rule: a Url is a uri.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "WebAddress", plural = "webaddresses", namespaced)]
pub struct WebAddressSpec {
    pub endpoint: Url,
}
