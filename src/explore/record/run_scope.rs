//! The objects that belong to one run of an exploration. All runs share an API server, and each run has a namespace.
//!
//! If cluster-scoped samples are explored, objects outside of this namespace belong to the run as well. The name of such
//! a sample ends with the name of the namespace, such as `gold-explore-7`, and operators name children after their
//! owners: an object belongs to the run if its name, or the name of its namespace, contains this ending. The operator
//! gets no objects of other runs. The ending is removed from everything that opctl records, because the recordings of
//! two runs are compared.

use super::call::Call;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The beginning of the name of each run's namespace. A number follows.
const NAMESPACE: &str = "explore-";

/// The namespace of an object, and its name on the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The namespace; `None` for a cluster-scoped object.
    pub namespace: Option<String>,
    /// The name, with the ending of the run if the name contains this ending.
    pub name: String,
}

/// Decides which objects of the API server belong to a run.
#[derive(Debug)]
pub struct RunScope {
    namespace: String,
    /// True if cluster-scoped samples are explored, and objects outside of the namespace may belong to the run.
    cluster_wide: bool,
    outside: Mutex<Outside>,
}

/// The objects outside of the run's namespace that the operator has written or watched.
#[derive(Debug, Default)]
struct Outside {
    /// The places of the objects, by recorded resource and name.
    places: BTreeMap<String, Place>,
    /// The objects that the operator has written, although they belong to no run.
    shared: BTreeSet<String>,
}

/// Returns the name of a run's namespace.
pub fn namespace_of_run(number: u32) -> String {
    format!("{NAMESPACE}{number}")
}

impl RunScope {
    /// Returns the scope of the run with this namespace.
    pub fn new(namespace: &str, cluster_wide: bool) -> RunScope {
        RunScope { namespace: namespace.to_owned(), cluster_wide, outside: Mutex::default() }
    }

    /// Returns true if objects outside of the run's namespace may belong to the run.
    pub fn is_cluster_wide(&self) -> bool {
        self.cluster_wide
    }

    /// Returns the name of the run's namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    fn outside(&self) -> MutexGuard<'_, Outside> {
        self.outside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the name that a cluster-scoped sample with the name `name` has in this run.
    pub fn name_in_run<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.cluster_wide { format!("{name}-{}", self.namespace).into() } else { name.into() }
    }

    /// Returns the name or text without the ending of the run.
    pub fn plain_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.cluster_wide || !text.contains(&self.namespace) {
            return text.into();
        }
        let ending = format!("-{}", self.namespace);
        let (mut plain, mut rest) = (String::new(), text);
        while let Some(at) = rest.find(&ending) {
            let (before, after) = (&rest[..at], &rest[at + ending.len()..]);
            plain.push_str(before);
            // `-explore-1` is also the beginning of `-explore-17`.
            if after.starts_with(|next: char| next.is_ascii_digit()) {
                plain.push_str(&ending);
            }
            rest = after;
        }
        plain.push_str(rest);
        plain.into()
    }

    /// Removes the ending of the run from all texts of a value.
    pub fn make_plain(&self, value: &mut Value) {
        if !self.cluster_wide {
            return;
        }
        match value {
            Value::String(text) => {
                if let Cow::Owned(plain) = self.plain_text(text) {
                    *text = plain;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.make_plain(item)),
            Value::Object(map) => {
                let plain = |(key, mut value): (String, Value)| {
                    self.make_plain(&mut value);
                    (self.plain_text(&key).into_owned(), value)
                };
                *map = std::mem::take(map).into_iter().map(plain).collect();
            }
            _ => {}
        }
    }

    /// Returns the request without the ending of the run in the object's name, and stores the place of an object that
    /// the request writes.
    pub fn plain_call(&self, mut call: Call) -> Call {
        if !self.cluster_wide {
            return call;
        }
        let Some(name) = call.name.take() else { return call };
        call.name = Some(self.plain_text(&name).into_owned());
        if call.writes() && !call.is_housekeeping() && !name.ends_with('*') {
            let place = Place { namespace: call.namespace.clone(), name };
            if !self.has(&place) {
                self.outside().shared.insert(call.object());
            }
            self.outside().places.insert(call.object(), place);
        }
        call
    }

    /// Returns an object of a watch event without the ending of the run, and stores the place of the object.
    pub fn plain_object<'o>(&self, collection: &str, object: &'o Value) -> Cow<'o, Value> {
        if !self.cluster_wide {
            return Cow::Borrowed(object);
        }
        let mut plain = object.clone();
        self.make_plain(&mut plain);
        if let (Some(place), Some(name)) = (place_of(object), plain["metadata"]["name"].as_str()) {
            self.outside().places.entry(format!("{collection}/{name}")).or_insert(place);
        }
        Cow::Owned(plain)
    }

    /// Returns the place of a recorded object such as `services/web`; `None` if the object is not known to be outside
    /// of the run's namespace.
    pub fn place(&self, object: &str) -> Option<Place> {
        self.outside().places.get(object).cloned()
    }

    /// Returns the objects that the operator has written, although they belong to no run: their names are the same in
    /// each run, so that concurrent runs change the same objects.
    pub fn shared_objects(&self) -> BTreeSet<String> {
        self.outside().shared.clone()
    }

    fn has(&self, place: &Place) -> bool {
        place.namespace.as_deref() == Some(self.namespace.as_str())
            || place.texts().any(|text| run_names(text).any(|name| name == self.namespace))
    }

    /// Returns true if the object belongs to this run.
    pub fn owns(&self, object: &Value) -> bool {
        place_of(object).is_some_and(|place| self.has(&place))
    }

    /// Returns true if the object belongs to another run, so that the operator of this run must not get the object.
    pub fn hides(&self, object: &Value) -> bool {
        let Some(place) = place_of(object).filter(|_| self.cluster_wide) else { return false };
        !self.has(&place) && place.texts().any(|text| run_names(text).next().is_some())
    }

    /// Removes the objects of other runs from a list.
    pub fn retain_visible(&self, list: &mut Value) {
        if let Some(items) = list["items"].as_array_mut() {
            items.retain(|object| !self.hides(object));
        }
    }
}

impl Place {
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.namespace.as_deref().into_iter().chain([self.name.as_str()])
    }
}

fn place_of(object: &Value) -> Option<Place> {
    let text = |key: &str| object["metadata"][key].as_str().map(str::to_owned);
    Some(Place { namespace: text("namespace"), name: text("name")? })
}

/// Returns the names of the namespaces of runs that occur in a text, such as `explore-7` in `gold-explore-7-viewer`.
fn run_names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(NAMESPACE).filter_map(|(at, _)| {
        let digits = text[at + NAMESPACE.len()..].bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| &text[at..at + NAMESPACE.len() + digits])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(namespace: Option<&str>, name: &str) -> Value {
        json!({"metadata": {"namespace": namespace, "name": name}})
    }

    #[test]
    fn names_are_recorded_without_the_ending_of_the_run() {
        let scope = RunScope::new("explore-1", true);
        assert_eq!(scope.name_in_run("gold"), "gold-explore-1");
        for (text, plain) in [
            ("gold-explore-1", "gold"),
            ("gold-explore-1-viewer", "gold-viewer"),
            ("a-explore-1/b-explore-1", "a/b"),
            ("gold-explore-17", "gold-explore-17"),
            ("gold-explore-17 and gold-explore-1", "gold-explore-17 and gold"),
            ("explore-1", "explore-1"),
            ("gold", "gold"),
        ] {
            assert_eq!(scope.plain_text(text), plain);
        }
        let mut value = json!({"of-explore-1": ["a-explore-1", 1], "metadata": {"name": "b-explore-1"}});
        scope.make_plain(&mut value);
        assert_eq!(value, json!({"of": ["a", 1], "metadata": {"name": "b"}}));
    }

    #[test]
    fn an_operator_sees_its_own_objects_and_those_of_no_run() {
        let scope = RunScope::new("explore-1", true);
        for (namespace, name, owned, hidden) in [
            (None, "gold-explore-1", true, false),
            (None, "gold-explore-17", false, true),
            (None, "gold", false, false),
            (Some("explore-1"), "web", true, false),
            (Some("explore-2"), "web", false, true),
            (Some("gold-explore-1"), "web", true, false),
            (Some("default"), "gold-explore-2-web", false, true),
            (Some("default"), "web", false, false),
            (Some("explore-x"), "web", false, false),
        ] {
            let object = object(namespace, name);
            assert_eq!((scope.owns(&object), scope.hides(&object)), (owned, hidden), "{object}");
            assert!(!RunScope::new("explore-1", false).hides(&object));
        }
        let mut list = json!({"items": [object(None, "a-explore-2"), object(None, "a-explore-1")]});
        scope.retain_visible(&mut list);
        assert_eq!(list["items"], json!([object(None, "a-explore-1")]));
    }

    #[test]
    fn the_place_of_a_written_object_is_found_by_its_recorded_name() {
        let scope = RunScope::new("explore-1", true);
        let call = |method: &str, path: &str| scope.plain_call(Call::parse(method, path, "").unwrap()).to_string();
        let child = "/api/v1/namespaces/default/services/gold-explore-1";
        assert_eq!(call("PATCH", child), "patch:services/gold");
        let place = |namespace: Option<&str>, name: &str| {
            Some(Place { namespace: namespace.map(str::to_owned), name: name.to_owned() })
        };
        assert_eq!(scope.place("services/gold"), place(Some("default"), "gold-explore-1"));
        assert_eq!(call("GET", "/api/v1/namespaces/default/secrets/key"), "get:secrets/key");
        assert_eq!((scope.place("secrets/key"), scope.shared_objects().len()), (None, 0));
        assert_eq!(call("PATCH", "/api/v1/namespaces/team"), "patch:namespaces/team");
        assert_eq!(scope.shared_objects().into_iter().collect::<Vec<_>>(), ["namespaces/team"]);
        let pod = object(Some("n-explore-1"), "p-explore-1");
        assert_eq!(*scope.plain_object("pods", &pod), object(Some("n"), "p"));
        assert_eq!(scope.place("pods/p"), place(Some("n-explore-1"), "p-explore-1"));
    }
}
