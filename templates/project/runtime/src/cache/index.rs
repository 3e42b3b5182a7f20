//! An index of object keys by a property that several objects share.

use crate::cache::Key;
use std::collections::{HashMap, HashSet};

/// An entry of an index: the number that identifies the index, and a value in the index.
pub type Indexed = (usize, Key);

/// A map from each value of each index to the keys of the objects that have this value.
#[derive(Default)]
pub struct Index(HashMap<Indexed, HashSet<Key>>);

impl Index {
    pub fn add(&mut self, to: Indexed, key: &Key) {
        self.0.entry(to).or_default().insert(key.clone());
    }

    pub fn remove(&mut self, from: &Indexed, key: &Key) {
        if let Some(keys) = self.0.get_mut(from) {
            keys.remove(key);
            if keys.is_empty() {
                self.0.remove(from);
            }
        }
    }

    pub fn of(&self, of: &Indexed) -> impl Iterator<Item = &Key> {
        self.0.get(of).into_iter().flatten()
    }
}
