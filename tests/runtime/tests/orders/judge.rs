//! What must hold when everything has come to rest.

use crate::operator::{Spec, Web, data, rules};
use crate::run::{Run, Scenario};
use crate::user::{self, NAMES, is_ours};
use kube::ResourceExt;
use serde_json::{Value, json};
use std::sync::Arc;

impl Run {
    /// Plays the end: rest, a touch of every object, a restart, and the deletion of all.
    pub(crate) async fn judge(&mut self) {
        self.rest().await;
        self.converged("at rest");
        self.passed();

        // A touch is followed by a pass that shows what the caches hold.
        let before = self.writes();
        for name in NAMES {
            user::act(&mut self.world.lock(), name, 13);
        }
        self.rest().await;
        self.passed();
        self.cached();
        self.nothing_written(before, "after a touch");

        self.stop().await;
        self.start_again();
        let before = self.writes();
        self.rest().await;
        self.cached();
        self.nothing_written(before, "after a restart");
        self.converged("after a restart");

        for name in NAMES {
            user::act(&mut self.world.lock(), name, 3);
        }
        self.rest().await;
        self.deleted();
        self.stop().await;
        let wrong = std::mem::take(&mut self.world.lock().rules.wrong);
        self.wrong.extend(wrong);
    }

    fn object(&self, plural: &'static str, name: &str) -> Option<Arc<Value>> {
        self.world.lock().server.get(&(plural, "ns".to_owned(), name.to_owned()))
    }

    fn webs(&self) -> Vec<Web> {
        let all = self.world.lock().server.all("webs");
        all.iter().map(|web| serde_json::from_value((**web).clone()).unwrap()).collect()
    }

    /// How often the server has stored something that an operator sent.
    fn writes(&self) -> usize {
        self.world.lock().written.iter().filter(|request| request.is_work()).count()
    }

    fn nothing_written(&mut self, before: usize, when: &str) {
        // An object of that name that is somebody else's keeps the reconciler trying.
        let failing = self.webs().iter().any(|web| self.taken(web));
        let lines: Vec<_> = {
            let world = self.world.lock();
            let written = world.written.iter().filter(|request| request.is_work()).skip(before);
            written.map(|request| request.line()).collect()
        };
        if !failing && !lines.is_empty() {
            self.say(&format!("{when}, nothing differs, and it writes {lines:?}"));
        }
    }

    /// True if a child of this name is somebody else's.
    fn taken(&self, web: &Web) -> bool {
        self.object("configmaps", &web.name_any()).is_some_and(|map| !is_ours(&map))
    }

    /// Every object has the children and the status that it should have.
    fn converged(&mut self, when: &str) {
        for web in self.webs() {
            let name = web.name_any();
            if web.metadata.deletion_timestamp.is_some() {
                self.say(&format!("{when}, {name} is still being deleted"));
                continue;
            }
            let status = web.status.clone().unwrap_or_default();
            let ready = status.conditions.iter().find(|condition| condition.type_ == "Ready");
            let ready = ready.map(|ready| (&*ready.status, &*ready.reason));
            if self.taken(&web) {
                if ready != Some(("False", "NameTaken")) {
                    self.say(&format!("{when}, the name of {name} is taken, and Ready is {ready:?}"));
                }
                continue;
            }
            let up_to_date = Some(status.observed_generation) == web.metadata.generation;
            if ready != Some(("True", "Done")) || !up_to_date || status.value != web.spec.value.to_string() {
                self.say(&format!("{when}, the status of {name} is {status:?}"));
            }
            self.children(&web, when);
        }
    }

    fn children(&mut self, web: &Web, when: &str) {
        let (name, owner) = (web.name_any(), web.uid().unwrap_or_default());
        let Spec { extra, .. } = web.spec;
        let tier = if extra { json!("extra") } else { Value::Null };
        let expected = [("configmaps", "data", json!(data(&web.spec))), ("roles", "rules", json!(rules(&web.spec)))];
        for (plural, field, desired) in expected {
            let Some(child) = self.object(plural, &name) else {
                self.say(&format!("{when}, {plural} {name} is missing"));
                continue;
            };
            let metadata = &child["metadata"];
            let right = child[field] == desired
                && metadata["ownerReferences"][0]["uid"] == *owner
                && metadata["labels"]["app.kubernetes.io/managed-by"] == crate::operator::OPERATOR
                && (plural != "configmaps" || metadata["labels"]["tier"] == tier);
            if !right {
                self.say(&format!("{when}, {plural} {name} should have {desired}: {child}"));
            }
        }
    }

    /// The last pass of every object has seen the last change of it.
    fn passed(&mut self) {
        let said = |web: &Web| {
            let metadata = &web.metadata;
            (metadata.generation, metadata.annotations.clone(), metadata.labels.clone(), metadata.finalizers.clone())
        };
        for web in self.webs() {
            let name = web.name_any();
            let last = self.last_pass(&name).map(|pass| pass.web);
            if last.as_ref().map(said) != Some(said(&web)) {
                self.say(&format!("no pass has seen the last change of {name}: {last:?}"));
            }
        }
    }

    fn last_pass(&self, name: &str) -> Option<crate::operator::Pass> {
        let mut all: Vec<_> = self.processes.iter().collect();
        all.sort_by_key(|process| process.sender);
        let passes = all.iter().flat_map(|process| process.log.lock().passes.clone());
        let of_this: Vec<_> = passes.filter(|pass| pass.web.name_any() == name).collect();
        of_this.into_iter().last()
    }

    /// The last pass of every object has seen it and its children as the server has them.
    fn cached(&mut self) {
        for web in self.webs() {
            let name = web.name_any();
            if self.taken(&web) {
                continue;
            }
            let version = |object: Option<Arc<Value>>| {
                object.and_then(|object| object["metadata"]["resourceVersion"].as_str().map(str::to_owned))
            };
            let there = ["configmaps", "roles"].map(|plural| version(self.object(plural, &name)));
            let seen = self.last_pass(&name);
            let same = seen.as_ref().is_some_and(|pass| pass.web.resource_version() == web.resource_version());
            if !same || seen.as_ref().and_then(|pass| pass.children.clone()) != Some(there.clone()) {
                self.say(&format!("the caches of {name} differ from the server, which has {there:?}: {seen:?}"));
            }
        }
    }

    /// All is gone but what users made and what was to be kept.
    fn deleted(&mut self) {
        let world = self.world.clone();
        let world = world.lock();
        for plural in ["webs", "configmaps", "roles"] {
            for object in world.server.all(plural) {
                let owned = !object["metadata"]["ownerReferences"].is_null();
                if plural == "webs" || owned || !object["metadata"]["deletionTimestamp"].is_null() {
                    self.wrong.push(format!("after the deletion there is {object}"));
                }
            }
        }
    }
}

impl Scenario {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Finalizer, Self::Election];
}
