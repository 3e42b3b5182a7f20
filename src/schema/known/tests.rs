use super::{complete_definition, keywords, table};
use serde_json::{Map, json};

#[test]
fn every_line_of_the_table_is_read() {
    for line in include_str!("table.txt").lines().filter(|line| line.starts_with(' ')) {
        let (property, words) = line.trim_start().split_once(' ').expect("a property and words");
        let additions = keywords(words).expect("keywords");
        assert!(!property.is_empty() && !additions.is_empty(), "{line}");
        let list = additions
            .get("x-kubernetes-list-type")
            .map(|kind| ["atomic", "set", "map"].contains(&kind.as_str().unwrap_or_default()));
        let map = additions
            .get("x-kubernetes-map-type")
            .map(|kind| ["atomic", "granular"].contains(&kind.as_str().unwrap_or_default()));
        assert!(list.unwrap_or(true) && map.unwrap_or(true), "{line}");
    }
    assert!(table::lines("io.k8s.api.core.v1.ContainerPort").eq([("protocol", "{\"default\":\"TCP\"}")]));
}

#[test]
fn only_what_is_there_is_completed() {
    let name = "io.k8s.api.resource.v1beta1.ResourceClaimStatus";
    let mut schema = json!({"type": "object", "properties": {
        "devices": {"type": "array", "items": {"$ref": "#/components/schemas/Device"}},
    }});
    let older = json!({"Device": {"properties": {"driver": {}, "device": {}, "pool": {}}}});
    complete_definition(name, &mut schema, older.as_object().unwrap_or(&Map::new()));
    let expected = json!({"type": "object", "properties": {
        "devices": {
            "type": "array", "items": {"$ref": "#/components/schemas/Device"},
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["driver", "device", "pool"],
        },
    }});
    assert_eq!(schema, expected);
}
