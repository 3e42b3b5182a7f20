//! The parts of a command that deal with an interrupt themselves.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

static LISTENERS: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// The time within which an interrupt is taken. A command that does not take it waits for something else, such as a file
/// that blocks, and is ended.
const PATIENCE: Duration = Duration::from_millis(800);

/// Receives the interrupts of opctl until it is dropped; they do nothing else meanwhile.
#[derive(Debug)]
pub struct Interrupts(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The interrupts that have come and were not taken.
    waiting: usize,
    /// True if interrupts are taken as they come.
    ignored: bool,
}

/// Sends each interrupt to the returned receiver from now on, and does nothing else about it, until the receiver is
/// dropped. An interrupt that nobody takes within a second ends opctl.
pub fn interrupts() -> Interrupts {
    listener(false)
}

/// Ignores interrupts until the returned value is dropped: for work of a limited time that must not be left undone.
pub fn ignore_interrupts() -> Interrupts {
    listener(true)
}

fn listener(ignored: bool) -> Interrupts {
    let listener = Interrupts::new(ignored);
    lock(&LISTENERS).push(Arc::downgrade(&listener.0));
    listener
}

impl Interrupts {
    fn new(ignored: bool) -> Self {
        Interrupts(Arc::new(Shared { state: Mutex::new(State { waiting: 0, ignored }), changed: Condvar::new() }))
    }

    /// Takes all interrupts that have come, and returns true if there are some.
    pub fn take_all(&self) -> bool {
        let waiting = std::mem::take(&mut lock(&self.0.state).waiting);
        self.0.changed.notify_all();
        waiting > 0
    }

    /// Waits for an interrupt, and returns true if one came within `limit`.
    pub fn came_within(&self, limit: Duration) -> bool {
        let state = lock(&self.0.state);
        let waited = self.0.changed.wait_timeout_while(state, limit, |state| state.waiting == 0);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let came = state.waiting > 0;
        state.waiting = state.waiting.saturating_sub(1);
        self.0.changed.notify_all();
        came
    }
}

/// Tells all listeners of an interrupt, and returns false if there are none, or if none takes it. A command and a step of
/// it may both listen.
pub(super) fn tell_listeners() -> bool {
    let mut listeners = lock(&LISTENERS);
    listeners.retain(|listener| listener.strong_count() > 0);
    let told: Vec<Arc<Shared>> = listeners.iter().filter_map(Weak::upgrade).collect();
    drop(listeners);
    is_taken(&told)
}

/// Tells these listeners, and returns true if one takes the interrupt.
fn is_taken(told: &[Arc<Shared>]) -> bool {
    for listener in told {
        let mut state = lock(&listener.state);
        state.waiting += usize::from(!state.ignored);
        listener.changed.notify_all();
    }
    let begun = std::time::Instant::now();
    // What is dropped has been taken, or its command goes on to its end.
    let has_taken = |listener: &Arc<Shared>| Arc::strong_count(listener) == 1 || lock(&listener.state).waiting == 0;
    while !told.is_empty() && begun.elapsed() < PATIENCE {
        if told.iter().any(has_taken) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_is_taken_ignored_or_left() {
        let (taken, ignored) = (Interrupts::new(false), Interrupts::new(true));
        let shared = |listener: &Interrupts| Arc::clone(&listener.0);
        let told = [shared(&taken)];
        let thread = std::thread::spawn(move || (taken.came_within(Duration::from_secs(20)), taken));
        assert!(is_taken(&told));
        let (came, taken) = thread.join().unwrap();
        assert!(came && !taken.came_within(Duration::ZERO));
        assert!(!is_taken(&told), "nobody takes it");
        assert!(taken.came_within(Duration::ZERO), "it waits");
        assert!(is_taken(&[shared(&ignored)]));
        assert!(!ignored.came_within(Duration::ZERO));
        assert!(!is_taken(&[]), "nobody listens");
        drop(taken);
        assert!(is_taken(&told), "it has ended meanwhile");
    }
}
