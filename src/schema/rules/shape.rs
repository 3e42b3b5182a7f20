//! The shape of a value in an expression: the schema of a field, or of a value that is derived from a field.

use crate::model::most_like;
use serde_json::Value;

/// The known structure of a value.
#[derive(Clone, Debug)]
pub(super) enum Shape<'a> {
    /// A value of unknown structure.
    Unknown,
    /// A value that this schema describes.
    Field(&'a Value),
    /// A whole object with `apiVersion`, `kind` and `metadata`, even if the schema does not describe these fields.
    Root(&'a Value),
    /// The metadata of an object, of which rules can read only `name` and `generateName`.
    Metadata,
    /// A list that the expression creates, with the shape of the list's items.
    List(Box<Shape<'a>>),
    /// An optional, with the shape of the value inside.
    Optional(Box<Shape<'a>>),
}

/// The reason why an expression cannot select a field, with a hint.
pub(super) struct SelectError {
    pub(super) reason: String,
    pub(super) hint: String,
}

/// The reserved words of CEL; rules must escape a field with such a name (apiserver `pkg/cel/escaping.go`).
const RESERVED: [&str; 22] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
    "__",
];

impl<'a> Shape<'a> {
    pub(super) fn of(schema: &'a Value) -> Self {
        let says = |key: &str| schema.get(key) == Some(&Value::Bool(true));
        if says("x-kubernetes-int-or-string") {
            Shape::Unknown
        } else if says("x-kubernetes-embedded-resource") {
            Shape::Root(schema)
        } else {
            Shape::Field(schema)
        }
    }

    /// Returns the shape of the field `name`.
    pub(super) fn select(&self, name: &str) -> Result<Shape<'a>, SelectError> {
        match self {
            Shape::Unknown => Ok(Shape::Unknown),
            Shape::Optional(inner) => Ok(Shape::Optional(Box::new(inner.select(name)?))),
            Shape::List(_) => Err(SelectError::no_fields("a list")),
            Shape::Metadata if ["name", "generateName"].contains(&name) => Ok(Shape::Unknown),
            Shape::Metadata => Err(SelectError {
                reason: "rules can access only `name` and `generateName` of the metadata".to_owned(),
                hint: "use a field of the spec".to_owned(),
            }),
            Shape::Root(_) if ["apiVersion", "kind"].contains(&name) => Ok(Shape::Unknown),
            Shape::Root(_) if name == "metadata" => Ok(Shape::Metadata),
            Shape::Root(schema) | Shape::Field(schema) => field(schema, name),
        }
    }

    /// Returns the shape of an item if this value is a list, or of a map value if this value is a map. Returns
    /// [`Shape::Unknown`] for any other value.
    pub(super) fn item(&self) -> Shape<'a> {
        match self {
            Shape::List(item) => (**item).clone(),
            Shape::Field(schema) => match kind(schema) {
                "array" => schema.get("items").map_or(Shape::Unknown, Shape::of),
                "object" => values(schema).map_or(Shape::Unknown, Shape::of),
                _ => Shape::Unknown,
            },
            _ => Shape::Unknown,
        }
    }

    /// Returns the shape of the variable in a macro with one variable. For a list, this variable is an item. For a map,
    /// this variable is a key, whose shape is [`Shape::Unknown`].
    pub(super) fn element(&self) -> Shape<'a> {
        match self {
            Shape::Field(schema) if kind(schema) != "array" => Shape::Unknown,
            other => other.item(),
        }
    }

    /// Returns the shape of the value inside an optional; [`Shape::Unknown`] if this value is not an optional.
    pub(super) fn value(&self) -> Shape<'a> {
        match self {
            Shape::Optional(inner) => (**inner).clone(),
            _ => Shape::Unknown,
        }
    }

    /// Returns true if the value has a field of this name; used for hints.
    pub(super) fn has_field(&self, name: &str) -> bool {
        let (Shape::Field(schema) | Shape::Root(schema)) = self else { return false };
        schema.get("properties").is_some_and(|fields| fields.get(name).is_some())
    }
}

impl SelectError {
    fn no_fields(what: &str) -> Self {
        SelectError {
            reason: format!("{what} has no fields"),
            hint: "use all(..), exists(..) or an index such as [0]".to_owned(),
        }
    }
}

fn kind(schema: &Value) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the schema of a map's values; `None` if `schema` does not describe a map.
fn values(schema: &Value) -> Option<&Value> {
    schema.get("additionalProperties").filter(|values| values.is_object())
}

fn field<'a>(schema: &'a Value, name: &str) -> Result<Shape<'a>, SelectError> {
    match kind(schema) {
        "object" => {}
        "array" => return Err(SelectError::no_fields("a list")),
        kind @ ("string" | "integer" | "number" | "boolean") => {
            let hint = "remove the last dot and the name after it".to_owned();
            return Err(SelectError { reason: format!("a value of the type {kind} has no fields"), hint });
        }
        _ => return Ok(Shape::Unknown),
    }
    if let Some(values) = values(schema) {
        return Ok(Shape::of(values));
    }
    if schema.get("additionalProperties").is_some() {
        return Ok(Shape::Unknown);
    }
    let fields = schema.get("properties").and_then(Value::as_object);
    let mut fields = fields.into_iter().flatten();
    // Newer servers take some of the reserved words as they are.
    let plain = RESERVED.contains(&name);
    match fields.clone().find(|(own, _)| escape(own) == name || plain && *own == name) {
        Some((_, field)) if visible(field) => Ok(Shape::of(field)),
        Some(_) => Err(SelectError {
            reason: "rules do not see fields without a schema".to_owned(),
            hint: "use a field with a type; rules cannot check fields below `x-kubernetes-preserve-unknown-fields`"
                .to_owned(),
        }),
        None => {
            let own = fields.clone().map(|(own, _)| own.as_str());
            let hint = match fields.find(|(own, _)| *own == name) {
                Some((own, _)) => escape(own),
                None => suggestion(name, own),
            };
            let reason = "the schema has no such field".to_owned();
            Err(SelectError { reason, hint })
        }
    }
}

/// Returns a hint for a rule that uses the unknown field `name`: the field that the author of the rule probably meant,
/// or else a list of the existing fields.
fn suggestion<'a>(name: &str, fields: impl Iterator<Item = &'a str>) -> String {
    let fields: Vec<String> = fields.map(escape).collect();
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    if let Some(meant) = fields.iter().find(|field| plain(field) == plain(name)) {
        return meant.clone();
    }
    let all: Vec<&str> = fields.iter().map(String::as_str).collect();
    // CEL reads `foo-bar` as `foo` minus `bar`.
    if let Some(meant) = all.iter().find(|field| field.starts_with(&format!("{name}__"))) {
        return (*meant).to_owned();
    }
    match most_like(name, all.iter().copied()) {
        Some(meant) => meant.to_owned(),
        None if all.is_empty() => "the schema of this object defines no fields".to_owned(),
        None => format!("one of: {}", all.iter().take(12).copied().collect::<Vec<_>>().join(", ")),
    }
}

/// Returns true if CEL rules can read a field with this schema, as the API server's `SchemaDeclType` decides.
pub(super) fn visible(schema: &Value) -> bool {
    if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        return true;
    }
    match kind(schema) {
        "" => false,
        "array" => schema.get("items").is_some_and(visible),
        "object" => values(schema).is_none_or(visible),
        _ => true,
    }
}

/// Returns the escaped name of a field in CEL (apiserver `pkg/cel/escaping.go`, `Escape`).
pub(super) fn escape(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    let mut text = String::new();
    let mut rest = name;
    while let Some(one) = rest.chars().next() {
        let (part, length) = match one {
            '_' if rest.starts_with("__") => ("__underscores__", 2),
            '.' => ("__dot__", 1),
            '-' => ("__dash__", 1),
            '/' => ("__slash__", 1),
            other => (&rest[..other.len_utf8()], other.len_utf8()),
        };
        text.push_str(part);
        rest = &rest[length..];
    }
    text
}
