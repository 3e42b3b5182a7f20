use super::{Findings, Raw, structural};
use serde_json::json;

#[test]
fn placeholder() {
    let raw = Raw { schema: json!({"type": "object", "properties": {}}), ..Raw::default() };
    assert_eq!(structural(&raw, None, &mut Findings::default()), json!({"type": "object", "properties": {}}));
}
