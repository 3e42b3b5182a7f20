//! One API of a project: a group, a version and a kind, and a record of everything that was scaffolded for it.

use super::{
    Category, Controller, ControllerName, Domain, Field, Group, Image, Imported, Kind, Origin, Plural, Policies,
    ShortName, Version, Webhooks, field_types, module_name, tree,
};

/// The identity of a resource in a project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The API group without the domain, such as `apps` for `apps.example.com`.
    pub group: Group,
    /// The API version, such as `v1alpha1`.
    pub version: Version,
    /// The kind, such as `WebServer`.
    pub kind: Kind,
}

impl std::fmt::Display for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let separator = if self.group.is_none() { "" } else { "/" };
        write!(formatter, "{}{separator}{}, kind {}", self.group, self.version, self.kind)
    }
}

impl Key {
    /// Returns the path of the module with the types, relative to the api crate's root, such as `apps::v1alpha1`.
    pub fn version_module(&self) -> String {
        match self.group_module() {
            Some(group) => format!("{group}::{}", self.version),
            None => self.version.to_string(),
        }
    }

    /// Returns the name of the group's module; `None` if the group is empty.
    pub fn group_module(&self) -> Option<String> {
        (!self.group.is_none()).then(|| module_name(self.group.as_str()))
    }

    /// Returns the name of the kind's module, which differs from the name of the parent module: clippy warns about a
    /// module with its parent's name.
    pub fn kind_module(&self) -> String {
        let module = module_name(self.kind.as_str());
        let inside_its_like = self.group_module().as_ref() == Some(&module) || module == self.version.as_str();
        if inside_its_like { format!("{module}_") } else { module }
    }

    /// Returns the key of the same kind in another version.
    #[must_use]
    pub fn of_version(&self, version: &Version) -> Key {
        Key { version: version.clone(), ..self.clone() }
    }

    /// Returns the usual names of the three types that every kind has: the object, the spec and the status.
    pub fn type_names(&self) -> [String; 3] {
        ["", "Spec", "Status"].map(|suffix| format!("{}{suffix}", self.kind.rust_name()))
    }
}

/// A resource of the project, as recorded in the file `PROJECT`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Resource {
    /// Group, version and kind.
    pub key: Key,
    /// The domain of the kind's API group, if the project defines the kind and the domain is not the project's domain.
    pub domain: Option<Domain>,
    /// The origin of the kind's Rust type: the project, Kubernetes or another crate.
    pub origin: Origin,
    /// The plural name of the kind, in lower case.
    pub plural: Plural,
    /// True if objects live in namespaces.
    pub namespaced: bool,
    /// Short names for kubectl.
    pub short_names: Vec<ShortName>,
    /// The categories with which kubectl lists the kind.
    pub categories: Vec<Category>,
    /// True if the types were scaffolded.
    pub api: bool,
    /// The controllers that were scaffolded.
    pub controllers: Vec<Controller>,
    /// The admission webhooks that were scaffolded.
    pub webhooks: Webhooks,
    /// The versions that a scaffolded webhook converts to and from this version; empty if this version is not the hub.
    pub spokes: Vec<Version>,
    /// The admission policies that were scaffolded.
    pub policies: Policies,
    /// The image of the kind's pods, if the user passed `--image` to `opctl create api`.
    pub image: Option<Image>,
    /// The fields of the spec that the user chose.
    pub fields: Vec<Field>,
    /// True if this is the storage version of the kind.
    pub storage: bool,
    /// True if the types started as a copy of another version's types, so that opctl has no template for the types.
    pub copied: bool,
    /// The facts about types that were generated from an existing CRD.
    pub imported: Option<Imported>,
}

impl Resource {
    /// Returns the names of all generated Rust types: of the object, of the spec, of the status and of the fields.
    pub fn type_names(&self) -> Vec<String> {
        let of_fields = field_types(&tree(&self.fields), &self.key.kind.rust_name());
        self.own_types().into_iter().chain(of_fields).collect()
    }

    /// Returns the names of the kind's three types: the object, the spec and the status.
    pub fn own_types(&self) -> [String; 3] {
        let [object, spec, status] = self.key.type_names();
        match &self.imported {
            Some(Imported { spec_type, status_type, .. }) => {
                [object, spec_type.clone().unwrap_or(spec), status_type.clone().unwrap_or(status)]
            }
            None => [object, spec, status],
        }
    }

    /// Returns true if the fields are at the root of an object instead of below `spec`.
    pub fn has_no_spec(&self) -> bool {
        self.imported.as_ref().is_some_and(|imported| imported.no_spec)
    }

    /// Returns true if the project defines the Rust types of this version.
    pub fn has_types(&self) -> bool {
        self.api && self.origin == Origin::Own
    }

    /// Returns the whole API group; empty for the core group, such as for pods. `domain` is the project's domain.
    pub fn api_group(&self, domain: &Domain) -> String {
        match &self.origin {
            Origin::Own => self.key.group.with_domain(self.domain.as_ref().unwrap_or(domain)),
            Origin::Core(built_in) => built_in.group.to_owned(),
            Origin::External(external) => external.api_group(&self.key.group),
        }
    }

    /// Returns the API version as in YAML, such as `apps.example.com/v1`.
    pub fn api_version(&self, domain: &Domain) -> String {
        let group = self.api_group(domain);
        if group.is_empty() { self.key.version.to_string() } else { format!("{group}/{}", self.key.version) }
    }

    /// Returns the Rust path of the module with the kind's type, as the operator's code imports it, such as
    /// `api::apps::v1`.
    pub fn type_module(&self) -> String {
        match &self.origin {
            Origin::Own => format!("api::{}", self.key.version_module()),
            Origin::Core(built_in) => built_in.module_path(),
            Origin::External(external) => external.path.to_string(),
        }
    }

    /// Returns true if both resources are versions of the same kind.
    pub fn is_of_kind_of(&self, other: &Resource) -> bool {
        let (own, other_key) = (&self.key, &other.key);
        let is_same = own.group == other_key.group && own.kind == other_key.kind && self.domain == other.domain;
        is_same && self.origin.is_like(&other.origin)
    }

    /// Returns true if this resource has types, and a resource in `earlier` has types of the same kind in another
    /// version. `PROJECT` does not record that such a resource's types were copied, because these types always start as
    /// a copy of another version's types.
    pub(super) fn follows_version(&self, earlier: &[Resource]) -> bool {
        self.has_types() && earlier.iter().any(|other| other.has_types() && other.is_of_kind_of(self))
    }

    /// Returns the default name of a controller, for controllers that the user does not name.
    pub fn usual_controller_name(&self) -> String {
        let (group, singular) = (&self.key.group, self.key.kind.singular());
        match self.origin {
            Origin::Own if group.is_none() => singular,
            Origin::Own => format!("{group}-{singular}"),
            // The names of children contain the controller's name, and some names must not have dots.
            Origin::Core(_) | Origin::External(_) => format!("{}-{singular}", group.as_str().replace('.', "-")),
        }
    }

    /// Returns the name of a controller, which is unique in the project. Flags, metrics and events use the name, and
    /// the controller's field manager is `<project>/<name>`.
    pub fn controller_name(&self, controller: &Controller) -> String {
        controller.name.as_ref().map_or_else(|| self.usual_controller_name(), ToString::to_string)
    }

    /// Returns the controller with this name; without a name, the first controller.
    pub fn controller(&self, name: Option<&ControllerName>) -> Option<&Controller> {
        self.controllers
            .iter()
            .find(|controller| name.is_none_or(|name| self.controller_name(controller) == name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_not_named_like_the_one_it_is_in() {
        for (group, kind, module) in [
            (None, "Cache", "cache"),
            (Some("cache"), "Cache", "cache_"),
            (Some("cache"), "CacheEntry", "cache_entry"),
            (Some("core"), "Core", "core__"),
            (None, "V1alpha1", "v1alpha1_"),
        ] {
            let group = group.map_or(Group::none(), |group| Group::parse(group).expect(group));
            let version = Version::parse("v1alpha1").expect("valid");
            let key = Key { group, version, kind: Kind::parse(kind).expect(kind) };
            assert_eq!(key.kind_module(), module, "{key}");
        }
    }
}
