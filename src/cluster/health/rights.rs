//! Checks that the user has the rights that the project's commands need.

use crate::cluster::Connection;
use crate::error::{Hint, hint};
use crate::report::Check;
use futures_util::future::join_all;
use k8s_openapi::api::authorization::v1::{ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec};
use kube::Api;
use kube::api::PostParams;

/// Rights, each with the command that needs it: command, verb, group, resource, and true if the right is only needed in
/// the operator's namespace.
const RIGHTS: [(&str, &str, &str, &str, bool); 7] = [
    ("install", "patch", "apiextensions.k8s.io", "customresourcedefinitions", false),
    ("deploy", "patch", "apps", "deployments", true),
    ("deploy", "patch", "rbac.authorization.k8s.io", "clusterroles", false),
    ("undeploy", "delete", "apps", "deployments", true),
    ("status", "list", "", "pods", true),
    ("status", "get", "coordination.k8s.io", "leases", true),
    ("logs", "get", "", "pods/log", true),
];

/// Asks the server if the user has each right in `RIGHTS`; `namespace` is the operator's namespace.
pub(super) async fn rights(connection: &Connection, namespace: &str) -> Vec<Check> {
    let ask = |(command, verb, group, resource, within): (&'static str, &str, &str, &str, bool)| {
        let (name, part) = resource.split_once('/').map_or((resource, None), |(name, part)| (name, Some(part)));
        let attributes = ResourceAttributes {
            group: Some(group.to_owned()),
            namespace: within.then(|| namespace.to_owned()),
            resource: Some(name.to_owned()),
            subresource: part.map(str::to_owned),
            verb: Some(verb.to_owned()),
            ..ResourceAttributes::default()
        };
        let review = SelfSubjectAccessReview {
            spec: SelfSubjectAccessReviewSpec { resource_attributes: Some(attributes), ..Default::default() },
            ..Default::default()
        };
        let within = if within { hint!(" --namespace {namespace}", namespace) } else { Hint::default() };
        let question = connection.kubectl(hint!("auth can-i {verb} {resource}{within}", verb, resource, within));
        let api: Api<SelfSubjectAccessReview> = Api::all(connection.client.clone());
        let lacking = format!("you lack the permission to {verb} {resource}, which `opctl {command}` needs");
        async move {
            let allowed = api.create(&PostParams::default(), &review).await;
            let allowed = allowed.map(|review| review.status.unwrap_or_default().allowed);
            match allowed {
                Ok(true) => None,
                Ok(false) => Some(Check::warning(
                    "rights",
                    lacking,
                    hint!("{question}    # if the answer is no, ask an administrator", question),
                )),
                Err(error) => {
                    Some(Check::warning("rights", format!("your permissions cannot be checked: {error}"), question))
                }
            }
        }
    };
    let lacking: Vec<Check> = join_all(RIGHTS.map(ask)).await.into_iter().flatten().collect();
    if lacking.is_empty() {
        vec![Check::ok("rights", "you have all permissions that opctl's commands need")]
    } else {
        lacking
    }
}
