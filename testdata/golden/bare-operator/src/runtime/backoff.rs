// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! How long to wait before the next attempt, for each object on its own: kube leaves that to the
//! error policy, without telling it how often an object has failed.
use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(300);

/// Counts consecutive failures.
pub struct Backoff<T>(Mutex<HashMap<T, u32>>);

impl<T> Default for Backoff<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Eq + Hash> Backoff<T> {
    /// Doubles with every failure in a row.
    pub fn next(&self, object: T) -> Duration {
        // Up to 10 % more, at random: objects that fail together must not return together.
        let jitter = (RandomState::new().hash_one(&object) % 100) as f64 / 1000.0;
        let mut failures = self.failures();
        let count = failures.entry(object).or_default();
        let delay = FIRST.saturating_mul(1 << (*count).min(16)).min(LONGEST);
        *count += 1;
        delay.mul_f64(1.0 + jitter)
    }

    /// Forgets an object: it was reconciled, or it is gone.
    pub fn reset(&self, object: &T) {
        self.failures().remove(object);
    }

    fn failures(&self) -> MutexGuard<'_, HashMap<T, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_the_longest_until_reset() {
        let backoff = Backoff::default();
        let next = |object| backoff.next(object).as_secs_f64();
        for expected in [1.0, 2.0, 4.0] {
            let delay = next("a");
            assert!((expected..expected * 1.1).contains(&delay), "{delay}");
        }
        assert!(next("b") < 2.0, "objects are independent");
        assert!((0..20).all(|_| next("a") < LONGEST.as_secs_f64() * 1.1));
        backoff.reset(&"a");
        assert!(backoff.next("a").as_secs_f64() < 2.0);
    }
}
