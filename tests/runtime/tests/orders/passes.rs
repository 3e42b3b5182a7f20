//! A log of the passes, which are the calls of the reconcilers, and of the objects that they have seen.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{Resource, ResourceExt};
use parking_lot::Mutex;
use runtime::Name;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::time::Instant;

/// A call of a reconciler.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub plural: String,
    pub metadata: ObjectMeta,
    /// The versions of the children as the pass has seen them, if all could be applied.
    pub children: Option<Vec<Option<String>>>,
    /// The time at which the pass has ended. `None` while the pass runs.
    pub ended: Option<Instant>,
    /// True if the pass has reached its last line.
    pub succeeded: bool,
}

/// The log of an operator's passes.
#[derive(Default)]
pub(crate) struct Log {
    pub passes: Vec<Pass>,
    /// The names of the objects that no longer exist.
    pub gone: Vec<Name>,
    running: BTreeSet<(String, String)>,
    /// The violations of rules that must hold at every moment.
    pub wrong: Vec<String>,
}

/// A guard for a running pass, which logs the end of the pass when it is dropped.
pub(crate) struct Running {
    log: Arc<Mutex<Log>>,
    number: usize,
}

impl Pass {
    pub(crate) fn is_of(&self, plural: &str, name: &str) -> bool {
        self.plural == plural && self.metadata.name.as_deref() == Some(name)
    }
}

/// Logs the start of a pass, and checks the object with which the reconciler is called.
pub(crate) fn begin<K: Resource<DynamicType = ()>>(log: &Arc<Mutex<Log>>, object: &K) -> Running {
    let (plural, name) = (K::plural(&()).into_owned(), object.name_any());
    let mut seen = log.lock();
    if !seen.running.insert((plural.clone(), name.clone())) {
        seen.wrong.push(format!("two passes of {plural} {name} at a time"));
    }
    let version = |metadata: &ObjectMeta| metadata.resource_version.as_ref().and_then(|text| text.parse::<u64>().ok());
    let before = seen.passes.iter().rev().find(|pass| pass.is_of(&plural, &name));
    if before.is_some_and(|before| version(&before.metadata) > version(object.meta())) {
        seen.wrong.push(format!("a pass of {plural} {name} sees an older version than the one before"));
    }
    if object.meta().deletion_timestamp.is_some() {
        seen.wrong.push(format!("a pass of {plural} {name}, which is being deleted"));
    }
    let metadata = object.meta().clone();
    seen.passes.push(Pass { plural, metadata, children: None, ended: None, succeeded: false });
    Running { log: log.clone(), number: seen.passes.len() - 1 }
}

impl Running {
    pub(crate) fn applied(&self, children: Vec<Option<String>>) {
        self.log.lock().passes[self.number].children = Some(children);
    }

    pub(crate) fn succeeded(&self) {
        self.log.lock().passes[self.number].succeeded = true;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut log = self.log.lock();
        let Pass { plural, metadata, ended, .. } = &mut log.passes[self.number];
        *ended = Some(Instant::now());
        let of = (plural.clone(), metadata.name.clone().unwrap_or_default());
        log.running.remove(&of);
    }
}
