//! An index of object keys by a property that several objects share.

use crate::cache::Key;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The keys that belong to each `T`.
pub struct Index<T>(HashMap<T, HashSet<Key>>);

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Eq + Hash> Index<T> {
    pub fn add(&mut self, to: T, key: &Key) {
        self.0.entry(to).or_default().insert(key.clone());
    }

    pub fn remove(&mut self, from: &T, key: &Key) {
        if let Some(keys) = self.0.get_mut(from) {
            keys.remove(key);
            if keys.is_empty() {
                self.0.remove(from);
            }
        }
    }

    pub fn of(&self, of: &T) -> impl Iterator<Item = &Key> {
        self.0.get(of).into_iter().flatten()
    }
}
