//! The rules that must hold at every moment.

use crate::across;
use crate::model::Request;
use crate::model::collector::Step;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::time::Instant;

#[derive(Default)]
pub(crate) struct Rules {
    /// The process that took the lease last, and the time at which it did.
    leader: Option<(usize, Instant)>,
    /// The uids of objects that users made under the names of children.
    foreign: BTreeSet<String>,
    /// The uids of children that must outlive an owner, each with the uid of that owner.
    orphans: BTreeSet<(String, String)>,
    pub wrong: Vec<String>,
}

fn uid(object: &Value) -> String {
    object["metadata"]["uid"].as_str().unwrap_or_default().to_owned()
}

fn owners(object: &Value) -> Vec<String> {
    let owners = object["metadata"]["ownerReferences"].as_array();
    owners.into_iter().flatten().filter_map(|owner| owner["uid"].as_str()).map(str::to_owned).collect()
}

impl Rules {
    /// Checks a write of an operator that the server has carried out. `before` is the object before the write.
    pub(crate) fn written(&mut self, sender: usize, sent: Instant, request: &Request, before: Option<&Value>) {
        let line = request.line();
        if request.kind.plural == "leases" {
            let held = request.body["spec"]["holderIdentity"].as_str().is_some_and(|holder| !holder.is_empty());
            match self.leader {
                _ if !held => self.leader = None,
                Some((leader, _)) if leader == sender => {}
                _ => self.leader = Some((sender, Instant::now())),
            }
        }
        if !request.is_work() {
            return;
        }
        if let Some((leader, since)) = self.leader
            && leader != sender
            && sent > since
        {
            self.wrong.push(format!("{sender} writes while {leader} leads: {line}"));
        }
        if request.method == "PATCH" && before.is_none() {
            self.wrong.push(format!("an apply makes an object, whose owner may be gone: {line}"));
        }
        let seen = request.body["status"]["seen"].as_str().filter(|seen| !seen.is_empty());
        if let (Some(seen), Some(before)) = (seen, before)
            && uid(before) != seen
        {
            self.wrong.push(format!("the status of {seen} is written to {}: {line}", uid(before)));
        }
        let (from, to) = (before.map(across::owner).unwrap_or_default(), across::owner(&request.body));
        if !from.is_null() && !to.is_null() && from != to {
            self.wrong.push(format!("the child of another object is taken: {line}"));
        }
        if before.is_some_and(|before| self.foreign.contains(&uid(before))) {
            self.wrong.push(format!("a foreign object is changed: {line}"));
        }
    }

    /// Records an object that a user has made.
    pub(crate) fn made(&mut self, object: &Value) {
        self.foreign.insert(uid(object));
    }

    /// Checks a step of the garbage collector that is about to be taken.
    pub(crate) fn collected(&mut self, step: &Step, object: Option<Arc<Value>>) {
        let Some(object) = object else { return };
        let (child, owners) = (uid(&object), owners(&object));
        if step.collects {
            let orphaned = owners.iter().any(|owner| self.orphans.contains(&(child.clone(), owner.clone())));
            if orphaned {
                self.wrong.push(format!("an orphan is collected: {}", step.request.line()));
            }
        } else {
            let kept = self::owners(&step.request.body);
            let dropped = owners.into_iter().filter(|owner| !kept.contains(owner));
            self.orphans.extend(dropped.map(|owner| (child.clone(), owner)));
        }
    }
}
