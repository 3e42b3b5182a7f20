//! Generates schemas as schemars makes them, and as `#[schemars(extend(..))]` can change them, from a string of bytes.
//! Each choice takes one byte.
//!
//! The fuzz target `schema` uses this file with bytes that the fuzzing engine mutates, and the tests use it with random
//! bytes.

use opctl::test_api::schema::{Findings, Raw, structural};
use serde_json::{Map, Value, json};

const NAMES: [&str; 6] = ["a", "b", "type", "spec", "metadata", "x-y.z/ä"];
const DEFINITIONS: [&str; 5] = [
    "Node",
    "Mode",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "io.k8s.apimachinery.pkg.api.resource.Quantity",
];
const FORMATS: [&str; 12] = [
    "uint",
    "uint8",
    "int16",
    "uint32",
    "int64",
    "uint64",
    "int128",
    "double",
    "date-time",
    "partial-date-time",
    "ip",
    "uuid",
];
const TYPES: [&str; 8] = ["string", "integer", "number", "boolean", "null", "array", "object", "odd"];
/// Further schema keywords, which schemars writes or which `#[schemars(extend(..))]` can add.
const KEYWORDS: [&str; 38] = [
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "nullable",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "const",
    "enum",
    "type",
    "$ref",
    "properties",
    "items",
    "oneOf",
    "additionalProperties",
    "contentEncoding",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-validations",
];

/// Generates a schema from the bytes, makes it structural and writes it as YAML. Any result but a panic is fine.
pub(crate) fn check(bytes: &[u8]) {
    let mut choices = Choices { bytes };
    let definitions: Map<String, Value> = DEFINITIONS[..choices.below(DEFINITIONS.len() + 1)]
        .iter()
        .map(|name| ((*name).to_owned(), choices.schema(3)))
        .collect();
    let read = Raw { schema: choices.schema(6), definitions: definitions.clone() };
    let written = match choices.below(3) {
        0 => None,
        1 => Some(read.clone()),
        _ => Some(Raw { schema: choices.schema(5), definitions }),
    };
    let schema = structural(&read, written.as_ref(), &mut Findings::default());
    let _ = opctl::test_api::yaml::document(&schema);
}

struct Choices<'a> {
    bytes: &'a [u8],
}

impl Choices<'_> {
    /// Takes one byte and returns it modulo `limit`. Returns 0 once the bytes are used up, so that every string of
    /// bytes ends.
    fn below(&mut self, limit: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % limit
    }

    fn name(&mut self) -> String {
        NAMES[self.below(NAMES.len())].to_owned()
    }

    fn list(&mut self, mut one: impl FnMut(&mut Self) -> Value) -> Value {
        (0..self.below(4)).map(|_| one(self)).collect()
    }

    fn named(&mut self, depth: usize) -> Value {
        Value::Object((0..self.below(4)).map(|_| (self.name(), self.schema(depth))).collect())
    }

    /// Returns any JSON value.
    fn any(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 7 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(i64::try_from(self.below(256)).unwrap_or(0) - 128),
            3 => json!([0.5, -0.0, 1e300, 9_007_199_254_740_993_i64, u64::MAX, i64::MIN])[self.below(6)].take(),
            4 => json!(self.name()),
            5 => json!(["", "A", "^a$", "(?x)a", "#/$defs/Node", "a{2000}"][self.below(6)]),
            6 => json!([{}, []])[self.below(2)].take(),
            7 => self.list(|choices| choices.any(depth - 1)),
            _ => Value::Object((0..self.below(4)).map(|_| (self.name(), self.any(depth - 1))).collect()),
        }
    }

    fn reference(&mut self) -> Value {
        let name = ["Node", "Mode", "Missing", DEFINITIONS[2], DEFINITIONS[3], DEFINITIONS[4]][self.below(6)];
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    /// Returns one variant of an enum as serde tags it.
    fn variant(&mut self, depth: usize) -> Value {
        let name = self.name();
        match self.below(5) {
            0 => json!({"type": "string", "const": name}),
            1 => json!({"type": "string", "enum": [name, self.name()]}),
            2 => json!({"type": "object", "properties": {name.clone(): self.schema(depth)}, "required": [name]}),
            3 => {
                let mut variant = self.object(depth);
                variant["properties"]["type"] = json!({"type": "string", "const": name});
                variant["required"] = json!(["type"]);
                variant
            }
            _ => self.schema(depth),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut object = json!({"type": "object", "properties": self.named(depth)});
        match self.below(6) {
            0 => object["additionalProperties"] = self.schema(depth),
            1 => object["additionalProperties"] = json!(self.below(2) == 0),
            2 => object["patternProperties"] = json!({r"^\d+$": self.schema(depth)}),
            3 => object["propertyNames"] = self.schema(depth),
            4 => object["unevaluatedProperties"] = json!(false),
            _ => {}
        }
        object["required"] = self.list(|choices| choices.name().into());
        object
    }

    fn schema(&mut self, depth: usize) -> Value {
        let below = depth.saturating_sub(1);
        let mut schema = match self.below(if depth == 0 { 8 } else { 18 }) {
            0 => return json!(true),
            1 => return json!(false),
            2 => json!({}),
            3 => json!({"type": TYPES[self.below(TYPES.len())]}),
            4 => json!({"type": [TYPES[self.below(TYPES.len())], TYPES[self.below(TYPES.len())]]}),
            5 => json!({"type": "integer", "format": FORMATS[self.below(FORMATS.len())]}),
            6 => json!({"type": "string", "enum": self.list(|choices| choices.any(0))}),
            7 => self.reference(),
            8 => json!({"type": "array", "items": self.schema(below)}),
            9 => json!({"type": "array", "prefixItems": self.list(|choices| choices.schema(below))}),
            10 | 11 => self.object(below),
            12 => json!({"anyOf": [self.schema(below), {"type": "null"}]}),
            13 => json!({"oneOf": self.list(|choices| choices.variant(below))}),
            14 => json!({"anyOf": self.list(|choices| choices.variant(below))}),
            15 => json!({"allOf": self.list(|choices| choices.schema(below))}),
            16 => json!({"not": self.schema(below), "if": self.schema(0), "then": self.schema(0)}),
            // An object with variants, as flattened fields of several kinds produce it.
            _ => {
                let mut object = self.object(below);
                object[["oneOf", "anyOf", "allOf"][self.below(3)]] = self.list(|choices| choices.variant(below));
                object
            }
        };
        for _ in 0..[0, 0, 1, 2][self.below(4)] {
            schema[KEYWORDS[self.below(KEYWORDS.len())]] = self.any(2);
        }
        // As deep as a chain of newtypes and boxes can nest.
        for _ in 0..[0, 0, 0, 0, 0, 0, 0, 40][if depth == 6 { self.below(8) } else { 0 }] {
            schema = json!({"type": "array", "items": schema});
        }
        schema
    }
}
