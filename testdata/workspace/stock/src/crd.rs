use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An item on a shelf.
#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(kind = "Item", group = "stock.shop.example.com", version = "v1", namespaced)]
pub struct ItemSpec {
    pub shelf: String,
    pub pieces: i32,
}

/// A price.
#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(kind = "Price", group = "shop.example.com", version = "v2", namespaced)]
pub struct PriceSpec {
    pub cents: i64,
}

/// An item that comes back.
#[cfg(feature = "returns")]
#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(kind = "Return", group = "stock.shop.example.com", version = "v1", namespaced)]
pub struct ReturnSpec {
    pub shelf: String,
}
