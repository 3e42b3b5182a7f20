//! Finds the entries that other clients have added to the maps and lists of a child.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::difference::{compare, is_same, merged, merges};
use crate::typed::typed;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A key that no map contains, which is inserted to find out if a field is a map.
const PROBE: &str = "\u{0}";
/// The fields that other clients may extend. Controllers extend the last two fields, which are
/// lists of a `ServiceAccount`.
const OPEN: [&str; 4] = ["metadata", "status", "secrets", "imagePullSecrets"];

/// Returns the JSON pointers (RFC 6901) of the entries that `observed` has and `desired` lacks, in
/// the maps and lists that `desired` sets. The pointers are in an order in which the entries can be
/// removed: later items of a list come first.
pub fn foreign<K: Serialize + DeserializeOwned>(desired: &Value, observed: &Value) -> Vec<String> {
    let (mut found, merges) = (Vec::new(), merges(desired));
    // Only the Rust type tells a map, whose keys are anybody's, from an object, which has defaults.
    let is_map = &|at: &str, sample: &Value| {
        let mut probe = desired.clone();
        if let Some(fields) = probe.pointer_mut(at).and_then(Value::as_object_mut) {
            fields.insert(PROBE.to_owned(), sample.clone());
        }
        let read = typed::<K>(&probe.to_string()).and_then(serde_json::to_value);
        read.is_ok_and(|read| read.pointer(&below(at, PROBE)).is_some())
    };
    let fields = desired.as_object().into_iter().flatten();
    for (name, value) in fields.filter(|(name, _)| !OPEN.contains(&&***name)) {
        let at = below("", name);
        let search = Search { is_map, merges };
        search.walk(name, value, &observed[name], (&at, &at), &mut found);
    }
    found.reverse();
    found
}

struct Search<'a> {
    is_map: &'a dyn Fn(&str, &Value) -> bool,
    merges: bool,
}

impl Search<'_> {
    /// Adds to `found` the JSON pointers of entries that only `observed` has: see [`foreign`]. `at`
    /// and `there` are the pointers of the field `name` in the desired and the observed object.
    fn walk(
        &self,
        name: &str,
        desired: &Value,
        observed: &Value,
        (at, there): (&str, &str),
        found: &mut Vec<String>,
    ) {
        match (desired, observed) {
            (Value::Object(desired), Value::Object(observed)) => {
                let is_other = |(key, _): &(&String, &Value)| !desired.contains_key(*key);
                let others = || observed.iter().filter(is_other);
                let mut samples = others().map(|(_, sample)| sample).take(1);
                if samples.any(|sample| (self.is_map)(at, sample)) {
                    let shared = ["annotations", "labels"].contains(&name);
                    let others = others().filter(|(key, _)| !(shared && is_of_kubernetes(key)));
                    found.extend(others.map(|(key, _)| below(there, key)));
                }
                for (key, value) in desired {
                    let observed = observed.get(key).unwrap_or(&Value::Null);
                    let places = (&*below(at, key), &*below(there, key));
                    self.walk(key, value, observed, places, found);
                }
            }
            (Value::Array(items), Value::Array(others)) => {
                let of = if items.is_empty() { observed } else { desired };
                let key = merged(name, of).filter(|_| self.merges);
                let is_same = |item: &Value, other: &Value| match key {
                    Some(key) => is_same(key, item, other),
                    None => compare(item, other, self.merges).is_none(),
                };
                // An item that is stored in another form is not somebody else's.
                let has = |item: &Value| others.iter().any(|other| is_same(item, other));
                let removes = (key.is_some() || !self.merges) && items.iter().all(has);
                for (index, other) in others.iter().enumerate() {
                    let there = format!("{there}/{index}");
                    if let Some(of) = items.iter().position(|item| is_same(item, other)) {
                        let places = (&*format!("{at}/{of}"), &*there);
                        self.walk(name, &items[of], other, places, found);
                    } else if removes {
                        found.push(there);
                    }
                }
            }
            _ => {}
        }
    }
}

fn below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Returns true for a label or annotation of Kubernetes or its tools, such as
/// `kubectl.kubernetes.io/restartedAt`, and for the labels `controller-uid` and `job-name`.
fn is_of_kubernetes(key: &str) -> bool {
    let domain = key.split_once('/').map_or("", |(domain, _)| domain);
    let ends = |of: &str| domain == of || domain.ends_with(&format!(".{of}"));
    ends("kubernetes.io") || ends("k8s.io") || ["controller-uid", "job-name"].contains(&key)
}
