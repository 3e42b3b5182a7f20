//! An index of object keys by a property that several objects share.

use crate::cache::Key;
use std::collections::{HashMap, HashSet};

/// The number of an index, and a value by which this index finds objects, such as an owner's key.
pub type Indexed = (usize, Key);

/// A map from an index number and a value of this index to the keys of the objects with the value.
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
