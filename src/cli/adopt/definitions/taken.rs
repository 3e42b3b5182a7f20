//! The names of Rust types that are taken in the module of a group and version.

use super::groups::Groups;
use super::keys::{key, versions};
use super::read::Found;
use crate::model::{Imported, Key};
use crate::scaffold;
use std::collections::{BTreeMap, BTreeSet};

/// The names of Rust types that are already used in one module.
#[derive(Default)]
pub(super) struct Taken {
    /// The names of the types that each kind has with any schema, and of the types that were generated so far.
    pub(super) names: BTreeSet<String>,
    /// The names of the objects' types; each type has the name of its kind.
    kinds: BTreeSet<String>,
}

impl Taken {
    /// Chooses the names of the types of a spec and a status: the usual names, unless a kind has the same name, such as
    /// the kind `DeviceStatus` beside the kind `Device`, or the fields are at the root of an object.
    pub(super) fn imported(&self, key: &Key, no_spec: bool) -> Imported {
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

/// Returns the usual names of the types that a kind has with any schema: of the object, the spec and the status.
fn names(key: &Key, no_spec: bool) -> [String; 3] {
    let [object, spec, status] = key.type_names();
    let spec = if no_spec { format!("{object}Fields") } else { spec };
    [object, spec, status]
}

/// Returns, for each module, the names of the types that each kind has with any schema. Types of other kinds must not
/// use these names.
pub(super) fn names_of_kinds(groups: &Groups, found: &Found) -> BTreeMap<String, Taken> {
    let mut modules: BTreeMap<String, Taken> = BTreeMap::new();
    for definition in &found.definitions {
        for version in versions(&definition.object) {
            if let Ok(Some((_, key))) = key(groups, &definition.object, version) {
                let module = modules.entry(key.version_module()).or_default();
                let names = names(&key, scaffold::has_root_fields(version));
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
            let imported = Taken { names: of(names), kinds: of(kinds) }.imported(&key, no_spec);
            assert_eq!((imported.spec_type.as_deref(), imported.status_type.as_deref()), (spec, status), "{kinds:?}");
        }
    }
}
