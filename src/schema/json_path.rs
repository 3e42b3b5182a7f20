//! Follows JSON paths through a schema.

use serde_json::Value;

/// The result of following a JSON path through a schema.
#[derive(Debug, PartialEq)]
pub(crate) enum Target<'a> {
    /// A field with this schema.
    Field(&'a Value),
    /// A missing field, with the reason why the field is missing.
    Missing(String),
    /// The schema does not describe the field, so that opctl cannot decide if the field exists.
    Unknown,
}

/// Follows the JSON path `path`, which begins with a dot, from the schema `root`. A filter such as `[?(@.x=="y")]`
/// leads to the items of a list; the filter's condition is not checked.
pub(crate) fn follow<'a>(root: &'a Value, path: &str) -> Target<'a> {
    let Some(steps) = steps(path) else { return Target::Unknown };
    if matches!(steps.first(), Some(Step::Name(name)) if ["metadata", "apiVersion", "kind"].contains(&name.as_str())) {
        return Target::Unknown;
    }
    let mut at = root;
    let mut so_far = String::new();
    for step in steps {
        let shown = if so_far.is_empty() { "." } else { &so_far }.to_owned();
        match step {
            Step::Items => match at.get("items") {
                Some(items) => at = items,
                None if open(at) => return Target::Unknown,
                None => return Target::Missing(format!("`{shown}` is not a list")),
            },
            Step::Name(name) => {
                if at.get("items").is_some() {
                    return Target::Missing(format!("`{shown}` is a list; name its items, as in `{shown}[*].{name}`"));
                }
                let fields = at.get("properties").and_then(Value::as_object);
                let next = fields.and_then(|fields| fields.get(&name)).or_else(|| at.get("additionalProperties"));
                match next {
                    Some(next) => at = next,
                    None if open(at) => return Target::Unknown,
                    None => {
                        let names: Vec<&str> = fields.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                        let has =
                            if names.is_empty() { "no fields".to_owned() } else { format!("`{}`", names.join("`, `")) };
                        return Target::Missing(format!("`{shown}` has no field `{name}`; it has {has}"));
                    }
                }
                so_far = format!("{so_far}.{name}");
                continue;
            }
        }
        so_far.push_str("[*]");
    }
    Target::Field(at)
}

fn open(schema: &Value) -> bool {
    schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true))
}

#[derive(Debug, PartialEq)]
enum Step {
    Name(String),
    Items,
}

/// Splits a path such as `.a.b[*]['c'][?(@.x=="y")].d\.e` into its steps; returns `None` for an unknown syntax.
fn steps(path: &str) -> Option<Vec<Step>> {
    let characters: Vec<char> = path.chars().collect();
    let mut steps = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        match characters[at] {
            '.' => {
                let mut name = String::new();
                at += 1;
                while at < characters.len() && !['.', '['].contains(&characters[at]) {
                    if characters[at] == '\\' {
                        at += 1;
                    }
                    name.extend(characters.get(at));
                    at += 1;
                }
                if name.is_empty() || name.contains(['*', '{', '}', '@', '(']) {
                    return None;
                }
                steps.push(Step::Name(name));
            }
            '[' => {
                let end = bracket(&characters, at)?;
                let inner: String = characters[at + 1..end].iter().collect();
                let quoted = inner.strip_prefix(['\'', '"']).and_then(|rest| rest.strip_suffix(['\'', '"']));
                steps.push(match quoted {
                    Some(name) => Step::Name(name.to_owned()),
                    None => Step::Items,
                });
                at = end + 1;
            }
            _ => return None,
        }
    }
    Some(steps)
}

/// Returns the index of the bracket that closes the bracket at `open`; ignores brackets in quotes.
fn bracket(characters: &[char], open: usize) -> Option<usize> {
    let mut quote = None;
    for (index, one) in characters.iter().enumerate().skip(open + 1) {
        match (quote, one) {
            (Some(mark), one) if mark == *one => quote = None,
            (None, '\'' | '"') => quote = Some(*one),
            (None, ']') => return Some(index),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Target, follow};
    use serde_json::json;

    #[test]
    fn paths_are_followed_where_that_can_be_decided() {
        let schema = json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {
                "a.b": {"type": "string"},
                "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
                "map": {"type": "object", "additionalProperties": {"type": "integer"}},
                "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            }},
        }});
        for (path, kind) in [
            (".spec", "field"),
            (".spec.a\\.b", "field"),
            (".spec['a.b']", "field"),
            (".spec.list[*].x", "field"),
            (".spec.list[0].x", "field"),
            (".spec.list[?(@.x==\"a].b\")].x", "field"),
            (".spec.map.anything", "field"),
            (".spec.any.thing", "unknown"),
            (".metadata.labels.x", "unknown"),
            (".", "unknown"),
            ("..x", "unknown"),
            (".spec.nope", "missing"),
            (".status", "missing"),
            (".spec.list.x", "missing"),
            (".spec.map[*]", "missing"),
        ] {
            let found = match follow(&schema, path) {
                Target::Field(_) => "field",
                Target::Missing(_) => "missing",
                Target::Unknown => "unknown",
            };
            assert_eq!(found, kind, "{path}");
        }
    }
}
