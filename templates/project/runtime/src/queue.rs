//! The objects of a controller that wait for their pass.

use crate::cache::Key;
use crate::settings::LONGEST;
use futures::future::poll_fn;
use std::collections::{HashMap, HashSet, VecDeque};
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::time::{DelayQueue, delay_queue};

/// The queue of a controller. An object is in it at most once, and is not taken while its pass is
/// running.
#[derive(Default)]
pub struct Queue {
    ready: VecDeque<(Key, Instant)>,
    delayed: DelayQueue<Key>,
    waiting: HashMap<Key, Waiting>,
    running: HashMap<Key, Instant>,
    /// The objects that became due during their pass.
    again: HashSet<Key>,
}

enum Waiting {
    Ready,
    Until(delay_queue::Key),
}

impl Queue {
    /// Queues the object for its pass after `delay`, which is at most [`LONGEST`]. An object that is
    /// ready, or due earlier, stays so: changes that never end would delay its pass for ever.
    pub fn add(&mut self, key: Key, delay: Duration) {
        let delay = delay.min(LONGEST);
        match self.waiting.get(&key) {
            Some(Waiting::Ready) => {}
            Some(Waiting::Until(known)) if delay.is_zero() => {
                self.delayed.remove(known);
                self.waiting.remove(&key);
                self.due(key);
            }
            Some(Waiting::Until(known)) => {
                let at = self.delayed.deadline(known).min(Instant::now() + delay);
                self.delayed.reset_at(known, at);
            }
            None if delay.is_zero() => self.due(key),
            None => {
                let waiting = Waiting::Until(self.delayed.insert(key.clone(), delay));
                self.waiting.insert(key, waiting);
            }
        }
    }

    /// Waits for the next object whose pass may begin. Returns its key, and the time since when it
    /// was ready. Call [`Queue::done`] when the pass has ended.
    pub async fn next(&mut self) -> (Key, Instant) {
        let next = poll_fn(|context| {
            // What has become due queues behind what is ready: it must not wait until nothing is.
            while let Poll::Ready(Some(expired)) = self.delayed.poll_expired(context) {
                let key = expired.into_inner();
                self.waiting.remove(&key);
                self.due(key);
            }
            self.ready.pop_front().map_or(Poll::Pending, Poll::Ready)
        });
        let (key, since) = next.await;
        self.waiting.remove(&key);
        self.running.insert(key.clone(), Instant::now());
        (key, since)
    }

    /// Ends the object's pass. The object is queued again if it became due during the pass, or else
    /// after `delay`.
    pub fn done(&mut self, key: Key, delay: Option<Duration>) {
        self.running.remove(&key);
        if self.again.remove(&key) {
            self.due(key);
        } else if let Some(delay) = delay
            && !self.waiting.contains_key(&key)
        {
            self.add(key, delay);
        }
    }

    /// Returns the number of objects that are ready for their pass.
    pub fn depth(&self) -> usize {
        self.ready.len()
    }

    /// Returns for how long the passes in progress have run: all together, and the longest.
    pub fn running(&self) -> (Duration, Duration) {
        let ages = || self.running.values().map(Instant::elapsed);
        (ages().sum(), ages().max().unwrap_or_default())
    }

    fn due(&mut self, key: Key) {
        if self.running.contains_key(&key) {
            self.again.insert(key);
        } else {
            self.waiting.insert(key.clone(), Waiting::Ready);
            self.ready.push_back((key, Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    const SECOND: Duration = Duration::from_secs(1);

    fn key(name: &str) -> Key {
        Key::new(None, name)
    }

    fn now(queue: &mut Queue) -> Option<String> {
        queue
            .next()
            .now_or_never()
            .map(|(key, _)| key.name().to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn first_come_first_served_and_each_once() {
        let mut queue = Queue::default();
        for name in ["a", "b", "a", "c"] {
            queue.add(key(name), Duration::ZERO);
        }
        assert_eq!(queue.depth(), 3);
        assert_eq!(
            [now(&mut queue), now(&mut queue), now(&mut queue)].map(Option::unwrap),
            ["a", "b", "c"]
        );
        assert_eq!(now(&mut queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_during_a_pass_is_followed_by_another_pass() {
        let mut queue = Queue::default();
        queue.add(key("a"), Duration::ZERO);
        assert_eq!(now(&mut queue).unwrap(), "a");
        queue.add(key("a"), Duration::ZERO);
        assert_eq!(now(&mut queue), None, "one pass at a time");
        queue.done(key("a"), Some(SECOND * 600));
        assert_eq!(now(&mut queue).unwrap(), "a");
        queue.done(key("a"), None);
        assert_eq!(now(&mut queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_delayed_change_during_a_pass_is_not_forgotten() {
        let mut queue = Queue::default();
        queue.add(key("a"), Duration::ZERO);
        now(&mut queue).unwrap();
        queue.add(key("a"), SECOND); // debounced
        queue.done(key("a"), Some(SECOND * 600));
        tokio::time::advance(SECOND * 2).await;
        assert_eq!(queue.next().await.0, key("a"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_delay_of_years_is_cut() {
        let mut queue = Queue::default();
        for years in [10, 20] {
            queue.add(key("a"), SECOND * 60 * 60 * 24 * 365 * years);
        }
        queue.add(key("b"), Duration::MAX);
        let start = Instant::now();
        assert_eq!(queue.next().await.0, key("a"));
        assert!(start.elapsed() >= LONGEST, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_ends_a_wait_and_a_debounce_has_an_end() {
        let mut queue = Queue::default();
        queue.add(key("a"), SECOND * 600);
        assert_eq!(now(&mut queue), None);
        queue.add(key("a"), Duration::ZERO);
        assert_eq!(now(&mut queue).unwrap(), "a");
        queue.done(key("a"), None);

        let start = Instant::now();
        for _ in 0..5 {
            queue.add(key("a"), SECOND);
            tokio::time::advance(SECOND / 10).await;
        }
        queue.next().await;
        assert!(start.elapsed() >= SECOND, "{:?}", start.elapsed());
        assert!(start.elapsed() < SECOND * 11 / 10, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_debounce_does_not_delay_a_retry_that_is_due_before() {
        let mut queue = Queue::default();
        queue.add(key("a"), SECOND);
        queue.add(key("a"), SECOND * 600);
        let start = Instant::now();
        queue.next().await;
        assert!(start.elapsed() < SECOND * 2, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_retry_has_its_turn_while_others_are_always_ready() {
        let mut queue = Queue::default();
        queue.add(key("retry"), SECOND);
        for name in ["a", "b"] {
            queue.add(key(name), Duration::ZERO);
        }
        for pass in 0.. {
            let (next, _) = queue.next().await;
            if next == key("retry") {
                break;
            }
            assert!(pass < 15, "the retry is due after the tenth pass");
            tokio::time::advance(SECOND / 10).await;
            queue.done(next.clone(), None);
            queue.add(next, Duration::ZERO);
        }
    }
}
