//! A controller of a kind, as `PROJECT` keeps it.

use super::{Child, ControllerName, Origin, Resource};

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

impl Resource {
    /// Returns the name of a controller of the kind that was given none.
    pub fn usual_controller_name(&self) -> String {
        let (group, singular) = (&self.key.group, self.key.kind.singular());
        match self.origin {
            Origin::Own if group.is_none() => singular,
            Origin::Own => format!("{group}-{singular}"),
            // Children are called after it, and some names have no dots.
            Origin::Core(_) | Origin::External(_) => format!("{}-{singular}", group.as_str().replace('.', "-")),
        }
    }

    /// The name of a controller, unique in the project: in flags, metrics and events, and the second half of its field
    /// manager.
    pub fn controller_name(&self, controller: &Controller) -> String {
        controller.name.as_ref().map_or_else(|| self.usual_controller_name(), ToString::to_string)
    }

    /// The controller of this name; without one, the first.
    pub fn controller(&self, name: Option<&ControllerName>) -> Option<&Controller> {
        self.controllers
            .iter()
            .find(|controller| name.is_none_or(|name| self.controller_name(controller) == name.as_str()))
    }
}
