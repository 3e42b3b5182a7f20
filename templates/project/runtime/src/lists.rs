//! Waits for the first lists of all kinds that a controller watches in a namespace, and only then
//! lets its objects be reconciled: with children missing from the caches, a restart would apply all
//! of them again. A namespace that cannot be listed does not delay other namespaces.

use crate::cache::{Cache, Key, Namespace};
use crate::priority::Priority;
use futures::future::{BoxFuture, join_all};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use std::collections::BTreeMap;
use tokio_util::sync::CancellationToken;

/// The first lists of all watches of a controller.
pub struct Lists {
    /// A future for each incompletely listed namespace, which completes once all kinds are listed.
    ends: FuturesUnordered<BoxFuture<'static, Namespace>>,
    /// The changed objects in each namespace in which not all kinds are listed yet.
    early: BTreeMap<Namespace, Early>,
}

type Early = BTreeMap<Key, Priority>;

impl Lists {
    /// Makes the lists of a controller from its `caches`. The first cache contains the objects that
    /// the controller reconciles.
    pub fn new(caches: &[&Cache]) -> Self {
        let end = |namespace: &Namespace| {
            let listed = caches.iter().map(|cache| cache.listed(namespace));
            let listed = join_all(listed.map(CancellationToken::cancelled_owned));
            let namespace = namespace.clone();
            listed.map(|_| namespace).boxed()
        };
        let namespaces = || caches[0].listed.keys();
        let early = namespaces().map(|one| (one.clone(), Early::new()));
        Self {
            ends: namespaces().map(end).collect(),
            early: early.collect(),
        }
    }

    /// Returns the key of a changed object if all kinds are listed in its namespace. Otherwise
    /// keeps the key until all kinds are listed.
    pub fn pass_on(&mut self, key: Key, priority: Priority) -> Option<Key> {
        let namespace = key.namespace().map(str::to_owned);
        let namespace = namespace.filter(|_| !self.early.contains_key(&None));
        let Some(early) = self.early.get_mut(&namespace) else {
            return Some(key);
        };
        let known = early.entry(key).or_insert(priority);
        *known = priority.max(*known);
        None
    }

    /// Waits for the next namespace in which all kinds are listed. Returns the namespace and the
    /// objects that have changed there; `None` if no namespace is left.
    pub async fn next(&mut self) -> Option<(Namespace, Early)> {
        let namespace = self.ends.next().await?;
        let early = self.early.remove(&namespace).unwrap_or_default();
        Some((namespace, early))
    }

    /// Returns the number of namespaces in which not all kinds are listed.
    pub fn left(&self) -> usize {
        self.early.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::cache::{Pool, View};
    use k8s_openapi::api::core::v1::{Node, Pod};
    use kube::api::ApiResource;

    fn key(namespace: &str) -> Key {
        Key::new(Some(namespace), "a")
    }

    /// Makes views of pods in some namespaces, and of all nodes.
    fn views(namespaces: &[Namespace]) -> [View; 2] {
        let (pods, nodes) = (
            ApiResource::erase::<Pod>(&()),
            ApiResource::erase::<Node>(&()),
        );
        let mut views = [(pods, true), (nodes, false)]
            .map(|(kind, namespaced)| View::new(kind, namespaced, None));
        let mut pool = Pool::default();
        pool.join(&mut views[0], namespaces);
        pool.join(&mut views[1], &[None]);
        views
    }

    #[tokio::test]
    async fn a_namespace_waits_for_its_own_lists_and_for_those_of_all() {
        let [a, c] = ["a", "c"].map(|name| Some(name.to_owned()));
        let [pods, nodes] = views(&[a.clone(), c]);
        let mut lists = Lists::new(&[&pods, &nodes]);
        assert_eq!(lists.pass_on(key("a"), Priority::High), None);
        assert_eq!(lists.pass_on(key("a"), Priority::Low), None);
        pods.listed(&a).cancel();
        let next = lists.next().now_or_never();
        assert_eq!(next, None, "not all nodes are listed");
        nodes.listed(&a).cancel();
        let early = Early::from([(key("a"), Priority::High)]);
        assert_eq!(lists.next().await, Some((a, early)));
        assert_eq!(lists.pass_on(key("a"), Priority::Low), Some(key("a")));
        assert_eq!(lists.pass_on(key("c"), Priority::Low), None);
        assert_eq!((lists.next().now_or_never(), lists.left()), (None, 1));
    }

    #[tokio::test]
    async fn all_namespaces_are_one() {
        let [pods, nodes] = views(&[None]);
        let mut lists = Lists::new(&[&pods, &nodes]);
        assert_eq!(lists.pass_on(key("a"), Priority::Low), None);
        pods.listed(&None).cancel();
        nodes.listed(&None).cancel();
        let early = Early::from([(key("a"), Priority::Low)]);
        assert_eq!(lists.next().await, Some((None, early)));
        assert_eq!(lists.pass_on(key("b"), Priority::Low), Some(key("b")));
        assert_eq!(lists.next().await, None);
    }
}
