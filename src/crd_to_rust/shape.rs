//! The Rust type of a schema, and the attributes for everything that the type does not express.

use super::literal::{json, number, text};
use serde_json::{Map, Value};

/// The category of a Rust type, which determines the default of the type and the value of a missing field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Text,
    Boolean,
    Integer,
    Float,
    /// An enum, with the allowed strings and the names of their variants.
    Enum {
        name: String,
        variants: Vec<(String, String)>,
    },
    /// A Kubernetes `Quantity`, with the name of the type in the generated code.
    Quantity(String),
    IntOrString(String),
    Struct {
        has_default: bool,
    },
    List(Box<Shape>),
    Map(Box<Shape>),
    /// A type from another crate that implements `Default`, or a type for any JSON value.
    Other,
    /// A type from another crate that does not implement `Default`.
    WithoutDefault,
}

impl Shape {
    /// Returns true if the Rust type implements `Default`.
    pub(super) fn has_default(&self) -> bool {
        match self {
            Shape::Enum { .. } | Shape::WithoutDefault => false,
            Shape::Struct { has_default } => *has_default,
            _ => true,
        }
    }

    /// Returns the name of the Rust collection: `Vec` for a list, `BTreeMap` for a map, else `None`. A missing optional
    /// field of such a type becomes an empty collection.
    pub(super) fn collection(&self) -> Option<&'static str> {
        match self {
            Shape::List(_) => Some("Vec"),
            Shape::Map(_) => Some("BTreeMap"),
            _ => None,
        }
    }
}

/// A Rust type, with attributes for the keywords of the schema that the type does not express.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) rust: String,
    pub(super) shape: Shape,
    pub(super) attributes: Attributes,
}

impl Typed {
    pub(super) fn new(rust: impl Into<String>, shape: Shape) -> Self {
        Typed { rust: rust.into(), shape, attributes: Attributes::default() }
    }
}

/// The attributes of a field, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    /// The arguments of `#[schemars(..)]` for bounds and patterns.
    pub(super) limits: Vec<String>,
    /// The keywords of the schema that are written unchanged, with their values, in `#[schemars(extend(..))]`.
    pub(super) extended: Map<String, Value>,
    pub(super) strategy: Option<String>,
    pub(super) rules: Vec<String>,
}

impl Attributes {
    /// Returns true if `limits` are the only attributes. Such attributes can also apply to the items of a list, within
    /// `inner(..)` of schemars.
    pub(super) fn are_limits(&self) -> bool {
        self.extended.is_empty() && self.strategy.is_none() && self.rules.is_empty()
    }

    /// Moves the bounds and the pattern of a text, a number or a list from `rest`, the keywords of its schema, to
    /// `limits`.
    pub(super) fn take_limits(&mut self, rest: &mut Map<String, Value>, shape: &Shape) {
        let (least, greatest, what) = match shape {
            Shape::Text => ("minLength", "maxLength", "length"),
            Shape::List(_) => ("minItems", "maxItems", "length"),
            Shape::Integer | Shape::Float => ("minimum", "maximum", "range"),
            _ => return,
        };
        let is_float = *shape == Shape::Float;
        let mut bounds = Vec::new();
        for (key, name) in [(least, "min"), (greatest, "max")] {
            if let Some(bound) = rest.get(key).and_then(|bound| number(bound, is_float)) {
                rest.remove(key);
                bounds.push(format!("{name} = {bound}"));
            }
        }
        if !bounds.is_empty() {
            self.limits.push(format!("{what}({})", bounds.join(", ")));
        }
        if *shape == Shape::Text
            && let Some(Value::String(pattern)) = rest.get("pattern")
            && pattern.len() <= LONGEST_PATTERN
        {
            self.limits.push(format!("regex(pattern = {})", text(pattern)));
            rest.remove("pattern");
        }
    }

    /// Moves the CEL rules from `rest`, the keywords of a schema, to the attributes.
    pub(super) fn take_rules(&mut self, rest: &mut Map<String, Value>) {
        let has_both = |rule: &Value| rule.get("message").is_some() && rule.get("messageExpression").is_some();
        let key = "x-kubernetes-validations";
        // kube's `Rule` has one field for both, so that the keyword stays as it is in the schema.
        if let Some(Value::Array(rules)) = rest.get(key)
            && !rules.iter().any(has_both)
        {
            self.rules.extend(rules.iter().map(rule));
            rest.remove(key);
        }
    }

    /// Returns the attributes above a struct or a field, indented by `indentation`.
    pub(super) fn lines(&self, indentation: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let together = format!("{indentation}#[schemars({})]", self.limits.join(", "));
        if self.limits.is_empty() || self.limits.join(", ").len() <= ARGUMENTS_WIDTH {
            lines.extend((!self.limits.is_empty()).then_some(together));
        } else {
            lines.extend(self.limits.iter().map(|limit| format!("{indentation}#[schemars({limit})]")));
        }
        for (key, value) in &self.extended {
            lines.push(format!("{indentation}#[schemars(extend(\"{key}\" = {}))]", json(value)));
        }
        lines.extend(self.strategy.iter().map(|one| format!("{indentation}#[x_kube(merge_strategy = {one})]")));
        lines.extend(self.rules.iter().map(|rule| {
            let argument = format!("validation = {rule}");
            // rustfmt breaks literals, and leaves every other expression as it is.
            let is_literal = rule.starts_with(['"', 'r']);
            if is_literal && argument.len() > ARGUMENTS_WIDTH {
                return format!("{indentation}#[x_kube(\n{indentation}    {argument}\n{indentation})]");
            }
            format!("{indentation}#[x_kube({argument})]")
        }));
        lines
    }
}

/// The maximum width of an attribute's arguments that rustfmt leaves on one line.
pub(super) const ARGUMENTS_WIDTH: usize = 70;
/// The maximum length of a pattern within `regex(..)`: rustfmt would break the line of a longer pattern.
const LONGEST_PATTERN: usize = 45;

/// Renders a CEL rule as the value of `validation` in `#[x_kube(validation = ..)]`.
pub(super) fn rule(rule: &Value) -> String {
    let of = |key: &str| rule.get(key).and_then(Value::as_str).map(text);
    let expression = of("rule").unwrap_or_else(|| "\"\"".to_owned());
    let others = ["messageExpression", "reason", "fieldPath", "optionalOldSelf"];
    let is_plain = others.iter().all(|key| rule.get(key).is_none());
    match of("message") {
        None if is_plain => expression,
        Some(message) if is_plain => format!("({expression}, {message})"),
        message => {
            let mut calls = format!("Rule::new({expression})");
            if let Some(expression) = of("messageExpression") {
                calls.push_str(&format!(".message(Message::Expression({expression}.into()))"));
            } else if let Some(message) = message {
                calls.push_str(&format!(".message({message})"));
            }
            if let Some(reason) = rule.get("reason").and_then(Value::as_str) {
                calls.push_str(&format!(".reason(Reason::{reason})"));
            }
            if let Some(path) = of("fieldPath") {
                calls.push_str(&format!(".field_path({path})"));
            }
            if let Some(old) = rule.get("optionalOldSelf").and_then(Value::as_bool) {
                calls.push_str(&format!(".optional_old_self({old})"));
            }
            calls
        }
    }
}
