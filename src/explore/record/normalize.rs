//! Normalizes objects: removes fields that differ between two equal runs, such as identities, times, addresses and
//! counters of the server.

use serde_json::Value;
use std::collections::BTreeMap;

/// The leaf values of an object, by paths such as `.spec.ports[name=http].port`.
pub type Leaves = BTreeMap<String, Value>;

/// The prefix of the annotations and labels that opctl itself writes into objects; comparisons ignore them.
pub const OWN: &str = "explore.opctl.dev/";

/// Fields that the API server or a node sets to another value in each run; comparisons ignore them.
const NEVER: [&str; 18] = [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "managedFields",
    "collisionCount",
    "clusterIP",
    "clusterIPs",
    "podIP",
    "podIPs",
    "hostIP",
    "hostIPs",
    "nodeName",
    "nodePort",
    "healthCheckNodePort",
    "containerID",
    "selfLink",
];

const ANNOTATIONS: [&str; 2] =
    ["kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision"];

/// The name prefix of the volume that the API server adds to a pod (`ServiceAccount` admission).
const TOKEN_VOLUME: &str = "kube-api-access-";

/// Pairs of a text in an object and its replacement, such as the name of the namespace and `{namespace}`.
pub type Words = Vec<(String, String)>;

/// Returns the leaf values of `object` in the form in which they are compared.
pub fn leaves(object: &Value, words: &Words) -> Leaves {
    let mut leaves = Leaves::new();
    let generation = &object["metadata"]["generation"];
    walk(object, String::new(), words, &mut |path, value| {
        let is_generation = path.ends_with(".observedGeneration");
        let leaf = match (is_generation, value == generation) {
            (false, _) => normalized_leaf(value, words),
            (true, true) => "{generation}".into(),
            (true, false) => "{another generation}".into(),
        };
        leaves.insert(path, leaf);
    });
    leaves
}

/// Returns a leaf value in the form in which it is compared: times and the texts in `words` are replaced.
fn normalized_leaf(value: &Value, words: &Words) -> Value {
    let Value::String(text) = value else { return value.clone() };
    if is_time(text) {
        return "{time}".into();
    }
    replace_words(without_suffix(text).to_owned(), words).into()
}

fn replace_words(text: String, words: &Words) -> String {
    let of = |text: String, (word, name): &(String, String)| {
        if text.contains(word) { text.replace(word, name) } else { text }
    };
    words.iter().fold(text, of)
}

/// Removes the random suffix from the name of a pod's token volume. Returns any other text unchanged.
fn without_suffix(text: &str) -> &str {
    if text.starts_with(TOKEN_VOLUME) { TOKEN_VOLUME } else { text }
}

/// Returns true if `text` is a time in RFC 3339 format, the format of all times in Kubernetes.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits =
        |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    text.len() >= 20 && digits(0..4) && digits(5..7) && bytes[4] == b'-' && bytes[10] == b'T' && bytes[13] == b':'
}

fn walk(value: &Value, path: String, words: &Words, leaf: &mut dyn FnMut(String, &Value)) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let in_condition = path.contains("onditions[type=");
            for (key, value) in map.iter().filter(|(key, _)| is_compared(key, in_condition)) {
                // One of letters and digits alone is the name of a field; another one may have a name in it.
                let is_field = key.bytes().all(|byte| byte.is_ascii_alphanumeric());
                let key = if is_field { key.clone() } else { replace_words(key.clone(), words) };
                let dotted = key.contains(['.', '/']);
                let path = if dotted { format!("{path}[\"{key}\"]") } else { format!("{path}.{key}") };
                walk(value, path, words, leaf);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            // Controllers add their finalizers in any order.
            let is_set = path == ".metadata.finalizers";
            for (index, item) in items.iter().enumerate() {
                let value = item.as_str().filter(|_| is_set).map(str::to_owned);
                walk(
                    item,
                    format!("{path}[{}]", value.or_else(|| key_of(item)).unwrap_or_else(|| index.to_string())),
                    words,
                    leaf,
                );
            }
        }
        other => leaf(path, other),
    }
}

fn is_compared(key: &str, in_condition: bool) -> bool {
    if in_condition {
        // The message of a condition may contain names, counts and times.
        return ["type", "status", "reason", "observedGeneration"].contains(&key);
    }
    !NEVER.contains(&key) && !ANNOTATIONS.contains(&key) && !key.starts_with(OWN)
}

/// Returns the text that identifies a list item by its `type` or, without a type, by its `name`, such as
/// `name=http`; `None` if the item has neither field.
fn key_of(item: &Value) -> Option<String> {
    ["type", "name"].iter().find_map(|key| Some(format!("{key}={}", without_suffix(item.get(key)?.as_str()?))))
}

/// Replaces each list index in a path with `*`, so that a field that is masked (not compared) in one list item is
/// masked in all list items.
pub fn general(path: &str) -> String {
    let mut general = String::new();
    for part in path.split_inclusive(']') {
        match part.rsplit_once('[') {
            Some((before, index)) if index.trim_end_matches(']').bytes().all(|byte| byte.is_ascii_digit()) => {
                general.push_str(before);
                general.push_str("[*]");
            }
            _ => general.push_str(part),
        }
    }
    general
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_that_differ_in_each_run_are_removed_or_replaced() {
        let object = json!({
            "metadata": {
                "labels": {"in-explore-7": "a"},
                "name": "web", "namespace": "explore-7", "uid": "u", "finalizers": ["e.com/b", "e.com/a"], "generation": 3, "resourceVersion": "9",
                "annotations": {"a/b": "in explore-7", "deployment.kubernetes.io/revision": "1", "explore.opctl.dev/x": "y"},
            },
            "spec": {"volumes": [{"name": "kube-api-access-29w85"}], "clusterIP": "10.0.0.1", "ports": [{"name": "http", "port": 80, "nodePort": 31000}], "empty": {}},
            "status": {
                "observedGeneration": 3, "since": "2026-01-02T03:04:05Z", "list": [1, 2],
                "conditions": [{"type": "Ready", "status": "True", "message": "m", "lastTransitionTime": "t",
                                "observedGeneration": 2}],
            },
        });
        let words = vec![("explore-7".to_owned(), "{namespace}".to_owned())];
        let found: Vec<String> = leaves(&object, &words).iter().map(|(path, leaf)| format!("{path}={leaf}")).collect();
        assert_eq!(
            found,
            [
                ".metadata.annotations[\"a/b\"]=\"in {namespace}\"",
                ".metadata.finalizers[e.com/a]=\"e.com/a\"",
                ".metadata.finalizers[e.com/b]=\"e.com/b\"",
                ".metadata.labels.in-{namespace}=\"a\"",
                ".metadata.name=\"web\"",
                ".metadata.namespace=\"{namespace}\"",
                ".spec.empty={}",
                ".spec.ports[name=http].name=\"http\"",
                ".spec.ports[name=http].port=80",
                ".spec.volumes[name=kube-api-access-].name=\"kube-api-access-\"",
                ".status.conditions[type=Ready].observedGeneration=\"{another generation}\"",
                ".status.conditions[type=Ready].status=\"True\"",
                ".status.conditions[type=Ready].type=\"Ready\"",
                ".status.list[0]=1",
                ".status.list[1]=2",
                ".status.observedGeneration=\"{generation}\"",
                ".status.since=\"{time}\"",
            ]
        );
    }

    #[test]
    fn an_index_is_general_and_a_key_is_not() {
        assert_eq!(general(".a[0].b[name=x].c[12]"), ".a[*].b[name=x].c[*]");
        assert_eq!(general(".a.b"), ".a.b");
        assert!(is_time("2026-01-02T03:04:05.123Z") && !is_time("2026-01-02") && !is_time("a long text, and no time"));
    }
}
