//! The queue of a controller's objects that wait to be reconciled. Changes have high priority. The
//! first list, resyncs, requeues and retries, which may be thousands of objects, have low priority:
//! such objects wait for up to a second while changed objects are ready, and then get two turns for
//! each turn of a changed object, so they take at most 1.5 times as long as in a single queue.

use crate::cache::Key;
use crate::priority::Priority;
use crate::settings::LONGEST;
use futures::future::poll_fn;
use std::collections::{BTreeMap, HashMap};
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::time::{DelayQueue, delay_queue};

/// The time for which objects of high priority go before ready objects of low priority.
const PATIENCE: Duration = Duration::from_secs(1);
/// The number of low-priority turns after each high-priority turn, once [`PATIENCE`] has passed.
const TURNS: u8 = 2;

/// The queue of a controller, which contains an object at most once, and does not return an object
/// whose pass is running.
#[derive(Default)]
pub struct Queue {
    /// The ready objects of each priority.
    ready: [Ready; 2],
    /// The sequence number of the object that became ready last.
    last: u64,
    /// The low-priority turns that are left before the next high-priority turn.
    turns_of_low: u8,
    delayed: DelayQueue<Key>,
    waiting: HashMap<Key, (Priority, Waiting)>,
    running: HashMap<Key, Instant>,
    /// The objects that became due during their pass.
    again: HashMap<Key, Priority>,
}

/// Ready objects of one priority by sequence number, each with the time it became ready.
type Ready = BTreeMap<u64, (Key, Instant)>;

enum Waiting {
    /// Ready for a pass, with the object's sequence number, which is its key in [`Ready`].
    Ready(u64),
    Until(delay_queue::Key),
}

impl Queue {
    /// Queues the object for a pass after `delay`, which is limited to [`LONGEST`]. An object that
    /// is already ready or due earlier keeps its time: otherwise, endless changes would delay its
    /// pass without end. The higher priority applies.
    pub fn add(&mut self, key: Key, delay: Duration, priority: Priority) {
        let delay = delay.min(LONGEST);
        let Some((known, waiting)) = self.waiting.get_mut(&key) else {
            if delay.is_zero() {
                return self.due(key, priority);
            }
            let until = Waiting::Until(self.delayed.insert(key.clone(), delay));
            self.waiting.insert(key, (priority, until));
            return;
        };
        match waiting {
            Waiting::Ready(_) if priority <= *known => {}
            Waiting::Ready(place) => {
                self.ready[*known as usize].remove(place);
                self.due(key, priority);
            }
            Waiting::Until(at) if delay.is_zero() => {
                self.delayed.remove(at);
                self.due(key, priority);
            }
            Waiting::Until(at) => {
                *known = priority.max(*known);
                let earlier = self.delayed.deadline(at).min(Instant::now() + delay);
                self.delayed.reset_at(at, earlier);
            }
        }
    }

    /// Waits for the next object whose pass may begin. Returns its key, and the time at which it
    /// became ready. Call [`Queue::done`] when the pass has ended.
    pub async fn next(&mut self) -> (Key, Instant) {
        let next = poll_fn(|context| {
            // What has become due queues behind what is ready: it must not wait until nothing is.
            while let Poll::Ready(Some(expired)) = self.delayed.poll_expired(context) {
                self.due(expired.into_inner(), Priority::Low);
            }
            self.take().map_or(Poll::Pending, Poll::Ready)
        });
        let (key, since) = next.await;
        self.waiting.remove(&key);
        self.running.insert(key.clone(), Instant::now());
        (key, since)
    }

    /// Removes and returns the ready object whose turn it is.
    fn take(&mut self) -> Option<(Key, Instant)> {
        let [low, high] = &mut self.ready;
        let oldest = low.first_key_value().map(|(_, (_, since))| *since);
        let is_overdue = oldest.is_some_and(|since| since.elapsed() >= PATIENCE);
        let (ready, turns_of_low) = match high.is_empty() || is_overdue && self.turns_of_low > 0 {
            true => (low, self.turns_of_low.saturating_sub(1)),
            false => (high, TURNS),
        };
        self.turns_of_low = turns_of_low;
        ready.pop_first().map(|(_, ready)| ready)
    }

    /// Ends the object's pass. Queues the object again at once if it became due during the pass;
    /// otherwise queues it with low priority after the delay `again`.
    pub fn done(&mut self, key: Key, again: Option<Duration>) {
        self.running.remove(&key);
        if let Some(priority) = self.again.remove(&key) {
            self.due(key, priority);
        } else if let Some(delay) = again
            && !self.waiting.contains_key(&key)
        {
            self.add(key, delay, Priority::Low);
        }
    }

    /// Returns the number of objects of a priority that are ready for their pass.
    pub fn depth(&self, priority: Priority) -> usize {
        self.ready[priority as usize].len()
    }

    /// Returns the total and the longest time for which the passes in progress have run.
    pub fn running(&self) -> (Duration, Duration) {
        let ages = || self.running.values().map(Instant::elapsed);
        (ages().sum(), ages().max().unwrap_or_default())
    }

    /// Makes the object ready. If it waits with another priority, the higher priority applies.
    fn due(&mut self, key: Key, priority: Priority) {
        let known = self.waiting.remove(&key);
        let priority = known.map_or(priority, |(known, _)| known.max(priority));
        if self.running.contains_key(&key) {
            let known = self.again.entry(key).or_insert(priority);
            *known = priority.max(*known);
            return;
        }
        self.last += 1;
        let waiting = (priority, Waiting::Ready(self.last));
        self.waiting.insert(key.clone(), waiting);
        self.ready[priority as usize].insert(self.last, (key, Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::Priority::{High, Low};
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
            queue.add(key(name), Duration::ZERO, High);
        }
        assert_eq!(queue.depth(High), 3);
        assert_eq!(
            [now(&mut queue), now(&mut queue), now(&mut queue)].map(Option::unwrap),
            ["a", "b", "c"]
        );
        assert_eq!(now(&mut queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_during_a_pass_is_followed_by_another_pass() {
        let mut queue = Queue::default();
        queue.add(key("a"), Duration::ZERO, High);
        assert_eq!(now(&mut queue).unwrap(), "a");
        queue.add(key("a"), Duration::ZERO, High);
        assert_eq!(now(&mut queue), None, "one pass at a time");
        queue.done(key("a"), Some(SECOND * 600));
        assert_eq!(now(&mut queue).unwrap(), "a");
        queue.done(key("a"), None);
        assert_eq!(now(&mut queue), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_delayed_change_during_a_pass_is_not_forgotten() {
        let mut queue = Queue::default();
        queue.add(key("a"), Duration::ZERO, High);
        now(&mut queue).unwrap();
        queue.add(key("a"), SECOND, High); // debounced
        queue.done(key("a"), Some(SECOND * 600));
        tokio::time::advance(SECOND * 2).await;
        assert_eq!(queue.next().await.0, key("a"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_delay_of_years_is_cut() {
        let mut queue = Queue::default();
        for years in [10, 20] {
            queue.add(key("a"), SECOND * 60 * 60 * 24 * 365 * years, High);
        }
        queue.add(key("b"), Duration::MAX, High);
        let start = Instant::now();
        assert_eq!(queue.next().await.0, key("a"));
        assert!(start.elapsed() >= LONGEST, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_ends_a_wait_and_a_debounce_has_an_end() {
        let mut queue = Queue::default();
        queue.add(key("a"), SECOND * 600, High);
        assert_eq!(now(&mut queue), None);
        queue.add(key("a"), Duration::ZERO, High);
        assert_eq!(now(&mut queue).unwrap(), "a");
        queue.done(key("a"), None);

        let start = Instant::now();
        for _ in 0..5 {
            queue.add(key("a"), SECOND, High);
            tokio::time::advance(SECOND / 10).await;
        }
        queue.next().await;
        assert!(start.elapsed() >= SECOND, "{:?}", start.elapsed());
        assert!(start.elapsed() < SECOND * 11 / 10, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_debounce_does_not_delay_a_retry_that_is_due_before() {
        let mut queue = Queue::default();
        queue.add(key("a"), SECOND, High);
        queue.add(key("a"), SECOND * 600, High);
        let start = Instant::now();
        queue.next().await;
        assert!(start.elapsed() < SECOND * 2, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_retry_has_its_turn_while_others_are_always_ready() {
        let mut queue = Queue::default();
        queue.add(key("retry"), SECOND, High);
        for name in ["a", "b"] {
            queue.add(key(name), Duration::ZERO, High);
        }
        for pass in 0.. {
            let (next, _) = queue.next().await;
            if next == key("retry") {
                break;
            }
            assert!(pass < 15, "the retry is due after the tenth pass");
            tokio::time::advance(SECOND / 10).await;
            queue.done(next.clone(), None);
            queue.add(next, Duration::ZERO, High);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn changes_go_before_what_has_not_changed_and_a_change_raises_it() {
        let mut queue = Queue::default();
        for (name, priority) in [("a", Low), ("b", Low), ("c", Low), ("d", High)] {
            queue.add(key(name), Duration::ZERO, priority);
        }
        queue.add(key("c"), Duration::ZERO, High);
        queue.add(key("d"), Duration::ZERO, Low);
        assert_eq!((queue.depth(Low), queue.depth(High)), (2, 2));
        let order = [0; 4].map(|_| now(&mut queue).unwrap());
        assert_eq!(order, ["d", "c", "a", "b"]);

        queue.add(key("a"), Duration::ZERO, High); // during its pass
        queue.done(key("a"), Some(SECOND));
        assert_eq!(queue.depth(High), 1);
        queue.add(key("e"), SECOND * 600, Low);
        queue.add(key("e"), SECOND, High); // debounced
        tokio::time::advance(SECOND * 2).await;
        assert_eq!(now(&mut queue).unwrap(), "a");
        assert_eq!(now(&mut queue).unwrap(), "e");
        assert_eq!((queue.depth(Low), queue.depth(High)), (0, 0));
    }

    /// The delays after a simulated restart of a controller whose passes take a millisecond.
    struct Restarted {
        /// The time from the restart until each of the existing objects has had a pass.
        last_old: Duration,
        /// The longest time for which an object that is created after the restart waits.
        longest_new: Duration,
    }

    /// Simulates a restart with `old` existing objects of this priority, and returns the delays.
    /// Per 100 milliseconds, `changes` existing objects change; per second, 20 objects are created.
    async fn restart(old: u64, priority: Priority, changes: u64) -> Restarted {
        let (mut queue, start) = (Queue::default(), Instant::now());
        for number in 0..old {
            queue.add(key(&number.to_string()), Duration::ZERO, priority);
        }
        let (mut left, mut longest_new) = (old, Duration::ZERO);
        let mut is_left = vec![true; usize::try_from(old).unwrap()];
        for tick in 0_u64.. {
            if tick * changes / 100 != (tick + 1) * changes / 100 {
                let number = tick.wrapping_mul(0x9e37_79b9_7f4a_7c15) % old;
                queue.add(key(&number.to_string()), Duration::ZERO, High);
            }
            if tick % 50 == 0 {
                queue.add(key(&format!("new-{tick}")), Duration::ZERO, High);
            }
            let (next, since) = queue.next().await;
            match next.name().parse::<usize>() {
                Ok(number) => left -= u64::from(std::mem::take(&mut is_left[number])),
                Err(_) => longest_new = longest_new.max(since.elapsed()),
            }
            queue.done(next, None);
            tokio::time::advance(Duration::from_millis(1)).await;
            if left == 0 {
                let last_old = start.elapsed();
                return Restarted {
                    last_old,
                    longest_new,
                };
            }
        }
        unreachable!()
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_restart_new_objects_do_not_wait_and_old_ones_are_not_starved() {
        let in_one_line = restart(20_000, High, 30).await;
        assert!(in_one_line.last_old >= SECOND * 20);
        // With more changes than a third of all passes, only one of both can hold.
        for changes in [0, 5, 30] {
            let Restarted {
                last_old,
                longest_new,
            } = restart(20_000, Low, changes).await;
            assert!(
                longest_new < SECOND,
                "{changes}: a new object waits {longest_new:?}"
            );
            let most = in_one_line.last_old * 3 / 2;
            assert!(
                last_old <= most,
                "{changes}: the last has its pass after {last_old:?}"
            );
        }
        let flooded = restart(5_000, Low, 100).await;
        assert!(flooded.last_old <= SECOND * 9, "{:?}", flooded.last_old);
    }
}
