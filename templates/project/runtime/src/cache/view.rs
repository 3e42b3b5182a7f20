//! One controller's view of the objects in a cache, which several controllers may share.

use super::{Cache, Cached, Declared, Event, Index, Indexed, Key, Owners, States, Values, is_in};
use crate::cache::Predicates;
use crate::priority::Priority;
use kube::api::ApiResource;
use std::{any::TypeId, collections::BTreeMap, ops::Deref, ptr, sync::Arc};
use tokio::sync::mpsc::UnboundedSender;

/// Cached objects, each with its key.
type Found = Vec<(Key, Arc<Cached>)>;

/// The objects of a kind that one controller reconciles, owns or watches.
pub struct View {
    /// The id of the view, which no other view of the process has.
    pub id: usize,
    pub namespaced: bool,
    /// True for a view of children that may be outside of the namespaces of their owners.
    pub across_namespaces: bool,
    /// The Rust type that the operator's author uses for the objects of this view.
    pub type_of: TypeId,
    /// The predicates, which select the changes that trigger a pass. All changes are cached.
    pub predicates: Predicates,
    /// The index functions. The operator's author defines named indexes. Each watched kind to which
    /// objects of this view refer has an unnamed index, which finds the referring objects.
    pub indexes: Vec<(Option<&'static str>, Values)>,
    /// The owners' kind, for a view of children: when a child changes, its owner is reconciled.
    pub(super) owners: Option<Owners>,
    pub(super) cache: Arc<Cache>,
    /// The position of the view's first index in the list of the cache's indexes.
    first_index: usize,
    /// The position of the owners' kind in the list of the cache's owner kinds.
    pub(super) owner: Option<usize>,
}

impl Deref for View {
    type Target = Cache;

    fn deref(&self) -> &Cache {
        &self.cache
    }
}

impl View {
    pub fn new(kind: ApiResource, namespaced: bool, owners: Option<Owners>) -> Self {
        Self {
            id: 0,
            namespaced,
            across_namespaces: false,
            type_of: TypeId::of::<()>(),
            predicates: Predicates::default(),
            indexes: Vec::new(),
            owners,
            cache: Arc::new(Cache::new(kind)),
            first_index: 0,
            owner: None,
        }
    }

    /// Returns the cache of a view that does not share its cache with other views yet.
    pub fn own(&mut self) -> &mut Cache {
        Arc::get_mut(&mut self.cache).expect("the view does not share its cache yet")
    }

    /// Adds the view's indexes and owner kind to its cache, whose watch must not have begun.
    pub(super) fn join(&mut self, id: usize) {
        let mut declared = self.cache.declared.write();
        let declared = Arc::make_mut(&mut declared);
        (self.id, self.first_index) = (id, declared.indexes.len());
        let values = self.indexes.iter().map(|(_, values)| values.clone());
        declared.indexes.extend(values);
        self.owner = self.owners.as_ref().map(|owners| declared.add(owners));
    }

    /// Sends all objects that are already in the cache to `changed`, and all changes from now on.
    pub fn subscribe(&self, changed: &UnboundedSender<Event>) {
        self.running.lock().push((self.id, changed.clone()));
        let there: BTreeMap<_, _> = self.select(None, None).into_iter().collect();
        for (key, cached) in there {
            let change = Event::Changed(self.id, key, [None, Some(cached)], Priority::Low);
            let _ = changed.send(change); // fails when the controller stops
        }
    }

    /// Returns true if objects of the Rust type `K` can be read from this view. A view that caches
    /// only the metadata has only objects of its own Rust type, `PartialObjectMeta`.
    pub fn has_all_of<K: 'static>(&self) -> bool {
        !self.metadata_only || self.type_of == TypeId::of::<K>()
    }

    pub fn get(&self, key: &Key) -> Option<Arc<Cached>> {
        self.known(key).filter(|cached| self.has(cached))
    }

    /// Returns the position of the index with this name among the indexes of the view.
    pub fn index(&self, name: &str) -> Option<usize> {
        let mut names = self.indexes.iter().map(|(name, _)| *name);
        names.position(|known| known == Some(name))
    }

    /// Returns the objects in `namespace`, or in all namespaces; with `indexed`, only the objects
    /// that have this value in an index of the view.
    pub fn select(&self, namespace: Option<&str>, indexed: Option<Indexed>) -> Found {
        let indexed = indexed.map(|(number, value)| (self.first_index + number, value));
        let entries = self.cache.entries.lock();
        let with = |key: &Key| Some((key.clone(), entries.objects.get(key)?.clone()));
        let keys: Box<dyn Iterator<Item = &Key>> = match &indexed {
            Some(indexed) => Box::new(entries.indexed.of(indexed)),
            None => Box::new(entries.objects.keys()),
        };
        let there = keys.filter(|key| is_in(key, namespace)).filter_map(with);
        let there = there.filter(|(_, cached)| self.has(cached) && !cached.is_gone());
        there.collect()
    }

    /// Returns the cached children of the owner `subject`.
    pub fn with_subject(&self, subject: &Key) -> Vec<Arc<Cached>> {
        let entries = &mut *self.cache.entries.lock();
        // Built on demand: most controllers never need the index, and it takes memory.
        let of = entries.of.get_or_insert_with(|| {
            let mut of = Index::default();
            for (key, cached) in &entries.objects {
                let owner = cached.owner.clone().into_iter();
                owner.for_each(|owner| of.add(owner, key));
            }
            of
        });
        let subject = self.owner.map(|owner| (owner, subject.clone()));
        let known = subject.iter().flat_map(|subject| of.of(subject));
        let found = known.filter_map(|key| entries.objects.get(key));
        found.filter(|found| self.has(found)).cloned().collect()
    }

    /// Returns the keys of the objects that a change affects: in a view of children, the child's
    /// former and present owner; in other views, the changed object itself.
    pub fn subjects(&self, key: &Key, states: &States) -> Vec<Key> {
        let there = |state: &&Cached| self.has(state);
        let [before, after] = states.each_ref();
        let (before, after) = (before.as_deref(), after.as_deref());
        let (before, after) = (before.filter(there), after.filter(there));
        let subject = |state: &Cached| match &state.owner {
            Some((_, owner)) if self.owner.is_some() => owner.clone(),
            _ => key.clone(),
        };
        let (former, latter) = (before.map(subject), after.map(subject));
        let both = before.zip(after);
        let is_hidden = both.is_some_and(|(before, after)| ptr::eq(before, after));
        let matters = is_hidden || self.predicates.matter(before, after);
        // An owner that loses a child to another one has a pass in any case.
        let is_lost = latter.is_some() && former != latter;
        let lost = former.clone().filter(|_| is_lost);
        let told = latter.or(former).filter(|_| matters);
        lost.into_iter().chain(told).collect()
    }

    /// Returns true if the object is in the view.
    fn has(&self, cached: &Cached) -> bool {
        let owner = cached.owner.as_ref().map(|(owner, _)| *owner);
        let may_be_here = self.across_namespaces || !cached.is_elsewhere;
        self.owner.is_none() || self.owner == owner && may_be_here
    }
}

impl Declared {
    /// Returns the position of `owners` in the list of owner kinds, after adding a new kind.
    fn add(&mut self, owners: &Owners) -> usize {
        let is_it =
            |known: &ApiResource| known.kind == owners.0.kind && known.group == owners.0.group;
        let known = self.owners.iter().position(|(known, _)| is_it(known));
        known.unwrap_or_else(|| {
            self.owners.push(owners.clone());
            self.owners.len() - 1
        })
    }
}
