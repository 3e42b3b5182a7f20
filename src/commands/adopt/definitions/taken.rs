//! The names of Rust types that are already used in the module of a group and version.

use super::groups::Groups;
use super::keys::{key, versions};
use super::read::FileContents;
use crate::crd_to_rust;
use crate::model::{Imported, Key};
use std::collections::{BTreeMap, BTreeSet};

/// The names of Rust types that are already used in one module.
#[derive(Default)]
pub(super) struct UsedTypeNames {
    /// The names of the types that every kind has regardless of its schema (object, spec and status), and the names of
    /// the types generated so far.
    pub(super) names: BTreeSet<String>,
    /// The names of the types of the custom resources, each of which is also the name of a kind.
    kinds: BTreeSet<String>,
}

impl UsedTypeNames {
    /// Chooses the names of the Rust types for a kind's spec and status: usually the kind's name followed by `Spec`,
    /// and the kind's name followed by `Status`. If the objects have their fields at the root instead of in `spec`
    /// (`no_spec`), the first name ends in `Fields` instead of `Spec`. If a chosen name is also the name of another
    /// kind, such as the kind `DeviceStatus` beside the kind `Device`, appends `Fields` to the chosen name.
    pub(super) fn choose_type_names(&self, key: &Key, no_spec: bool) -> Imported {
        let other = |usual: &String| self.kinds.contains(usual).then(|| self.free(usual));
        let [_, fields, status] = names(key, no_spec);
        let spec_type = other(&fields).or(no_spec.then_some(fields));
        Imported { no_spec, spec_type, status_type: other(&status), ..Imported::default() }
    }

    fn free(&self, usual: &str) -> String {
        let first = format!("{usual}Fields");
        let mut others = (2..).map(|number| format!("{first}{number}"));
        if self.names.contains(&first) {
            others.find(|name| !self.names.contains(name)).unwrap_or(first)
        } else {
            first
        }
    }
}

/// Returns the usual names of the types of a kind's object, spec and status. Every kind has these three types,
/// regardless of its schema.
fn names(key: &Key, no_spec: bool) -> [String; 3] {
    let [object, spec, status] = key.type_names();
    let spec = if no_spec { format!("{object}Fields") } else { spec };
    [object, spec, status]
}

/// Returns the names of the types that every kind has regardless of its schema (object, spec and status), by the Rust
/// module that contains the kind. No other type in the module may use these names.
pub(super) fn names_of_kinds(groups: &Groups, found: &FileContents) -> BTreeMap<String, UsedTypeNames> {
    let mut modules: BTreeMap<String, UsedTypeNames> = BTreeMap::new();
    for definition in &found.definitions {
        for version in versions(&definition.object) {
            if let Ok(Some((_, key))) = key(groups, &definition.object, version) {
                let module = modules.entry(key.version_module()).or_default();
                let names = names(&key, crd_to_rust::has_root_fields(version));
                module.kinds.insert(names[0].clone());
                module.names.extend(names);
            }
        }
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Group, Kind, Version};

    #[test]
    fn a_kind_keeps_its_name_from_the_types_of_others() {
        let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let key =
            Key { group: Group::none(), version: Version::parse("v1").unwrap(), kind: Kind::parse("device").unwrap() };
        for (no_spec, kinds, names, spec, status) in [
            (false, &["Device"][..], &[][..], None, None),
            (false, &["Device", "DeviceStatus"], &[], None, Some("DeviceStatusFields")),
            (false, &["Device", "DeviceStatus"], &["DeviceStatusFields"], None, Some("DeviceStatusFields2")),
            (false, &["Device", "DeviceSpec"], &["DeviceSpecFields2"], Some("DeviceSpecFields"), None),
            (true, &["Device", "DeviceSpec"], &[], Some("DeviceFields"), None),
            (true, &["Device", "DeviceFields"], &[], Some("DeviceFieldsFields"), None),
        ] {
            let imported = UsedTypeNames { names: of(names), kinds: of(kinds) }.choose_type_names(&key, no_spec);
            assert_eq!((imported.spec_type.as_deref(), imported.status_type.as_deref()), (spec, status), "{kinds:?}");
        }
    }
}
