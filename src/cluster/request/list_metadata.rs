//! Lists objects page by page.

use crate::Result;
use crate::cluster::{Attempt, Connection, request_error};
use kube::Api;
use kube::api::{DynamicObject, ListMeta, ListParams, ObjectList, ObjectMeta};

/// The number of objects in one page of a list.
pub const PAGE: u32 = 500;

/// Calls `each` with every page of a list, up to the last page or until `each` returns false. `list` is [`Api::list`]
/// or [`Api::list_metadata`].
///
/// # Errors
/// Fails if the server refuses a request.
pub async fn each_page<K, T: Clone>(
    api: &Api<K>,
    list: impl AsyncFn(&Api<K>, &ListParams) -> kube::Result<ObjectList<T>>,
    mut parameters: ListParams,
    mut each: impl FnMut(ObjectList<T>) -> bool,
) -> kube::Result<()> {
    loop {
        let page = list(api, &parameters).await?;
        parameters.continue_token = next_page(&page.metadata);
        if !each(page) || parameters.continue_token.is_none() {
            return Ok(());
        }
    }
}

/// Returns the continue token of the page after the page with `metadata`; `None` for the last page.
pub fn next_page(metadata: &ListMeta) -> Option<String> {
    metadata.continue_.clone().filter(|token| !token.is_empty())
}

/// Returns the number of all objects in a list. `metadata` is from the last page that was read, and `read` is the
/// number of objects read so far. Returns `None` if the server does not report the number of remaining objects.
pub fn total(metadata: &ListMeta, read: u64) -> Option<u64> {
    let remaining = metadata.remaining_item_count.and_then(|number| u64::try_from(number).ok());
    let is_last = next_page(metadata).is_none();
    remaining.or(is_last.then_some(0)).map(|remaining| read + remaining)
}

/// Counts the objects of `api` without reading all of them; returns `None` if the server does not report the number.
///
/// # Errors
/// Fails if the server refuses the request.
pub async fn count(api: &Api<DynamicObject>) -> kube::Result<Option<u64>> {
    let page = api.list_metadata(&ListParams::default().limit(1)).await?;
    Ok(total(&page.metadata, page.items.len() as u64))
}

/// Returns the metadata of all objects of `api` that match the label selector `labels`, which may be empty. Returns no
/// objects for a kind that the cluster does not serve, instead of an error: discovery still lists a kind for a moment
/// after its CRD is deleted, so that callers may ask for such a kind.
///
/// # Errors
/// Fails if the server refuses the request.
pub async fn metadata_of_all(
    connection: &Connection,
    api: &Api<DynamicObject>,
    labels: &str,
    attempt: Attempt<'_>,
) -> Result<Vec<ObjectMeta>> {
    metadata(api, labels).await.map_err(|error| request_error(&error, connection, attempt))
}

/// Returns the metadata of all objects like [`metadata_of_all`], but returns the server's error unchanged.
pub async fn metadata(api: &Api<DynamicObject>, labels: &str) -> kube::Result<Vec<ObjectMeta>> {
    let mut all = Vec::new();
    let parameters = ListParams::default().labels(labels).limit(PAGE);
    let read = each_page(api, Api::list_metadata, parameters, |page| {
        all.extend(page.items.into_iter().map(|item| item.metadata));
        true
    });
    match read.await {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(all),
        read => read.map(|()| all),
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

    /// Returns an API client for a fake server. `answer` gets the query string of a request, and returns the status
    /// code and the body of the response.
    fn api_of(answer: fn(&str) -> (u16, String)) -> Api<DynamicObject> {
        let server = tower::service_fn(move |request: Request<Body>| async move {
            let (code, body) = answer(request.uri().query().unwrap_or_default());
            let response = Response::builder().status(code).body(Body::from(body.into_bytes()));
            Ok::<_, Infallible>(response.unwrap())
        });
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1", "Web"));
        Api::all_with(Client::new(server, "default"), &kind)
    }

    async fn listed(answer: fn(&str) -> (u16, String)) -> Result<Vec<String>> {
        let api = api_of(answer);
        let connection = Connection {
            client: api.clone().into_client(),
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

    #[tokio::test]
    async fn no_more_pages_are_read_than_wanted() {
        let endless = api_of(|_| page("one", "next"));
        let mut pages = 0;
        let read = each_page(&endless, Api::list_metadata, ListParams::default(), |_| {
            pages += 1;
            pages < 3
        });
        read.await.unwrap();
        assert_eq!(pages, 3);
    }
}
