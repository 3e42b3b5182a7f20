//! How long to wait before the next attempt, for each object on its own: kube leaves that to the
//! error policy, without telling it how often an object has failed.
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts consecutive failures.
pub struct Backoff<T> {
    first: Duration,
    longest: Duration,
    failures: Mutex<HashMap<T, u32>>,
}

impl<T: Eq + Hash> Backoff<T> {
    pub fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            failures: Mutex::default(),
        }
    }

    /// Doubles with every failure in a row.
    pub fn next(&self, object: T) -> Duration {
        let mut failures = self.failures();
        let count = failures.entry(object).or_default();
        let delay = self
            .first
            .saturating_mul(1 << (*count).min(16))
            .min(self.longest);
        *count += 1;
        jittered(delay)
    }

    /// Forgets an object: it was reconciled, or it is gone.
    pub fn reset(&self, object: &T) {
        self.failures().remove(object);
    }

    fn failures(&self) -> MutexGuard<'_, HashMap<T, u32>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Up to 10 % more, at random: objects that wait together must not return together.
pub fn jittered(delay: Duration) -> Duration {
    let random = RandomState::new().hash_one(delay) % 100;
    delay.mul_f64(1.0 + random as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_the_longest_until_reset() {
        let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(300));
        let next = |object| backoff.next(object).as_secs_f64();
        for expected in [1.0, 2.0, 4.0] {
            let delay = next("a");
            assert!((expected..expected * 1.1).contains(&delay), "{delay}");
        }
        assert!(next("b") < 2.0, "objects are independent");
        assert!((0..20).all(|_| next("a") < 330.0));
        backoff.reset(&"a");
        assert!(next("a") < 2.0);
    }
}
