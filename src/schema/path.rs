//! The paths of schemas in a custom resource, and the traversal of the schemas within a schema.

use serde_json::Value;

/// The path from the root of a custom resource to a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPath(String);

impl FieldPath {
    pub(crate) fn root() -> Self {
        Self::default()
    }

    /// Returns the path as text; the root's path is empty.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path extended by one step.
    pub(crate) fn step(&self, step: Step<'_>) -> Self {
        match step {
            Step::Field(name) => self.field(name),
            Step::Item => self.item(),
            Step::Value => self.value(),
        }
    }

    pub(super) fn field(&self, name: &str) -> Self {
        if self.0.is_empty() { FieldPath(name.to_owned()) } else { FieldPath(format!("{}.{name}", self.0)) }
    }

    pub(super) fn item(&self) -> Self {
        FieldPath(format!("{}[]", self.0))
    }

    pub(super) fn value(&self) -> Self {
        FieldPath(format!("{}{{}}", self.0))
    }

    /// Returns the part of this path after the prefix `outer`.
    pub(super) fn path_below(&self, outer: &FieldPath) -> String {
        let rest = self.0.strip_prefix(&outer.0).unwrap_or(&self.0);
        if outer.is_root() && !rest.is_empty() { format!(".{rest}") } else { rest.to_owned() }
    }

    pub(super) fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}

/// The step from a structural schema to a schema directly below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// The step to a field of an object.
    Field(&'a str),
    /// The step to the items of a list.
    Item,
    /// The step to the values of a map.
    Value,
}

/// Returns the schemas directly below a structural schema, each with the step that leads to the schema: the schemas of
/// the fields, of the list items and of the map values. Omits the branches, such as `allOf`, because a branch describes
/// the same value as the schema around the branch.
pub(crate) fn children(node: &Value) -> impl Iterator<Item = (Step<'_>, &Value)> {
    let fields = node.get("properties").and_then(Value::as_object).into_iter().flatten();
    let fields = fields.map(|(name, child)| (Step::Field(name), child));
    let others = [("items", Step::Item), ("additionalProperties", Step::Value)];
    fields.chain(others.into_iter().filter_map(|(key, step)| Some((step, node.get(key)?))))
}

/// Returns the schema that a step leads to.
pub(crate) fn child<'a>(node: &'a Value, step: Step<'_>) -> Option<&'a Value> {
    match step {
        Step::Field(name) => node.get("properties")?.get(name),
        Step::Item => node.get("items"),
        Step::Value => node.get("additionalProperties"),
    }
}

/// Returns the branches of a schema (`allOf`, `anyOf`, `oneOf`, `not`), each with its keyword and index.
pub(super) fn branches(node: &Value) -> impl Iterator<Item = (&'static str, usize, &Value)> {
    let listed = BRANCHES.into_iter().flat_map(move |key| {
        let all = node.get(key).and_then(Value::as_array).into_iter().flatten().enumerate();
        all.map(move |(index, branch)| (key, index, branch))
    });
    listed.chain(node.get("not").map(|branch| ("not", 0, branch)))
}

/// The keywords that hold a list of branches.
pub(super) const BRANCHES: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Calls `visit` for every schema directly below `node`. The path of a branch is the path of `node`.
pub(crate) fn for_each_child(node: &mut Value, path: &FieldPath, visit: &mut dyn FnMut(&mut Value, &FieldPath)) {
    let Some(map) = node.as_object_mut() else { return };
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for (name, child) in properties {
            visit(child, &path.field(name));
        }
    }
    if let Some(Value::Object(properties)) = map.get_mut("patternProperties") {
        for (_, child) in properties {
            visit(child, &path.value());
        }
    }
    match map.get_mut("items") {
        Some(Value::Array(items)) => items.iter_mut().for_each(|child| visit(child, &path.item())),
        Some(child) => visit(child, &path.item()),
        None => {}
    }
    if let Some(child) = map.get_mut("additionalProperties") {
        visit(child, &path.value());
    }
    if let Some(child) = map.get_mut("not") {
        visit(child, path);
    }
    for key in BRANCHES.into_iter().chain(["prefixItems"]) {
        if let Some(Value::Array(branches)) = map.get_mut(key) {
            for child in branches {
                visit(child, path);
            }
        }
    }
}

/// Returns the branch in `others` for the same variant as the branch at `index`: the branch with the same tag or field,
/// else the branch at the same index if both lists have the same length.
pub(super) fn counterpart<'a>(branches: &[Value], index: usize, others: &'a [Value]) -> Option<&'a Value> {
    let own = variant(branches.get(index)?);
    let named = others.iter().find(|other| own.is_some() && variant(other) == own);
    named.or_else(|| others.get(index).filter(|_| own.is_none() && branches.len() == others.len()))
}

/// Returns the identity of the enum variant that `branch` describes: `NAME=VALUE` for the tag, or else the name of the
/// variant's only field. Returns `None` if `branch` has neither.
fn variant(branch: &Value) -> Option<String> {
    let properties = branch.get("properties").and_then(Value::as_object);
    let tag =
        properties.into_iter().flatten().find_map(|(name, schema)| match schema.get("enum")?.as_array()?.as_slice() {
            [Value::String(tag)] => Some(format!("{name}={tag}")),
            _ => None,
        });
    let required = || match branch.get("required")?.as_array()?.as_slice() {
        [Value::String(name)] if properties.is_none_or(|properties| properties.len() == 1) => Some(name.clone()),
        _ => None,
    };
    tag.or_else(required)
}
