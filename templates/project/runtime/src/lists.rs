//! The first lists of a controller's kinds. The objects of a namespace are reconciled once all kinds
//! are listed there: without all children in the caches, a restart would apply all of them again. A
//! namespace that cannot be listed holds up no other.

use crate::cache::Key;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use std::collections::{BTreeMap, BTreeSet};
use tokio_util::task::task_tracker::{TaskTracker, TaskTrackerToken};

/// A namespace that is watched; `None` stands for all namespaces, and for kinds without any.
type Namespace = Option<String>;

/// The lists of all watches of a controller.
pub struct Lists {
    /// The lists that are not complete yet.
    pending: BTreeMap<Namespace, TaskTracker>,
    /// The ends of the lists of each namespace whose objects are not reconciled yet.
    ends: FuturesUnordered<BoxFuture<'static, Namespace>>,
    /// The objects that have changed in such a namespace.
    early: BTreeMap<Namespace, BTreeSet<Key>>,
}

impl Lists {
    /// Makes the lists of a controller that watches `namespaces`.
    pub fn new(namespaces: &[Namespace]) -> Self {
        let pending = namespaces.iter().cloned().chain([None]);
        let pending: BTreeMap<_, _> = pending.map(|one| (one, TaskTracker::new())).collect();
        for lists in pending.values() {
            lists.close();
        }
        let end = |namespace: &Namespace| {
            let needed = [pending[&None].clone(), pending[namespace].clone()];
            let namespace = namespace.clone();
            async move {
                for lists in needed {
                    lists.wait().await;
                }
                namespace
            }
            .boxed()
        };
        Self {
            ends: namespaces.iter().map(end).collect(),
            early: namespaces
                .iter()
                .map(|one| (one.clone(), BTreeSet::new()))
                .collect(),
            pending,
        }
    }

    /// Begins a list. It ends when the token is dropped.
    pub fn begin(&self, namespace: &Namespace) -> TaskTrackerToken {
        self.pending[namespace].token()
    }

    /// Returns the key of an object that has changed, if all kinds are listed in its namespace.
    /// Otherwise it is kept until they are.
    pub fn pass_on(&mut self, key: Key) -> Option<Key> {
        let namespace = match self.pending.len() {
            1 => None, // all namespaces are watched as one
            _ => key.namespace().map(str::to_owned),
        };
        match self.early.get_mut(&namespace) {
            Some(early) => {
                early.insert(key);
                None
            }
            None => Some(key),
        }
    }

    /// Waits for the next namespace in which all kinds are listed. Returns it with the objects that
    /// have changed there. `None` if no namespace is left.
    pub async fn next(&mut self) -> Option<(Namespace, BTreeSet<Key>)> {
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

    fn key(namespace: &str) -> Key {
        Key::new(Some(namespace), "a")
    }

    #[tokio::test]
    async fn a_namespace_waits_for_its_own_lists_and_for_those_of_all() {
        let [a, c] = ["a", "c"].map(|name| Some(name.to_owned()));
        let mut lists = Lists::new(&[a.clone(), c.clone()]);
        let (of_a, _of_c, of_all) = (lists.begin(&a), lists.begin(&c), lists.begin(&None));
        assert_eq!(lists.pass_on(key("a")), None);
        drop(of_a);
        assert_eq!(
            lists.next().now_or_never(),
            None,
            "not all nodes are listed"
        );
        drop(of_all);
        let (listed, early) = lists.next().await.unwrap();
        assert_eq!((listed, early.into_iter().collect()), (a, vec![key("a")]));
        assert_eq!(lists.pass_on(key("a")), Some(key("a")));
        assert_eq!(lists.pass_on(key("c")), None);
        assert_eq!((lists.next().now_or_never(), lists.left()), (None, 1));
    }

    #[tokio::test]
    async fn all_namespaces_are_one() {
        let mut lists = Lists::new(&[None]);
        let of_all = lists.begin(&None);
        assert_eq!(lists.pass_on(key("a")), None);
        drop(of_all);
        assert_eq!(lists.next().await, Some((None, BTreeSet::from([key("a")]))));
        assert_eq!(lists.pass_on(key("b")), Some(key("b")));
        assert_eq!(lists.next().await, None);
    }
}
