//! Lists the metadata of all objects of a kind.

use super::{Attempt, Connection, request_error};
use crate::Result;
use kube::Api;
use kube::api::{DynamicObject, ListParams, ObjectMeta};

/// The number of objects in one page of a list.
const PAGE: u32 = 500;

/// Returns the metadata of all objects of `api`, or of the objects with `labels` if that is not empty. A kind that the
/// cluster does not have (any more) has no objects: discovery still lists a kind for a moment after its CRD is gone.
///
/// # Errors
/// Fails if the server refuses the request.
pub(super) async fn metadata_of_all(
    connection: &Connection,
    api: &Api<DynamicObject>,
    labels: &str,
    attempt: Attempt<'_>,
) -> Result<Vec<ObjectMeta>> {
    metadata(api, labels).await.map_err(|error| request_error(&error, connection, attempt))
}

/// Like [`metadata_of_all`], but returns the server's refusal unchanged.
pub(super) async fn metadata(api: &Api<DynamicObject>, labels: &str) -> kube::Result<Vec<ObjectMeta>> {
    let (mut all, mut parameters) = (Vec::new(), ListParams::default().labels(labels).limit(PAGE));
    loop {
        let page = match api.list_metadata(&parameters).await {
            Ok(page) => page,
            Err(kube::Error::Api(status)) if status.code == 404 => return Ok(all),
            Err(error) => return Err(error),
        };
        all.extend(page.items.into_iter().map(|item| item.metadata));
        match page.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => parameters = parameters.continue_token(&token),
            None => return Ok(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Target;
    use http::{Request, Response};
    use kube::Client;
    use kube::api::ApiResource;
    use kube::client::Body;
    use kube::core::GroupVersionKind;
    use serde_json::json;
    use std::convert::Infallible;

    /// Lists the objects of a server that answers each query with `answer`.
    async fn listed(answer: fn(&str) -> (u16, String)) -> Result<Vec<String>> {
        let server = tower::service_fn(move |request: Request<Body>| async move {
            let (code, body) = answer(request.uri().query().unwrap_or_default());
            let response = Response::builder().status(code).body(Body::from(body.into_bytes()));
            Ok::<_, Infallible>(response.unwrap())
        });
        let client = Client::new(server, "default");
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1", "Web"));
        let api = Api::all_with(client.clone(), &kind);
        let connection = Connection {
            client,
            context: "here".to_owned(),
            server: "https://here".to_owned(),
            target: Target::default(),
        };
        let attempt = Attempt { verb: "list", resource: "webs", name: "webs", namespace: None };
        let all = metadata_of_all(&connection, &api, "a=b", attempt).await?;
        Ok(all.into_iter().filter_map(|metadata| metadata.name).collect())
    }

    fn page(name: &str, next: &str) -> (u16, String) {
        let page = json!({
            "kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": {"continue": next},
            "items": [{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": name}}],
        });
        (200, page.to_string())
    }

    #[tokio::test]
    async fn every_page_is_read_and_a_kind_that_went_has_no_objects() {
        let pages = |query: &str| {
            assert!(query.contains("labelSelector=a%3Db"), "{query}");
            if query.contains("continue=next") { page("second", "") } else { page("first", "next") }
        };
        assert_eq!(listed(pages).await.unwrap(), ["first", "second"]);
        // For an unknown path, the server's answer is not a `Status`.
        assert_eq!(listed(|_| (404, "404 page not found\n".to_owned())).await.unwrap(), [""; 0]);
        let refused = listed(|_| (403, "no\n".to_owned())).await.unwrap_err();
        assert_eq!(refused.message(), "you may not list webs in context `here`");
    }
}
