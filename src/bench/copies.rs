//! Creates copies of a sample, and counts the copies by their status.

use super::cluster::{Cluster, Place, server_request_error};
use super::progress::Progress;
use crate::report::Spinner;
use crate::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;

/// The number of copies that are created at the same time.
const AT_ONCE: usize = 24;
/// The number of objects in one page of a list, and the number of copies between two progress messages.
const PAGE: u32 = 500;

/// Returns the name of the sample, or the lower-case kind of the sample if the sample has no name.
pub(super) fn base_name(sample: &Value) -> String {
    let name = sample["metadata"]["name"].as_str();
    name.map_or_else(|| sample["kind"].as_str().unwrap_or_default().to_lowercase(), str::to_owned)
}

/// Returns the copy of the sample with the name `<base>-<number>`.
fn copy(sample: &Value, base: &str, number: u32) -> Value {
    let mut copy = sample.clone();
    copy["metadata"]["name"] = format!("{base}-{number}").into();
    copy
}

/// Creates `number` copies of the sample.
pub(super) async fn create(
    cluster: &Cluster,
    place: &Place,
    sample: &Value,
    number: u32,
    spinner: &Spinner,
) -> Result<()> {
    let base = &base_name(sample);
    let create = async |one: u32| {
        let created = cluster.make(&place.path, &copy(sample, base, one)).await.map_err(|error| match &error {
            kube::Error::Api(status) if status.code < 500 => refused_object_error(sample, &error),
            _ => server_request_error(&error),
        });
        if one.is_multiple_of(PAGE) {
            spinner.set_message(format!("{one} of {number} copies of `{base}`"));
        }
        created
    };
    stream::iter(1..=number).map(create).buffer_unordered(AT_ONCE).try_collect::<()>().await
}

/// Returns the error for an object that the API server refuses.
pub(super) fn refused_object_error(object: &Value, error: &kube::Error) -> Error {
    let kind = object["kind"].as_str().unwrap_or_default();
    Error::user(format!("the API server refuses the sample `{}` of `{kind}`", base_name(object)))
        .source(error)
        .hint("fix the sample, then run the same command again")
}

/// Counts the objects at the URL path of `place` by their status.
pub(super) async fn progress(cluster: &Cluster, place: &Place) -> Result<Progress> {
    let (mut progress, mut from) = (Progress::default(), String::new());
    loop {
        let path = format!("{}?limit={PAGE}{from}", place.path);
        let page = cluster.request("GET", &path, &Value::Null).await.map_err(|error| server_request_error(&error))?;
        page["items"].as_array().into_iter().flatten().for_each(|object| progress.count(object));
        match page["metadata"]["continue"].as_str() {
            Some(next) if !next.is_empty() => from = format!("&continue={next}"),
            _ => return Ok(progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn copies_differ_in_their_number_alone() {
        let sample = json!({"kind": "Web", "metadata": {"name": "corner", "labels": {"a": "b"}}, "spec": {"size": 1}});
        let base = base_name(&sample);
        let one = copy(&sample, &base, 7);
        let expected =
            json!({"kind": "Web", "metadata": {"name": "corner-7", "labels": {"a": "b"}}, "spec": {"size": 1}});
        assert_eq!(one, expected);
        assert_eq!(base_name(&json!({"kind": "Web", "metadata": {"generateName": "x-"}})), "web");
    }
}
