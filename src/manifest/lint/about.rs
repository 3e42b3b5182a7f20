//! Makes findings about a custom resource, at the line in the source that causes them.

use crate::finding::{Finding, Lint};
use crate::schema::SchemaFinding;
use crate::source::discover::ApiType;
use crate::source::places::Places;

/// Creates a finding about a custom resource. `attribute` is the name of an attribute in `#[kube(..)]`, and its index
/// among the attributes with that name. The finding points at the line of this attribute or, if the type does not have
/// the attribute, at the line of the type.
pub(crate) fn of_type(
    api_type: &ApiType,
    attribute: (&str, usize),
    lint: &Lint,
    reason: impl Into<String>,
    hint: impl Into<String>,
) -> Finding {
    let line = api_type.resource.lines.get(attribute.0).and_then(|lines| lines.get(attribute.1));
    let mut finding = Finding::new(lint, &api_type.file, line.copied().unwrap_or(api_type.line), reason, hint);
    finding.resource = Some(api_type.path.clone());
    finding.rust_type = Some(api_type.spec.clone());
    finding
}

/// Creates a finding about a schema, at the line of the field if the source contains the field.
pub(crate) fn of_schema(api_type: &ApiType, found: &SchemaFinding, places: &Places) -> Finding {
    let name = &api_type.resource.root;
    let reason = if found.path == "." {
        format!("`{name}` {}", found.reason)
    } else {
        let rust = found.rust_type.as_ref().map(|rust| format!(" (Rust type `{rust}`)")).unwrap_or_default();
        format!("the field `{}` of `{name}`{rust} {}", found.path, found.reason)
    };
    let (file, line) = places.field(api_type, &found.path).unwrap_or((&api_type.file, api_type.line));
    let mut finding = Finding::new(found.lint, file, line, reason, &found.hint);
    finding.resource = Some(api_type.path.clone());
    finding.path = Some(if found.path == "." { ".".to_owned() } else { format!(".{}", found.path) });
    finding.rust_type.clone_from(&found.rust_type);
    finding
}
