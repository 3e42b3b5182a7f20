use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use k8s_openapi::api::authentication::v1::TokenReview;
use k8s_openapi::api::authorization::v1::SelfSubjectAccessReview;
async fn f(client: Client) {
    let review = TokenReview { spec, ..TokenReview::default() };
    let reviews = Api::all(client.clone());
    reviews.create(&PostParams::default(), &review).await;
    Api::<SelfSubjectAccessReview>::all(client).create(&params, &mine).await;
}
