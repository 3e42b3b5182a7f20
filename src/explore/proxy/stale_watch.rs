//! The stale response that the proxy gives to a watch request that permits any resource version. The response consists
//! of the objects at a resource version from before the run's current step, such as a change of a sample, followed by
//! the events since that version.
//!
//! A watch with `resourceVersion=0` begins with the state at any version (kubernetes.io, "Kubernetes API Concepts": the
//! semantics of `resourceVersion` for watches, and "Streaming lists"). The API server cannot begin a watch with the
//! state at a chosen earlier version, so opctl combines a list at the earlier version with a watch from this version
//! on.

use hyper::body::Bytes;
use serde_json::{Value, json};

/// Returns true if a watch asks for the existing objects, followed by a bookmark.
pub fn is_streaming(query: &str) -> bool {
    query.split('&').any(|pair| pair == "sendInitialEvents=true")
}

/// Returns the two queries that replace a watch with `query`: a list at `version`, and a watch from `version` on.
pub fn queries(query: &str, version: &str) -> (String, String) {
    let with = |removed: &[&str], more: &[&str]| {
        let is_kept = |pair: &&str| !pair.is_empty() && !removed.iter().any(|key| pair.split('=').next() == Some(key));
        let kept = query.split('&').filter(is_kept).map(str::to_owned);
        let from = std::iter::once(format!("resourceVersion={version}"));
        kept.chain(from).chain(more.iter().map(|pair| (*pair).to_owned())).collect::<Vec<_>>().join("&")
    };
    let version_and_start = ["resourceVersion", "resourceVersionMatch", "sendInitialEvents"];
    let of_watches = ["watch", "timeoutSeconds", "allowWatchBookmarks"];
    let list = with(&[version_and_start, of_watches].concat(), &["resourceVersionMatch=Exact"]);
    (list, with(&version_and_start, &[]))
}

/// Returns the `Accept` header for a list request that replaces a watch request with the header `accept`. The listed
/// objects have the same form as the objects of the watch, for example only their metadata.
pub fn accept_of_list(accept: &str) -> String {
    accept.replace("as=PartialObjectMetadata;", "as=PartialObjectMetadataList;")
}

/// Returns the watch events for the objects of a list, with a bookmark at the end if `streaming` is true.
pub fn events(list: &Value, streaming: bool) -> Vec<Bytes> {
    let kind = list["kind"].as_str().and_then(|kind| kind.strip_suffix("List"));
    let types = json!({"apiVersion": list["apiVersion"], "kind": kind});
    let typed = |object: &Value| {
        let mut whole = types.clone();
        // The items of a list of Kubernetes' own kinds do not state their kind.
        if let (Some(whole), Some(object)) = (whole.as_object_mut(), object.as_object()) {
            whole.extend(object.clone());
        }
        whole
    };
    let line =
        |kind: &str, object: &Value| Bytes::from(format!("{}\n", json!({"type": kind, "object": typed(object)})));
    let objects = list["items"].as_array().into_iter().flatten().map(|object| line("ADDED", object));
    let end = json!({"metadata": {
        "resourceVersion": list["metadata"]["resourceVersion"],
        "annotations": {"k8s.io/initial-events-end": "true"},
    }});
    objects.chain(streaming.then(|| line("BOOKMARK", &end))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_version_and_the_way_of_the_answer_change() {
        let query = "&watch=true&timeoutSeconds=290&labelSelector=a%3Db&allowWatchBookmarks=true&sendInitialEvents=true\
                     &resourceVersionMatch=NotOlderThan&resourceVersion=0";
        assert!(is_streaming(query));
        let (list, watch) = queries(query, "7");
        assert_eq!(list, "labelSelector=a%3Db&resourceVersion=7&resourceVersionMatch=Exact");
        assert_eq!(
            watch,
            "watch=true&timeoutSeconds=290&labelSelector=a%3Db&allowWatchBookmarks=true&resourceVersion=7"
        );
        assert!(!is_streaming("watch=true&resourceVersion=0"));
    }

    #[test]
    fn objects_of_a_list_become_events_that_state_their_kind() {
        let list = json!({"apiVersion": "v1", "kind": "ServiceList", "metadata": {"resourceVersion": "7"}, "items": [
            {"metadata": {"name": "web"}},
            {"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata"},
        ]});
        let events = events(&list, true);
        let events: Vec<Value> = events.iter().map(|line| serde_json::from_slice(line).unwrap()).collect();
        let web = json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}});
        assert_eq!(events[0], json!({"type": "ADDED", "object": web}));
        assert_eq!(events[1]["object"]["kind"], "PartialObjectMetadata");
        assert_eq!(events[2]["object"]["metadata"]["resourceVersion"], "7");
        assert_eq!(events[2]["type"], "BOOKMARK");
        assert_eq!(super::events(&list, false).len(), 2);
    }

    #[test]
    fn a_watch_of_metadata_gets_a_list_of_metadata() {
        let accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
        assert_eq!(accept_of_list(accept), "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
        assert_eq!(accept_of_list("application/json"), "application/json");
    }
}
