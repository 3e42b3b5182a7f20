//! The properties that must hold when an operator and its clients have handled all events.

use crate::across;
use crate::model::Request;
use crate::operator::{OPERATOR, Spec, Status, data, rules};
use crate::page::{PART, Page};
use crate::passes::Pass;
use crate::run::{Run, Scenario};
use crate::user::{self, NAMES, is_ours};
use crate::world::Open;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use runtime::Name;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A reconciled object: a `Web` or a `Page`.
struct Subject {
    plural: &'static str,
    name: String,
    metadata: ObjectMeta,
    spec: Spec,
    status: Status,
    /// True if the object's ConfigMap cannot be made, because an object of that name has another owner.
    taken: bool,
}

impl Subject {
    fn children(&self) -> &'static [&'static str] {
        if self.plural == "webs" { &["configmaps", "roles"] } else { &["configmaps"] }
    }

    /// Returns true if `open` is a watch of this object's controller, and its events are held back.
    fn is_deaf(&self, open: &Open) -> bool {
        let of_page = match open.watch.request.kind.plural {
            "configmaps" => open.watch.request.asks("labelSelector").is_some_and(|labels| labels.contains(PART)),
            plural => plural == "pages",
        };
        open.held && of_page == (self.plural == "pages")
    }
}

impl Run {
    /// Checks the properties at the end: at rest, after a touch of every object, a restart, and all deletions.
    pub(crate) async fn judge(&mut self) {
        if self.scenario == Scenario::Beside {
            self.rest_beside_the_held().await;
            self.converged("beside a watch that is held");
        }
        self.rest().await;
        self.converged("at rest");
        self.without_dangling_children("at rest");
        self.passed();
        self.mirrored("at rest");

        // A touch is followed by a pass that shows what the caches hold.
        let before = self.writes();
        self.users(13, 4);
        self.rest().await;
        self.passed();
        self.cached();
        self.nothing_written(before, "after a touch");
        self.mirrored("after a touch");

        self.stop().await;
        self.start_again();
        let before = self.writes();
        self.rest().await;
        self.cached();
        self.nothing_written(before, "after a restart");
        self.converged("after a restart");
        self.without_dangling_children("after a restart");
        self.mirrored("after a restart");

        self.users(3, 1);
        self.rest().await;
        self.deleted();
        self.on_gone_was_called();
        self.stop().await;
        let wrong = std::mem::take(&mut self.world.lock().rules.wrong);
        self.wrong.extend(wrong);
    }

    /// Carries out the same action on all objects of each kind.
    fn users(&self, act: u8, act_on_page: u8) {
        let mut world = self.world.lock();
        for name in NAMES {
            user::act(&mut world, name, act);
            user::act_on_page(&mut world, name, act_on_page);
        }
    }

    fn object(&self, plural: &'static str, name: &str) -> Option<Arc<Value>> {
        let world = self.world.lock();
        let namespace = if plural == "roles" { world.roles } else { "ns" };
        world.server.get(&(plural, namespace.to_owned(), name.to_owned()))
    }

    fn subjects(&self) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for plural in ["webs", "pages"] {
            let all = self.world.lock().server.all(plural);
            // Both kinds have the same fields.
            for Page { metadata, spec, status } in
                all.iter().map(|object| serde_json::from_value((**object).clone()).unwrap())
            {
                let name = metadata.name.clone().unwrap_or_default();
                let (taken, status) = (self.taken(&metadata, &name), status.unwrap_or_default());
                subjects.push(Subject { plural, name, metadata, spec, status, taken });
            }
        }
        subjects
    }

    /// Returns true if the ConfigMap of this name belongs to a user, or to a `Web` or `Page` other than the object
    /// with `metadata`.
    fn taken(&self, metadata: &ObjectMeta, name: &str) -> bool {
        let Some(map) = self.object("configmaps", name) else { return false };
        let owner = &map["metadata"]["ownerReferences"][0]["uid"];
        let others = ["webs", "pages"].into_iter().filter_map(|plural| self.object(plural, name));
        let mut others = others.map(|object| object["metadata"]["uid"].clone());
        !is_ours(&map)
            || others.any(|uid| uid == *owner && Some(&uid) != metadata.uid.clone().map(Value::from).as_ref())
    }

    /// Returns the number of writes of operators that the server has accepted.
    fn writes(&self) -> usize {
        self.world.lock().written.iter().filter(|request| request.is_work()).count()
    }

    fn nothing_written(&mut self, before: usize, when: &str) {
        // If an object of that name belongs to somebody else, the reconciler keeps trying.
        let failing = self.subjects().into_iter().filter(|subject| subject.taken);
        let failing: BTreeSet<_> = failing.map(|subject| subject.name).collect();
        let lines: Vec<_> = {
            let world = self.world.lock();
            let written = world.written.iter().filter(|request| request.is_work()).skip(before);
            written.filter(|request| !failing.contains(&request.id().2)).map(Request::line).collect()
        };
        if !lines.is_empty() {
            self.say(&format!("{when}, nothing differs, and it writes {lines:?}"));
        }
    }

    /// Checks that every object has the children and the status that it should have, unless the events of one of
    /// its controller's watches are held back.
    fn converged(&mut self, when: &str) {
        for subject in self.subjects() {
            let Subject { plural, name, metadata, spec, status, taken } = &subject;
            if self.world.lock().open.iter().any(|open| subject.is_deaf(open)) {
                continue;
            }
            if metadata.deletion_timestamp.is_some() {
                self.say(&format!("{when}, {plural} {name} is still being deleted"));
                continue;
            }
            let ready = status.conditions.iter().find(|condition| condition.type_ == "Ready");
            let ready = ready.map(|ready| (&*ready.status, &*ready.reason));
            if *taken {
                if ready != Some(("False", "NameTaken")) {
                    self.say(&format!("{when}, the name of {plural} {name} is taken, and Ready is {ready:?}"));
                }
                continue;
            }
            let up_to_date = Some(status.observed_generation) == metadata.generation;
            if ready != Some(("True", "Done")) || !up_to_date || status.value != spec.value.to_string() {
                self.say(&format!("{when}, the status of {plural} {name} is {status:?}"));
            }
            self.children(&subject, when);
        }
    }

    fn children(&mut self, subject: &Subject, when: &str) {
        let Subject { plural: owner, name, metadata, spec, .. } = subject;
        let (web, uid) = (*owner == "webs", metadata.uid.as_deref().unwrap_or_default());
        let tier = if spec.extra { json!("extra") } else { Value::Null };
        for plural in subject.children() {
            let Some(child) = self.object(plural, name) else {
                self.say(&format!("{when}, {plural} {name} of {owner} is missing"));
                continue;
            };
            let desired = match *plural {
                "configmaps" if web => {
                    child["data"] == json!(data(spec)) && child["metadata"]["labels"]["tier"] == tier
                }
                "configmaps" => child["data"] == json!({ "value": spec.value.to_string() }),
                _ => child["rules"] == json!(rules(spec)),
            };
            let metadata = &child["metadata"];
            let ours = across::owner(&child) == *uid && metadata["labels"]["app.kubernetes.io/managed-by"] == OPERATOR;
            if !desired || !ours {
                self.say(&format!("{when}, {plural} {name} is not what {owner} wants with {spec:?}: {child}"));
            }
        }
    }

    /// Checks that the last pass of every object has seen the object's last change.
    fn passed(&mut self) {
        let said = |metadata: &ObjectMeta| {
            let ObjectMeta { generation, annotations, labels, finalizers, .. } = metadata.clone();
            (generation, annotations, labels, finalizers)
        };
        for Subject { plural, name, metadata, .. } in self.subjects() {
            let last = self.last_pass(plural, &name).map(|pass| pass.metadata);
            if last.as_ref().map(said) != Some(said(&metadata)) {
                self.say(&format!("no pass has seen the last change of {plural} {name}: {last:?}"));
            }
        }
    }

    fn last_pass(&self, plural: &str, name: &str) -> Option<Pass> {
        let mut all: Vec<_> = self.processes.iter().collect();
        all.sort_by_key(|process| process.sender);
        let mut passes = all.iter().flat_map(|process| process.log.lock().passes.clone());
        passes.rfind(|pass| pass.is_of(plural, name))
    }

    /// Checks that the last pass of every object has seen the object and its children as the server has them.
    fn cached(&mut self) {
        let version = |object: Option<Arc<Value>>| {
            object.and_then(|object| object["metadata"]["resourceVersion"].as_str().map(str::to_owned))
        };
        for subject in self.subjects().into_iter().filter(|subject| !subject.taken) {
            let Subject { plural, name, metadata, .. } = &subject;
            let there: Vec<_> = subject.children().iter().map(|child| version(self.object(child, name))).collect();
            let seen = self.last_pass(plural, name);
            let same = seen.as_ref().is_some_and(|pass| pass.metadata.resource_version == metadata.resource_version);
            if !same || seen.as_ref().and_then(|pass| pass.children.as_ref()) != Some(&there) {
                self.say(&format!(
                    "the caches of {plural} {name} differ from the server, which has {there:?}: {seen:?}"
                ));
            }
        }
    }

    /// Checks that `on_gone` was called for each object that a pass has reconciled.
    fn on_gone_was_called(&mut self) {
        let logs: Vec<_> = self.processes.iter().map(|process| process.log.lock()).collect();
        let gone: Vec<_> = logs.iter().flat_map(|log| log.gone.clone()).collect();
        let seen = logs.iter().flat_map(|log| &log.passes).filter(|pass| pass.plural == "webs");
        let names: BTreeSet<_> = seen.filter_map(|pass| pass.metadata.name.clone()).collect();
        drop(logs);
        for name in names {
            if !gone.contains(&Name::from(("ns", name.as_str()))) {
                self.say(&format!("`on_gone` was not called for {name}"));
            }
        }
    }

    /// Checks that everything is gone but the objects that users made and the children that were orphaned.
    fn deleted(&mut self) {
        let world = self.world.clone();
        let world = world.lock();
        for plural in ["webs", "pages", "configmaps", "roles"] {
            for object in world.server.all(plural) {
                let owned = !across::owner(&object).is_null();
                let reconciled = plural == "webs" || plural == "pages";
                if reconciled || owned || !object["metadata"]["deletionTimestamp"].is_null() {
                    self.wrong.push(format!("after the deletion there is {object}"));
                }
            }
        }
    }
}
