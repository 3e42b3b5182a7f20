//! Signals to processes.

/// A signal to send to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Interrupt the process, as Ctrl+C does.
    Interrupt,
    /// Ask the process to end.
    Terminate,
    /// End the process at once.
    Kill,
    /// Suspend the process until [`Signal::Continue`] is sent.
    Suspend,
    /// Continue a suspended process.
    Continue,
}
