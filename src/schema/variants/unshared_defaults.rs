//! Removes the defaults of fields that only some variants of an enum have.
//!
//! In a CRD, all variants share one list of fields, and the API server fills in a default for any variant. If the
//! variant does not have the field, serde may refuse the object.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Removes the default of a field unless all objects have the field with the same default. The Rust type still applies
/// the default when the type reads an object.
pub(super) fn remove_unshared_defaults(mut objects: Vec<&mut Map<String, Value>>) {
    let names: BTreeSet<String> =
        objects.iter().filter_map(|object| properties(object)).flat_map(Map::keys).cloned().collect();
    for name in names {
        let defaults: BTreeSet<Option<String>> =
            objects.iter().map(|object| properties(object)?.get(&name)?.get("default").map(Value::to_string)).collect();
        let mut fields: Vec<&mut Map<String, Value>> = objects
            .iter_mut()
            .filter_map(|object| object.get_mut("properties")?.as_object_mut()?.get_mut(&name)?.as_object_mut())
            .collect();
        if defaults.len() > 1 {
            for field in &mut fields {
                field.remove("default");
            }
        }
        if fields.len() > 1 {
            remove_unshared_defaults(fields);
        }
    }
}

fn properties(object: &Map<String, Value>) -> Option<&Map<String, Value>> {
    object.get("properties")?.as_object()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_default_stays_where_all_variants_have_it() {
        let field = |default: Value| json!({"type": "integer", "default": default});
        let object = |properties: Value| json!({"type": "object", "properties": properties});
        let mut branches = [
            object(json!({"own": field(1.into()), "all": field(2.into()), "other": field(3.into()),
                "within": object(json!({"x": field(0.into()), "y": field(5.into())}))})),
            object(json!({"all": field(2.into()), "other": field(4.into()),
                "within": object(json!({"y": field(5.into())}))})),
        ];
        remove_unshared_defaults(branches.iter_mut().filter_map(Value::as_object_mut).collect());
        let [first, second] = branches;
        assert_eq!(
            first["properties"],
            json!({"own": {"type": "integer"}, "all": field(2.into()), "other": {"type": "integer"},
                "within": object(json!({"x": {"type": "integer"}, "y": field(5.into())}))})
        );
        assert_eq!(second["properties"]["other"], json!({"type": "integer"}));
    }
}
