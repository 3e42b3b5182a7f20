use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

mod mine {
    use crate::http::Api;
    async fn f(api: Api<super::Pod>) { api.get("a").await; }
}
