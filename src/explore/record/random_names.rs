//! Finds objects whose names differ between equal runs; each such name is `*` in a plan.

use super::journal::{Entry, Event};
use crate::explore::plan::fault_plan::Step;
use std::collections::{BTreeMap, BTreeSet};

/// The resources whose objects have random names, and the objects that have the same name in every run.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The resources whose objects have random names, found by comparing two runs without a fault: in each of the two
    /// runs, the operator sends requests for objects of the resource that do not occur in the requests of the other
    /// run.
    random: BTreeSet<String>,
    /// The objects for which the operator sends requests in both of two runs without a fault.
    fixed: BTreeSet<String>,
}

impl Names {
    /// Finds the random names in two undisturbed runs.
    pub fn of(one: &[Entry], other: &[Entry]) -> Names {
        let objects = |journal: &[Entry]| -> BTreeSet<String> {
            let requests = journal.iter().filter_map(Entry::request);
            requests.filter_map(|request| Some(split(request.parts().1)?.0.to_owned())).collect()
        };
        let (one, other) = (objects(one), objects(other));
        let resources = |objects: &BTreeSet<String>, others: &BTreeSet<String>| -> BTreeSet<String> {
            objects.difference(others).map(|object| resource(object).to_owned()).collect()
        };
        let random = &resources(&one, &other) & &resources(&other, &one);
        Names { random, fixed: &one & &other }
    }

    /// Returns an object and its subresource in the notation of fault plans, with `*` instead of a random name.
    pub fn canonical(&self, object: &str) -> String {
        match split(object) {
            Some((named, subresource)) if self.is_random(named) => format!("{}/*{subresource}", resource(named)),
            _ => object.to_owned(),
        }
    }

    /// Returns a request in the notation of fault plans, such as `patch:configmaps/*`.
    pub fn request(&self, request: &str) -> String {
        match request.split_once(':') {
            Some((verb, object)) => format!("{verb}:{}", self.canonical(object)),
            None => request.to_owned(),
        }
    }

    /// Returns `object` if its name differs from run to run.
    pub fn varying(&self, object: &str) -> Option<String> {
        (self.canonical(object) != object).then(|| object.to_owned())
    }

    fn is_random(&self, object: &str) -> bool {
        self.random.contains(resource(object)) && !self.fixed.contains(object)
    }

    /// Marks each request in the journal whose object has a name that differs from run to run: stores the actual name
    /// of the object in `Request::named`, and does not change the text of the request.
    pub fn mark_names(&self, mut journal: Vec<Entry>) -> Vec<Entry> {
        for entry in &mut journal {
            if let Event::Request(request) = &mut entry.event {
                request.named = self.varying(request.parts().1);
            }
        }
        journal
    }

    /// Replaces random names in the journal with `*`, as in fault plans. Several requests of a step may then have the
    /// same text, so that this method numbers them again: `#1`, `#2` and so on.
    pub fn rename(&self, mut journal: Vec<Entry>) -> Vec<Entry> {
        let mut counts: BTreeMap<(Step, String), u32> = BTreeMap::new();
        for entry in &mut journal {
            match &mut entry.event {
                Event::Request(request) => {
                    let (name, _) = request.request.rsplit_once('#').unwrap_or((&request.request, ""));
                    let name = self.request(name);
                    let count = counts.entry((entry.step, name.clone())).or_default();
                    *count += 1;
                    request.request = format!("{name}#{count}");
                }
                Event::Told(text) => {
                    if let Some((kind, object)) = text.split_once(' ') {
                        *text = format!("{kind} {}", self.canonical(object));
                    }
                }
                _ => {}
            }
        }
        journal
    }
}

/// Splits `services/web/status` into `services/web` and `/status`; returns `None` for a resource without a name.
fn split(object: &str) -> Option<(&str, &str)> {
    let name = object.find('/')? + 1;
    let end = object[name..].find('/').map_or(object.len(), |end| name + end);
    Some(object.split_at(end))
}

fn resource(object: &str) -> &str {
    object.split('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::record::journal::Request;
    use std::time::Duration;

    fn journal(requests: &[&str]) -> Vec<Entry> {
        let entry = |request: &&str| {
            let request = Request { request: (*request).to_owned(), ..Request::default() };
            Entry { at: Duration::ZERO, step: Step::Create, event: Event::Request(request) }
        };
        requests.iter().map(entry).collect()
    }

    #[test]
    fn names_that_differ_between_equal_runs_are_random() {
        let one = journal(&["patch:configmaps/record#1", "create:configmaps/a-17#1", "patch:configmaps/a-17/x#1"]);
        let other =
            journal(&["patch:configmaps/record#1", "create:configmaps/a-42#1", "list:services#1", "get:pods/p#1"]);
        let names = Names::of(&one, &other);
        for (request, expected) in [
            ("create:configmaps/a-99", "create:configmaps/*"),
            ("patch:configmaps/a-99/x", "patch:configmaps/*/x"),
            ("patch:configmaps/record", "patch:configmaps/record"),
            ("list:configmaps", "list:configmaps"),
            ("get:pods/q", "get:pods/q"),
        ] {
            assert_eq!(names.request(request), expected);
        }
        let told = Entry { event: Event::Told("ADDED configmaps/a-5".to_owned()), ..one[0].clone() };
        let two = [journal(&["create:configmaps/a-1#1", "create:configmaps/a-2#1"]), vec![told]].concat();
        let renamed: Vec<String> = names.rename(two).iter().map(|entry| format!("{:?}", entry.event)).collect();
        assert!(renamed[1].contains("\"create:configmaps/*#2\""), "{renamed:?}");
        assert_eq!(renamed[2], "Told(\"ADDED configmaps/*\")");
    }
}
