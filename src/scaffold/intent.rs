//! The intent of `create api`.

use crate::model::{
    Category, Child, ControllerName, Dependency, Field, Image, Key, Origin, Plural, RustPath, ShortName,
};

/// Whether a file is known, by its path from the project's root.
pub type Known<'a> = &'a dyn Fn(&str) -> bool;

/// What `create api` was asked for; what was not said is `None`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ApiIntent {
    /// Group, version and kind.
    pub key: Key,
    /// Whether the version was said, and is not just the usual one.
    pub version_said: bool,
    /// The type of another crate, where one was named.
    pub external: Option<ExternalIntent>,
    /// Where the type comes from; [`locate`](super::locate) finds it out.
    pub origin: Origin,
    /// Another plural than the usual one.
    pub plural: Option<Plural>,
    /// The scope.
    pub namespaced: Option<bool>,
    /// Short names, where some were given.
    pub short_names: Option<Vec<ShortName>>,
    /// Categories, where some were given.
    pub categories: Option<Vec<Category>>,
    /// What the pods run, where a Deployment and a Service are wanted.
    pub image: Option<Image>,
    /// The fields of the spec, where some were given.
    pub fields: Option<Vec<Field>>,
    /// What each object is to get, where that was said.
    pub owns: Option<Vec<Child>>,
    /// Whether deleted objects are to be kept until they are cleaned up.
    pub finalizer: bool,
    /// Whether this version is to be the one that is stored.
    pub storage: bool,
    /// Whether types are wanted.
    pub api: bool,
    /// Whether a controller is wanted.
    pub controller: bool,
    /// The controller's name, where one was given.
    pub controller_name: Option<ControllerName>,
    /// Whether files of other content are replaced.
    pub force: bool,
}

/// A type of another crate.
#[derive(Clone, Debug)]
pub struct ExternalIntent {
    /// Its module.
    pub path: RustPath,
    /// What follows the group in its API group.
    pub domain: Option<String>,
    /// Where cargo finds the crate.
    pub dependency: Option<Dependency>,
}
