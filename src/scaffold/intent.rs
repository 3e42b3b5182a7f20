//! The intent of `create api`.

use crate::model::{
    Category, Child, ControllerName, Dependency, Domain, Field, Image, Imported, Key, Origin, Plural, RustPath,
    ShortName,
};

/// A function that returns true for the path of a known file, from the project's root.
pub type Known<'a> = &'a dyn Fn(&str) -> bool;

/// The arguments of `create api`; an argument that was not given is `None`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ApiIntent {
    /// Group, version and kind.
    pub key: Key,
    /// True if the user gave the version; false for the default version.
    pub version_said: bool,
    /// The domain of the group, where one was given.
    pub domain: Option<Domain>,
    /// The type of another crate, where one was named.
    pub external: Option<ExternalIntent>,
    /// The origin of the type, which [`locate`](super::locate) sets.
    pub origin: Origin,
    /// The plural, where one was given.
    pub plural: Option<Plural>,
    /// True for objects that live in namespaces, where a scope was given.
    pub namespaced: Option<bool>,
    /// Short names, where some were given.
    pub short_names: Option<Vec<ShortName>>,
    /// Categories, where some were given.
    pub categories: Option<Vec<Category>>,
    /// The image of the pods, where a Deployment and a Service are wanted.
    pub image: Option<Image>,
    /// The fields of the spec, where some were given.
    pub fields: Option<Vec<Field>>,
    /// The facts about types that are generated from a CRD, if they are.
    pub imported: Option<Imported>,
    /// The kinds of the children that each object gets, where some were given.
    pub owns: Option<Vec<Child>>,
    /// True if a finalizer is to keep deleted objects until the controller has cleaned up.
    pub finalizer: bool,
    /// True if this version is to be the storage version.
    pub storage: bool,
    /// True if types are wanted.
    pub api: bool,
    /// True if a controller is wanted.
    pub controller: bool,
    /// The controller's name, where one was given.
    pub controller_name: Option<ControllerName>,
    /// True if files of other content are replaced.
    pub force: bool,
}

/// A type of another crate.
#[derive(Clone, Debug)]
pub struct ExternalIntent {
    /// The type's module.
    pub path: RustPath,
    /// The domain that completes the group to the whole API group, if any.
    pub domain: Option<String>,
    /// The source of the crate for cargo.
    pub dependency: Option<Dependency>,
}
