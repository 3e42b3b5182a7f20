//! The parsed arguments of `create api`.

use crate::model::{
    Category, Child, ControllerName, Dependency, Domain, Field, Image, Imported, Key, Origin, Plural, RustPath,
    ShortName,
};

/// A function that returns true if opctl generated the file at a path, which is relative to the project's root.
pub type IsGenerated<'a> = &'a dyn Fn(&str) -> bool;

/// The arguments of `create api`; an argument that was not given is `None`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ApiIntent {
    /// The group, version and kind.
    pub key: Key,
    /// True if the user gave the version; false for the default version.
    pub version_said: bool,
    /// The domain of the group, if given.
    pub domain: Option<Domain>,
    /// The type from another crate, if given.
    pub external: Option<ExternalIntent>,
    /// The origin of the kind's type (the project, Kubernetes or another crate), which [`locate`](super::locate) sets.
    pub origin: Origin,
    /// The plural, if given.
    pub plural: Option<Plural>,
    /// The scope, if given: true for namespaced objects, false for cluster-scoped objects.
    pub namespaced: Option<bool>,
    /// The short names, if given.
    pub short_names: Option<Vec<ShortName>>,
    /// The categories, if given.
    pub categories: Option<Vec<Category>>,
    /// The image of the pods, if the user requests a `Deployment` and a `Service`.
    pub image: Option<Image>,
    /// The fields of the spec, if given.
    pub fields: Option<Vec<Field>>,
    /// The properties of the types, such as a sample spec and the name of the spec's type, if opctl generates the types
    /// from a CRD.
    pub imported: Option<Imported>,
    /// The kinds of the children that each object gets, if given.
    pub owns: Option<Vec<Child>>,
    /// True if a finalizer keeps deleted objects until the controller has cleaned up.
    pub finalizer: bool,
    /// True if this version becomes the storage version.
    pub storage: bool,
    /// True if the user requests the Rust types of the kind.
    pub api: bool,
    /// True if the user requests a controller.
    pub controller: bool,
    /// The controller's name, if given.
    pub controller_name: Option<ControllerName>,
    /// True if opctl replaces existing files whose content differs from the content that opctl generates.
    pub force: bool,
}

/// A type from another crate.
#[derive(Clone, Debug)]
pub struct ExternalIntent {
    /// The path of the type's module.
    pub path: RustPath,
    /// The domain that completes the group to the full API group, if any.
    pub domain: Option<String>,
    /// The source from which cargo gets the crate, if given.
    pub dependency: Option<Dependency>,
}
