//! Limits on the size of a CRD.

use crate::finding::{Finding, Lint};
use crate::manifest::lint;
use crate::schema::TOO_LARGE;
use crate::source::discover::ApiType;
use serde_json::Value;

pub(crate) static CLIENT_SIDE_APPLY: Lint = Lint::warning(
    "OP153",
    "a CRD that is too large for client-side `kubectl apply`",
    "`kubectl apply` without `--server-side` keeps a copy of the definition in an annotation. The server says \
     `metadata.annotations: Too long: may not be more than 262144 bytes`.",
    "template: PodTemplateSpec, // 350 KB with all its documentation",
    "opctl manifests --max-description-length 0",
);

/// The maximum total size of an object's annotations in bytes (apimachinery `pkg/api/validation/objectmeta.go`).
/// `kubectl apply` without `--server-side` stores the whole CRD in one annotation.
const ANNOTATIONS: usize = 256 << 10;

/// The maximum size of a request to etcd in bytes (`--max-request-bytes`).
const REQUEST: usize = 3 << 19;

/// Reports a CRD that is too large for etcd or client-side apply, at the type of the storage version.
pub fn size(definition: &Value, stored: &ApiType) -> Option<Finding> {
    let kind = &stored.resource.kind;
    // The length of the annotation as kubectl writes it, beside the other annotations: `<`, `>` and `&` are escaped,
    // and a line break follows.
    let text = serde_json::to_string(definition).ok()?;
    let text = text.len() + 5 * text.matches(['<', '>', '&']).count() + 1;
    let annotations = definition.pointer("/metadata/annotations").and_then(Value::as_object);
    let name = "kubectl.kubernetes.io/last-applied-configuration".len();
    let others: usize =
        annotations.into_iter().flatten().map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    let hint = "opctl manifests --max-description-length 0\n# or replace `PodTemplateSpec` and similar types with a \
         struct of the needed fields";
    if text > REQUEST {
        let reason = format!(
            "the definition of `{kind}` has {text} bytes, but etcd accepts at most {REQUEST} bytes in one request"
        );
        return Some(lint::of_type(stored, ("kind", 0), &TOO_LARGE, reason, hint));
    }
    (text + name + others > ANNOTATIONS).then(|| {
        let reason = format!(
            "the definition of `{kind}` has {text} bytes, but `kubectl apply` copies it into an annotation, and \
             annotations are limited to {ANNOTATIONS} bytes"
        );
        let hint = format!("{hint}\n# or apply the CRD with: opctl install, or kubectl apply --server-side");
        lint::of_type(stored, ("kind", 0), &CLIENT_SIDE_APPLY, reason, hint)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{api_type, version};
    use super::{ANNOTATIONS, REQUEST, size};
    use crate::manifest::definition::definitions;
    use serde_json::{Value, json};

    /// Returns the CRD of a kind whose spec has a description of `bytes` bytes.
    fn described(bytes: usize) -> Value {
        let found = api_type("v1", true);
        let mut version = version(&found, "foos", "f");
        version.schema["properties"]["spec"]["description"] = json!("a".repeat(bytes));
        definitions(vec![version]).0.into_values().next().expect("one").object
    }

    #[test]
    fn large_definitions_are_warned_of_and_huge_ones_refused() {
        // The root of the schema has the description of the spec too.
        let bare = serde_json::to_string(&described(0)).expect("JSON").len();
        let code = |total: usize| {
            let definition = described((total - bare) / 2);
            size(&definition, &api_type("v1", true)).map(|finding| finding.code)
        };
        assert_eq!(code(ANNOTATIONS - 100), None);
        assert_eq!(code(ANNOTATIONS + 2), Some("OP153".to_owned()));
        assert_eq!(code(REQUEST - 2), Some("OP153".to_owned()));
        assert_eq!(code(REQUEST + 2), Some("OP117".to_owned()));
    }
}
