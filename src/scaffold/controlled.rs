//! A controller together with the kind that it reconciles.

use crate::model::{BuiltIn, Controller, Image, Origin, Project, Resource, module_name};

/// A controller together with the resource that it reconciles.
#[derive(Clone, Copy)]
pub(super) struct ControllerOfKind<'a> {
    pub(super) resource: &'a Resource,
    pub(super) controller: &'a Controller,
}

impl<'a> ControllerOfKind<'a> {
    /// Returns every controller of the project.
    pub(super) fn all(project: &'a Project) -> impl Iterator<Item = Self> {
        project.resources.iter().flat_map(|resource| {
            resource.controllers.iter().map(move |controller| ControllerOfKind { resource, controller })
        })
    }

    /// Returns true if the controller reports the status of its objects and gives each child the name of the child's
    /// owner. This holds only for the first controller of a kind, and only if the project defines the kind and the
    /// kind's status has conditions. The status of a kind from outside the project belongs to another operator.
    pub(super) fn reports(self) -> bool {
        let can = self.resource.imported.as_ref().is_none_or(|imported| imported.conditions);
        self.resource.origin == Origin::Own && self.is_first() && can
    }

    /// Returns the image of the pods that the controller creates for its objects, if any.
    pub(super) fn image(self) -> Option<&'a Image> {
        self.resource.image.as_ref().filter(|_| self.reports())
    }

    /// Returns the controller's name, which appears in flags, metrics and events, and in the field manager
    /// `<project>/<name>`.
    pub(super) fn name(self) -> String {
        self.resource.controller_name(self.controller)
    }

    /// Returns the name of the controller's module within the module of the API group.
    pub(super) fn module(self) -> String {
        let key = &self.resource.key;
        let Some(name) = &self.controller.name else { return key.kind_module() };
        let module = module_name(name.as_str());
        // clippy warns about a module that is named like its parent.
        if key.group_module().as_ref() == Some(&module) { format!("{module}_") } else { module }
    }

    /// Returns the Rust path of the controller's module, relative to the module `controller`.
    pub(super) fn path(self) -> String {
        let module = self.module();
        self.resource.key.group_module().map_or(module.clone(), |group| format!("{group}::{module}"))
    }

    /// Returns the path of the controller's file.
    pub(super) fn file(self) -> String {
        let folder = self.resource.key.group_module().map_or(String::new(), |group| format!("{group}/"));
        format!("src/controller/{folder}{}.rs", self.module())
    }

    /// Returns the controller's finalizer. Each controller of a kind has a different finalizer.
    pub(super) fn finalizer(self, project: &Project) -> String {
        // A finalizer in the group of a kind that the project does not define is not the project's to choose.
        let owner = match self.resource.origin {
            Origin::Own => self.resource.api_group(&project.domain),
            Origin::Core(_) | Origin::External(_) => project.domain.to_string(),
        };
        match &self.controller.name {
            Some(name) => format!("{owner}/{}-{name}", project.name),
            None => format!("{owner}/{}", project.name),
        }
    }

    /// Returns the comment lines that explain why a controller does not report a status; no lines if the controller
    /// reports a status.
    pub(super) fn status_note(self) -> Vec<&'static str> {
        let reason = match self.resource.origin {
            _ if self.reports() => return Vec::new(),
            Origin::Own if self.resource.imported.is_some() && self.is_first() => {
                "//! Their status has no conditions: fill in the status with `ctx.apply_status(..)`."
            }
            Origin::Own => "//! Another controller writes their whole status: this controller has to report elsewhere.",
            Origin::Core(_) | Origin::External(_) => {
                "//! Their status belongs to the controller that implements the kind: this controller does not write\n//! it."
            }
        };
        vec!["//!", reason]
    }

    /// Returns true if the controller is the first controller of the kind.
    fn is_first(self) -> bool {
        self.resource.controllers.first().is_none_or(|first| first.name == self.controller.name)
    }

    /// Returns comment lines about the objects that the controller receives; no lines if the project defines the kind
    /// of these objects.
    pub(super) fn foreign_note(self) -> Vec<String> {
        if self.resource.origin == Origin::Own {
            return Vec::new();
        }
        let kind = &self.resource.key.kind;
        let note = format!(
            "/// Every `{kind}` that the operator watches is passed here: return early for those that you do not mean."
        );
        vec!["///".to_owned(), note]
    }

    /// Returns true if another crate defines the kind.
    pub(super) fn is_external(self) -> bool {
        matches!(self.resource.origin, Origin::External(_))
    }

    /// Returns the built-in kind that the controller reconciles; `None` if Kubernetes does not define the controller's
    /// kind.
    pub(super) fn built_in(self) -> Option<&'static BuiltIn> {
        match self.resource.origin {
            Origin::Core(built_in) => Some(built_in),
            Origin::Own | Origin::External(_) => None,
        }
    }
}
