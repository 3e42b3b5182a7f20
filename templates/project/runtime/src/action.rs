//! When a reconciled object is looked at again.

use std::time::Duration;

/// The answer of a reconciler: when the object is looked at again, unless it or a child of it
/// changes before.
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
    /// The object is as it should be. As not everything that matters can be watched, it is looked
    /// at again after the time that the flag `--resync` says, which is ten minutes by default.
    #[must_use]
    pub const fn done() -> Self {
        Self(Again::Resync)
    }

    /// Looks at the object again after this time: for what has to be waited for, such as an answer
    /// from outside of the cluster.
    #[must_use]
    pub const fn requeue(after: Duration) -> Self {
        Self(Again::After(after))
    }

    /// Looks at the object again only when it or a child of it has changed.
    #[must_use]
    pub const fn await_change() -> Self {
        Self(Again::Never)
    }
}
