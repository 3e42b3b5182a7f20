//! A controller of a kind, as `PROJECT` records it.

use super::{Child, ControllerName};

/// A controller of a kind. A kind can have several controllers; if the project defines the kind, only the first one
/// writes the status of the objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controller {
    /// The controller's name, if the user gave one.
    pub name: Option<ControllerName>,
    /// The kinds of the children that the controller creates for each object.
    pub owns: Vec<Child>,
    /// True if a finalizer keeps deleted objects until the controller has cleaned up.
    pub finalizer: bool,
}
