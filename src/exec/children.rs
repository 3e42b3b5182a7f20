//! Child processes that lead separate process groups, so that a child is ended together with its descendants.

use super::interrupts::tell_listeners;
use crate::system::{Requests, Signal, lead_group, signal_group};
use std::collections::BTreeSet;
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
static HANDLED: AtomicBool = AtomicBool::new(false);
static FOREGROUND: Mutex<Option<Foreground>> = Mutex::new(None);
static CLEANUPS: Mutex<Vec<Box<dyn FnOnce() + Send>>> = Mutex::new(Vec::new());

/// The child process that opctl waits for in the foreground.
struct Foreground {
    process: u32,
    interrupted: bool,
}

/// The result of a child process that opctl waited for in the foreground.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The exit status of the child.
    pub status: ExitStatus,
    /// True if an interrupt was passed on to the child before the child ended.
    pub interrupted: bool,
}

/// A child process whose whole process group is killed when this value is dropped, or when opctl is interrupted.
#[derive(Debug)]
pub struct Guarded {
    child: Child,
}

/// Starts `command` as the leader of a new process group.
pub fn spawn(command: &mut Command) -> std::io::Result<Guarded> {
    // The lock is held across the start: an interrupt in between would miss the child.
    let mut groups = lock(&GROUPS);
    let child = lead_group(command).spawn()?;
    groups.insert(child.id());
    Ok(Guarded { child })
}

impl Guarded {
    /// Returns the child process, for access to its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Returns the child's process id, which is also the id of its process group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a termination signal to all processes in the child's process group.
    pub fn terminate(&self) {
        signal_group(self.id(), Signal::Terminate);
    }

    /// Suspends all processes in the child's process group, or continues them if `suspended` is false.
    pub fn suspend(&self, suspended: bool) {
        signal_group(self.id(), if suspended { Signal::Suspend } else { Signal::Continue });
    }

    /// Waits until the child ends, and returns its exit status.
    pub fn wait(mut self) -> std::io::Result<ExitStatus> {
        self.child.wait()
    }

    /// Reads the piped streams to their ends, and waits for the child to end.
    pub fn output(mut self) -> std::io::Result<Output> {
        let stderr = self.child.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                std::io::Read::read_to_end(&mut stderr, &mut text).map(|_| text)
            })
        });
        let mut stdout = Vec::new();
        if let Some(mut pipe) = self.child.stdout.take() {
            std::io::Read::read_to_end(&mut pipe, &mut stdout)?;
        }
        let stderr = match stderr.map(std::thread::JoinHandle::join) {
            Some(Ok(text)) => text?,
            _ => Vec::new(),
        };
        Ok(Output { status: self.child.wait()?, stdout, stderr })
    }

    /// Waits for the child to end. The first interrupt is passed on to the child and does not end opctl; a second
    /// interrupt kills the child. The child is not in opctl's process group, so that an interrupt from the terminal
    /// reaches the child only through opctl, and only once.
    pub fn wait_in_foreground(self) -> std::io::Result<Ended> {
        *lock(&FOREGROUND) = Some(Foreground { process: self.id(), interrupted: false });
        let status = self.wait();
        let interrupted = lock(&FOREGROUND).take().is_some_and(|child| child.interrupted);
        status.map(|status| Ended { status, interrupted })
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            signal_group(self.child.id(), Signal::Kill);
            let _ = self.child.wait();
        }
        lock(&GROUPS).remove(&self.child.id());
    }
}

/// Registers a cleanup to run when an interrupt ends opctl, such as the removal of a temporary folder.
pub fn on_interrupt(cleanup: impl FnOnce() + Send + 'static) {
    lock(&CLEANUPS).push(Box::new(cleanup));
}

/// Handles SIGINT, SIGTERM and SIGHUP from now on. The first signal interrupts the child that opctl [waits
/// for](Guarded::wait_in_foreground), and a second signal kills the child. Without such a child, a signal kills every
/// [`Guarded`] child, runs the cleanups of [`on_interrupt`], and exits with 130. Without this handler, a signal would
/// end only opctl, and the children would continue, because they are in other process groups.
pub fn install_interrupt_handler() -> std::io::Result<()> {
    let mut requests = Requests::listen()?;
    HANDLED.store(true, Ordering::SeqCst);
    std::thread::spawn(move || {
        loop {
            requests.wait();
            if tell_listeners() {
                continue;
            }
            match &mut *lock(&FOREGROUND) {
                Some(child) => {
                    let signal = if child.interrupted { Signal::Kill } else { Signal::Interrupt };
                    child.interrupted = true;
                    signal_group(child.process, signal);
                }
                None => break,
            }
        }
        end_process(130);
    });
    Ok(())
}

/// Kills every [`Guarded`] child, runs the cleanups of [`on_interrupt`], and exits with `code`.
#[expect(clippy::exit, reason = "nothing may go on")]
pub fn end_process(code: i32) -> ! {
    // The lock is never released: no further child may be started.
    let groups = lock(&GROUPS);
    for group in groups.iter() {
        signal_group(*group, Signal::Kill);
    }
    // Each is taken out before it runs, so that a panic in one does not wait for the lock.
    while let Some(cleanup) = { lock(&CLEANUPS).pop() } {
        cleanup();
    }
    std::process::exit(code);
}

/// Returns true in the program opctl, and false in a program that uses opctl as a library.
pub(super) fn is_opctl() -> bool {
    HANDLED.load(Ordering::SeqCst)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
