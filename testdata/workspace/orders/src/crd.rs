use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An item that somebody has ordered.
#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(kind = "Item", group = "orders.shop.example.com", version = "v1", namespaced)]
#[kube(status = "ItemStatus")]
pub struct ItemSpec {
    /// The name of the item in the stock.
    pub article: String,
    pub count: u8,
}

#[derive(Deserialize, Serialize, Clone, Default, Debug, JsonSchema)]
pub struct ItemStatus {
    pub sent: bool,
}

/// A price, as it was before there was tax.
#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(kind = "Price", group = "shop.example.com", version = "v1", namespaced, storage = false)]
pub struct PriceSpec {
    pub cents: i64,
}
