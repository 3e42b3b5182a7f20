//! The result of a reconciler: the time at which the object is reconciled again.

use std::time::Duration;

/// The result of a reconciler: the time of the object's next pass, unless a watch reports a
/// relevant change earlier.
///
/// ```
/// use runtime::Action;
/// use std::time::Duration;
///
/// /// Looks at a backup again when it is due.
/// fn next(due: Option<Duration>, complete: bool) -> Action {
///     match due {
///         Some(in_time) => Action::requeue(in_time),
///         None if complete => Action::await_change(),
///         None => Action::done(),
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action(pub(crate) Again);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Resync,
    After(Duration),
    Never,
}

impl Action {
    /// Reports that the object is in its desired state. Not every change can be watched, so the
    /// object is reconciled again after the resync period: ten minutes by default, see
    /// [`Controller::resync`](crate::Controller::resync) and the flag `--resync`.
    #[must_use]
    pub const fn done() -> Self {
        Self(Again::Resync)
    }

    /// Reconciles the object again after this time, for example to wait for an answer from outside
    /// of the cluster, which no watch reports.
    #[must_use]
    pub const fn requeue(after: Duration) -> Self {
        Self(Again::After(after))
    }

    /// Returns the same action, but at most `limit` before the next pass.
    pub(crate) fn within(self, limit: Duration) -> Self {
        match self.0 {
            Again::After(after) => Self::requeue(after.min(limit)),
            Again::Resync | Again::Never => Self::requeue(limit),
        }
    }

    /// Reconciles the object again only after a change of the object itself, of a child, or of
    /// another object to which the object refers.
    #[must_use]
    pub const fn await_change() -> Self {
        Self(Again::Never)
    }
}
