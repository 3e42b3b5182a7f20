//! Delivers interrupts, such as Ctrl+C, to the parts of a command that handle an interrupt themselves.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

static LISTENERS: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// The time limit for a command to receive an interrupt. If a command does not receive the interrupt in time,
/// because it is blocked, for example while it reads a file, opctl ends.
const PATIENCE: Duration = Duration::from_millis(800);

/// A receiver of interrupts (Ctrl+C). Until the receiver is dropped, an interrupt ends opctl or a child process
/// only if the command does not read the interrupt from the receiver within 800 ms.
#[derive(Debug)]
pub struct Interrupts(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The number of interrupts that the receiver has not received yet.
    waiting: usize,
    /// True if interrupts are ignored, so that each interrupt counts as received.
    ignored: bool,
}

/// Sends each interrupt from now on to the returned receiver, until the receiver is dropped. If the command does not
/// read an interrupt from the receiver within 800 ms, the interrupt ends opctl or the child process for which opctl
/// waits.
pub fn interrupts() -> Interrupts {
    listener(false)
}

/// Ignores interrupts until the returned value is dropped, for short work that must not stay unfinished.
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

    /// Waits for an interrupt, at most for `limit`, and receives it. Returns true if an interrupt was received.
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

/// Sends an interrupt to all listeners: several exist if, for example, a command and one of its steps both listen.
/// Returns false if no listener exists, or if none of them receives or ignores the interrupt within [`PATIENCE`].
pub(super) fn tell_listeners() -> bool {
    let mut listeners = lock(&LISTENERS);
    listeners.retain(|listener| listener.strong_count() > 0);
    let told: Vec<Arc<Shared>> = listeners.iter().filter_map(Weak::upgrade).collect();
    drop(listeners);
    is_taken(&told)
}

/// Sends an interrupt to the listeners in `told`. Returns true if, within [`PATIENCE`], one of the listeners receives
/// the interrupt, ignores it, or is dropped.
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
