//! Divides the objects of the samples into explored objects and other objects, which the explored objects may need.

use serde_json::Value;

/// The conditions under which cluster-scoped samples are explored. Other cluster-scoped samples are created once, for all
/// runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterScoped {
    /// They are explored if no sample has a namespace: a sample with a namespace may name a cluster-scoped sample, which
    /// has another name in each run.
    #[default]
    Alone,
    /// They are explored, because the user has chosen their kinds.
    Chosen,
    /// They are never explored, because an upgrade compares all objects of a namespace.
    Never,
}

/// The objects of a folder of samples, divided into explored objects and other objects.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The objects that the steps of the scenario create, change and delete.
    pub explored: Vec<Value>,
    /// All objects of the folder of samples that the steps do not change.
    pub others: Vec<Value>,
    /// The conditions under which the cluster-scoped objects in `explored` are explored.
    pub cluster_scoped: ClusterScoped,
}

impl Samples {
    /// Chooses the first object of each kind in `kinds`. If `kinds` is empty, chooses the first object of each custom
    /// kind, or of each built-in kind if there is no custom kind.
    pub fn choose(objects: Vec<Value>, kinds: &[String]) -> Samples {
        let has_custom = objects.iter().any(|object| !is_built_in(object));
        let is_wanted = |object: &Value| match kinds {
            [] => !has_custom || !is_built_in(object),
            _ => object["kind"].as_str().is_some_and(|kind| kinds.iter().any(|wanted| wanted == kind)),
        };
        let cluster_scoped = if kinds.is_empty() { ClusterScoped::Alone } else { ClusterScoped::Chosen };
        let mut samples = Samples { cluster_scoped, ..Samples::default() };
        for object in objects {
            let is_new = !samples.explored.iter().any(|other| is_same_kind(other, &object));
            let list = if is_new && is_wanted(&object) { &mut samples.explored } else { &mut samples.others };
            list.push(object);
        }
        samples
    }

    /// Moves all objects of the explored kinds from the other objects to the explored objects, because an upgrade has
    /// to keep every object of these kinds. If several objects have the same kind and name, because a sample exists in
    /// several API versions, only the first of them is explored.
    #[must_use]
    pub fn with_all_of_their_kinds(self) -> Samples {
        let Samples { mut explored, others: rest, .. } = self;
        let mut others = Vec::new();
        for object in rest {
            let mut of_kind = explored.iter().filter(|one| is_same_kind(one, &object)).peekable();
            let name = &object["metadata"]["name"];
            let is_new = of_kind.peek().is_some() && of_kind.all(|one| one["metadata"]["name"] != *name);
            let list = if is_new { &mut explored } else { &mut others };
            list.push(object);
        }
        Samples { explored, others, cluster_scoped: ClusterScoped::Never }
    }
}

/// Returns the group of an object; empty for the core group.
fn group(object: &Value) -> &str {
    object["apiVersion"].as_str().and_then(|version| version.split_once('/')).map_or("", |(group, _)| group)
}

pub fn is_built_in(object: &Value) -> bool {
    !group(object).contains('.') || group(object).ends_with(".k8s.io")
}

/// Returns true if two objects are of the same group and kind.
pub fn is_same_kind(one: &Value, other: &Value) -> bool {
    group(one) == group(other) && one["kind"] == other["kind"]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn built_in_kinds_are_needed_by_others() {
        let object = |version: &str, kind: &str, name: &str| json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}});
        let secret = |name| object("v1", "Secret", name);
        let (web, second) = (object("e.com/v1", "Web", "a"), object("e.com/v1", "Web", "b"));
        let class = object("e.com/v1", "Class", "gold");
        let names = |objects: &[Value]| -> Vec<String> {
            objects.iter().map(|object| object["metadata"]["name"].as_str().unwrap().to_owned()).collect()
        };
        for (objects, kinds, explored, others) in [
            (
                vec![secret("s"), web.clone(), second.clone(), secret("t"), class.clone()],
                &[][..],
                vec!["a", "gold"],
                vec!["s", "b", "t"],
            ),
            (vec![secret("s"), secret("t")], &[], vec!["s"], vec!["t"]),
            (vec![secret("s"), web.clone(), class], &["Class"], vec!["gold"], vec!["s", "a"]),
            (vec![secret("s"), web], &["Secret"], vec!["s"], vec!["a"]),
        ] {
            let kinds: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
            let chosen = Samples::choose(objects, &kinds);
            assert_eq!(names(&chosen.explored), explored);
            assert_eq!(names(&chosen.others), others);
        }
    }

    #[test]
    fn an_upgrade_has_each_object_of_the_explored_kinds() {
        let object = |version: &str, kind: &str, name: &str| json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}});
        let (first, second) = (object("e.com/v1", "Web", "a"), object("e.com/v2", "Web", "b"));
        let (again, secret) = (object("e.com/v2", "Web", "a"), object("v1", "Secret", "s"));
        let all = [&first, &again, &secret, &second].map(Clone::clone).to_vec();
        let samples = Samples::choose(all, &[]).with_all_of_their_kinds();
        assert_eq!((samples.explored, samples.others), (vec![first, second], vec![again, secret]));
    }
}
