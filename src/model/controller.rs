//! A controller of a kind, as `PROJECT` keeps it.

use super::{Child, ControllerName};

/// One controller of a kind; the first one of a kind of the project's own reports the status of its objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controller {
    /// Its name, where one was given.
    pub name: Option<ControllerName>,
    /// The kinds of which each object gets a child.
    pub owns: Vec<Child>,
    /// True if deleted objects are kept until they are cleaned up.
    pub finalizer: bool,
}
