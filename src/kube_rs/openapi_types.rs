//! The types of k8s-openapi for one version of Kubernetes, and the differences between the types of two versions.

use std::collections::{BTreeMap, BTreeSet};

/// The field names of each type, by type name. Types of the same name, such as `Event`, share one set of fields.
#[derive(Debug, Default)]
pub(crate) struct KubernetesTypes(BTreeMap<String, BTreeSet<String>>);

impl KubernetesTypes {
    /// Adds the structs that a source file of k8s-openapi defines.
    pub(crate) fn add(&mut self, text: &str) {
        let mut fields = None;
        for line in text.lines() {
            if let Some(name) =
                line.strip_prefix("pub struct ").and_then(|rest| rest.split([' ', '(', ';', '<']).next())
            {
                fields = line.ends_with('{').then(|| self.0.entry(name.to_owned()).or_default());
            } else if line == "}" {
                fields = None;
            } else if let Some(fields) = &mut fields
                && let Some((field, _)) = line.strip_prefix("    pub ").and_then(|rest| rest.split_once(':'))
            {
                fields.insert(field.to_owned());
            }
        }
    }

    /// Returns the types and fields that are missing in `older`.
    pub(crate) fn newer_than(self, older: &KubernetesTypes) -> NewerTypes {
        let known: BTreeSet<&String> = older.0.values().flatten().collect();
        let mut newer = NewerTypes::default();
        for (name, fields) in self.0 {
            let Some(there) = older.0.get(&name) else {
                newer.types.insert(name);
                continue;
            };
            let fields: BTreeSet<String> = fields.difference(there).cloned().collect();
            newer.field_names.extend(fields.iter().filter(|field| !known.contains(field)).cloned());
            newer.fields.insert(name, fields);
        }
        newer
    }
}

/// The types and fields that one version of Kubernetes has and an older version lacks.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewerTypes {
    types: BTreeSet<String>,
    fields: BTreeMap<String, BTreeSet<String>>,
    field_names: BTreeSet<String>,
}

impl NewerTypes {
    /// Returns true if the newer version has a type of this name and the older version does not.
    pub(crate) fn has_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }

    /// Returns true if both versions have the type and only the newer version has the field.
    pub(crate) fn has_field(&self, type_name: &str, field: &str) -> bool {
        self.fields.get(type_name).is_some_and(|fields| fields.contains(field))
    }

    /// Returns true if the newer version adds this field to a type that both versions have, and no type of the older
    /// version has a field with this name.
    pub(crate) fn has_field_name(&self, field: &str) -> bool {
        self.field_names.contains(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_types_and_new_fields_are_told_apart() {
        let mut older = KubernetesTypes::default();
        older.add("pub struct PodSpec {\n    /// Names.\n    pub containers: Vec<Container>,\n}\n\nimpl PodSpec {\n    pub const A: u8 = 1;\n}\n");
        older.add("pub struct Container {\n    pub name: String,\n}\n\npub struct Quantity(pub String);\n");
        let mut newer = KubernetesTypes::default();
        newer.add("pub struct PodSpec {\n    pub containers: Vec<Container>,\n    pub group: Group,\n    pub name: String,\n}\n");
        newer.add("pub struct Group {\n    pub name: String,\n    pub size: i32,\n}\n");
        let newer = newer.newer_than(&older);
        assert!(newer.has_type("Group") && !newer.has_type("PodSpec"));
        assert!(newer.has_field("PodSpec", "group") && newer.has_field("PodSpec", "name"));
        assert!(!newer.has_field("PodSpec", "containers") && !newer.has_field("Group", "size"));
        assert!(newer.has_field_name("group") && !newer.has_field_name("name") && !newer.has_field_name("size"));
    }
}
