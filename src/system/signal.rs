//! Signals to processes.

/// A signal to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// As Ctrl+C does.
    Interrupt,
    /// End in order.
    Terminate,
    /// End now.
    Kill,
    /// Do nothing until [`Signal::Continue`] comes.
    Suspend,
    /// Go on.
    Continue,
}
