//! The intent of `create api`.

use crate::model::{
    Category, Child, ControllerName, Dependency, Field, Image, Key, Origin, Plural, RustPath, ShortName,
};

/// Returns true for the path of a known file, from the project's root.
pub type Known<'a> = &'a dyn Fn(&str) -> bool;

/// The arguments of `create api`; one that was not given is `None`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ApiIntent {
    /// Group, version and kind.
    pub key: Key,
    /// True if the version was said, and is not just the usual one.
    pub version_said: bool,
    /// The type of another crate, where one was named.
    pub external: Option<ExternalIntent>,
    /// The origin of the type; [`locate`](super::locate) finds it out.
    pub origin: Origin,
    /// Another plural than the usual one.
    pub plural: Option<Plural>,
    /// The scope.
    pub namespaced: Option<bool>,
    /// Short names, where some were given.
    pub short_names: Option<Vec<ShortName>>,
    /// Categories, where some were given.
    pub categories: Option<Vec<Category>>,
    /// The image of the pods, where a Deployment and a Service are wanted.
    pub image: Option<Image>,
    /// The fields of the spec, where some were given.
    pub fields: Option<Vec<Field>>,
    /// The kinds of which each object gets a child, where given.
    pub owns: Option<Vec<Child>>,
    /// True if deleted objects are to be kept until they are cleaned up.
    pub finalizer: bool,
    /// True if this version is to be the one that is stored.
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
    /// Its module.
    pub path: RustPath,
    /// The part of its API group behind the group.
    pub domain: Option<String>,
    /// The source of the crate for cargo.
    pub dependency: Option<Dependency>,
}
