//! Findings about a custom resource, at the line that they are about.

use crate::finding::Finding;
use crate::schema::Problem;
use crate::source::discover::ApiType;
use crate::source::places::Places;

/// Makes a finding about a custom resource, at its `attribute`, the `index`-th of that name.
pub(crate) fn of_type(
    api_type: &ApiType,
    attribute: (&str, usize),
    code: &str,
    reason: impl Into<String>,
    hint: impl Into<String>,
) -> Finding {
    let line = api_type.resource.lines.get(attribute.0).and_then(|lines| lines.get(attribute.1));
    let mut finding = Finding::new(code, &api_type.file, line.copied().unwrap_or(api_type.line), reason, hint);
    finding.resource = Some(api_type.path.clone());
    finding.rust_type = Some(api_type.spec.clone());
    finding
}

/// Makes the finding of a schema problem, at the line of its field where the source has one.
pub(crate) fn of_schema(api_type: &ApiType, problem: &Problem, places: &Places) -> Finding {
    let name = &api_type.resource.root;
    let reason = if problem.path == "." {
        format!("`{name}` {}", problem.reason)
    } else {
        let rust = problem.rust_type.as_ref().map(|rust| format!(" (Rust type `{rust}`)")).unwrap_or_default();
        format!("the field `{}` of `{name}`{rust} {}", problem.path, problem.reason)
    };
    let (file, line) = places.field(api_type, &problem.path).unwrap_or((&api_type.file, api_type.line));
    let mut finding = Finding::new(problem.code, file, line, reason, &problem.hint);
    finding.resource = Some(api_type.path.clone());
    finding.path = Some(if problem.path == "." { ".".to_owned() } else { format!(".{}", problem.path) });
    finding.rust_type.clone_from(&problem.rust_type);
    finding
}
