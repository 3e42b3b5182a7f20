//! Random Rust types of a custom resource, and random values of these types as serde serializes them.

use crate::support::Random;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A type of a field.
#[derive(Clone)]
enum Shape {
    Bool,
    Integer,
    Text,
    Option(Box<Shape>),
    List(Box<Shape>),
    Map(Box<Shape>),
    /// A struct or an enum, by its index in `RandomTypes::types`.
    Named(usize),
}

/// The default of a field that a value may leave out.
#[derive(Clone, Copy, PartialEq)]
enum DefaultOf {
    Nothing,
    Type,
    /// A function that returns another value than the type's default.
    Function,
}

#[derive(Clone)]
struct Field {
    name: String,
    shape: Shape,
    default: DefaultOf,
    is_flattened: bool,
}

/// The representation of an enum in JSON (<https://serde.rs/enum-representations.html>).
#[derive(Clone, Copy, PartialEq)]
enum Tag {
    External,
    Internal,
    Adjacent,
    None,
}

struct Variant {
    name: String,
    fields: Vec<Field>,
}

enum Body {
    Struct(Vec<Field>),
    Enum(Tag, Vec<Variant>),
}

struct Named {
    body: Body,
    denies_unknown: bool,
}

/// The types of one custom resource.
pub(super) struct RandomTypes {
    kind: String,
    types: Vec<Named>,
    random: Random,
}

const NAMES: [&str; 12] =
    ["name", "size", "url", "mode", "target", "labels", "retries", "kept", "items", "note", "level", "source"];

impl RandomTypes {
    pub(super) fn new(kind: &str, seed: u64) -> Self {
        let mut made = RandomTypes { kind: kind.to_owned(), types: Vec::new(), random: Random(seed) };
        for _ in 0..=made.random.below(4) {
            let named = if made.random.below(3) > 0 { made.random_enum() } else { made.random_struct() };
            made.types.push(named);
        }
        // The spec has the type that was made last, and may have others.
        let last = made.types.len() - 1;
        let mut fields = made.fields(3, true);
        fields.push(Field {
            name: "last".to_owned(),
            shape: made.wrapped(Shape::Named(last)),
            default: DefaultOf::Nothing,
            is_flattened: false,
        });
        made.types.push(Named { body: Body::Struct(fields), denies_unknown: false });
        made
    }

    fn wrapped(&mut self, shape: Shape) -> Shape {
        match self.random.below(5) {
            0 => Shape::Option(Box::new(shape)),
            1 => Shape::List(Box::new(shape)),
            2 => Shape::Map(Box::new(shape)),
            _ => shape,
        }
    }

    fn shape(&mut self) -> Shape {
        let plain = match self.random.below(4) {
            0 => Shape::Bool,
            1 => Shape::Integer,
            2 if !self.types.is_empty() => Shape::Named(self.random.below(self.types.len())),
            _ => Shape::Text,
        };
        self.wrapped(plain)
    }

    fn fields(&mut self, most: usize, may_flatten: bool) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        for _ in 0..self.random.below(most + 1) {
            let name = self.random.pick(&NAMES).to_owned();
            if fields.iter().any(|field| field.name == name) {
                continue;
            }
            let shape = self.shape();
            let default = match (&shape, self.random.below(3)) {
                (Shape::Integer | Shape::Text, 0) => DefaultOf::Function,
                (Shape::Named(_), _) => DefaultOf::Nothing,
                (_, 1) => DefaultOf::Type,
                _ => DefaultOf::Nothing,
            };
            fields.push(Field { name, shape, default, is_flattened: false });
        }
        if may_flatten && self.random.below(4) == 0 && !self.types.is_empty() {
            let flattened = self.random.below(self.types.len());
            if self.can_be_flattened(flattened, &fields) {
                let (shape, default) = (Shape::Named(flattened), DefaultOf::Nothing);
                fields.push(Field { name: "flat".to_owned(), shape, default, is_flattened: true });
            }
        }
        fields
    }

    /// Returns true if a struct with the fields `beside` can flatten the type with this index: the type accepts unknown
    /// fields, none of its fields is flattened, and none has the name of a field in `beside`.
    fn can_be_flattened(&self, index: usize, beside: &[Field]) -> bool {
        let named = &self.types[index];
        let fields: Vec<&Field> = match &named.body {
            Body::Struct(fields) => fields.iter().collect(),
            Body::Enum(_, variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
        };
        let is_free = |field: &&Field| !field.is_flattened && beside.iter().all(|other| other.name != field.name);
        !named.denies_unknown && fields.iter().all(is_free)
    }

    fn random_struct(&mut self) -> Named {
        let denies_unknown = self.random.below(3) == 0;
        Named { body: Body::Struct(self.fields(4, !denies_unknown)), denies_unknown }
    }

    fn random_enum(&mut self) -> Named {
        let tag = [Tag::External, Tag::Internal, Tag::Adjacent, Tag::None][self.random.below(4)];
        let mut variants = Vec::new();
        for name in ["Alpha", "Beta", "Gamma"].into_iter().take(2 + self.random.below(2)) {
            let mut fields = self.fields(3, false);
            if tag == Tag::None {
                // A field that tells the variants apart.
                let (shape, default) = (Shape::Text, DefaultOf::Nothing);
                fields.insert(
                    0,
                    Field { name: format!("of_{}", name.to_lowercase()), shape, default, is_flattened: false },
                );
            }
            variants.push(Variant { name: name.to_owned(), fields });
        }
        Named { body: Body::Enum(tag, variants), denies_unknown: self.random.below(2) == 0 }
    }

    /// Returns the source of a module with the custom resource.
    pub(super) fn source(&self) -> String {
        let mut text = "use kube::CustomResource;\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n\
                        use std::collections::BTreeMap;\n\nfn seven() -> u8 { 7 }\nfn seven_text() -> String { \"seven\".to_owned() }\n"
            .to_owned();
        let derives = "Serialize, Deserialize, JsonSchema, Clone, Debug";
        for (index, named) in self.types.iter().enumerate() {
            let is_spec = index + 1 == self.types.len();
            let deny = if named.denies_unknown { "#[serde(deny_unknown_fields)]\n" } else { "" };
            let head = if is_spec {
                let (kind, plural) = (&self.kind, self.plural());
                let kube = format!(
                    "kind = \"{kind}\", plural = \"{plural}\", group = \"random.example.com\", version = \"v1\""
                );
                format!("#[derive(CustomResource, {derives})]\n#[kube({kube}, namespaced)]\n")
            } else {
                format!("#[derive({derives})]\n")
            };
            let name = self.type_name(index);
            match &named.body {
                Body::Struct(fields) => {
                    let _ =
                        writeln!(text, "\n{head}{deny}pub struct {name} {{{}}}", self.fields_source(fields, "pub "));
                }
                Body::Enum(tag, variants) => {
                    let tag = match tag {
                        Tag::External => "",
                        Tag::Internal => "#[serde(tag = \"type\")]\n",
                        Tag::Adjacent => "#[serde(tag = \"t\", content = \"c\")]\n",
                        Tag::None => "#[serde(untagged)]\n",
                    };
                    let variants: Vec<String> = variants
                        .iter()
                        .map(|variant| {
                            format!("    {} {{{}}},\n", variant.name, self.fields_source(&variant.fields, ""))
                        })
                        .collect();
                    let _ = writeln!(text, "\n{head}{tag}{deny}pub enum {name} {{\n{}}}", variants.concat());
                }
            }
        }
        text
    }

    fn plural(&self) -> String {
        format!("{}s", self.kind.to_lowercase())
    }

    fn type_name(&self, index: usize) -> String {
        if index + 1 == self.types.len() { format!("{}Spec", self.kind) } else { format!("Part{index}") }
    }

    fn fields_source(&self, fields: &[Field], visibility: &str) -> String {
        let one = |field: &Field| {
            let attribute = match (field.is_flattened, field.default, &field.shape) {
                (true, ..) => "#[serde(flatten)] ",
                (_, DefaultOf::Nothing, _) => "",
                (_, DefaultOf::Function, Shape::Text) => "#[serde(default = \"seven_text\")] ",
                (_, DefaultOf::Function, _) => "#[serde(default = \"seven\")] ",
                (_, DefaultOf::Type, _) => "#[serde(default)] ",
            };
            format!("{attribute}{visibility}{}: {}, ", field.name, self.rust(&field.shape))
        };
        fields.iter().map(one).collect()
    }

    fn rust(&self, shape: &Shape) -> String {
        match shape {
            Shape::Bool => "bool".to_owned(),
            Shape::Integer => "u8".to_owned(),
            Shape::Text => "String".to_owned(),
            Shape::Option(inner) => format!("Option<{}>", self.rust(inner)),
            Shape::List(inner) => format!("Vec<{}>", self.rust(inner)),
            Shape::Map(inner) => format!("BTreeMap<String, {}>", self.rust(inner)),
            Shape::Named(index) => self.type_name(*index),
        }
    }

    /// Returns a random object, which leaves out some of the fields that have a default.
    pub(super) fn object(&mut self, name: &str) -> Value {
        let spec = self.value(&Shape::Named(self.types.len() - 1));
        json!({"apiVersion": "random.example.com/v1", "kind": self.kind, "metadata": {"name": name}, "spec": spec})
    }

    fn value(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::Bool => (self.random.below(2) == 0).into(),
            Shape::Integer => self.random.below(200).into(),
            Shape::Text => self.random.pick(&["", "a", "yes", "0", "ä b"]).into(),
            Shape::Option(inner) => self.value(inner),
            Shape::List(inner) => (0..self.random.below(3)).map(|_| self.value(inner)).collect(),
            Shape::Map(inner) => {
                let names = ["one", "two"].into_iter().take(self.random.below(3));
                names
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|name| (name.to_owned(), self.value(inner)))
                    .collect::<Map<_, _>>()
                    .into()
            }
            Shape::Named(index) => self.named(*index),
        }
    }

    fn named(&mut self, index: usize) -> Value {
        let (tag, name, fields) = match &self.types[index].body {
            Body::Struct(fields) => (Tag::None, String::new(), fields.clone()),
            Body::Enum(tag, variants) => {
                let (tag, variants) =
                    (*tag, variants.iter().map(|one| (one.name.clone(), one.fields.clone())).collect::<Vec<_>>());
                let (name, fields) = variants[self.random.below(variants.len())].clone();
                (tag, name, fields)
            }
        };
        let mut object = self.members(&fields);
        match tag {
            Tag::None => object.into(),
            Tag::External => json!({name: object}),
            Tag::Internal => {
                object.insert("type".to_owned(), name.into());
                object.into()
            }
            Tag::Adjacent => json!({"t": name, "c": object}),
        }
    }

    fn members(&mut self, fields: &[Field]) -> Map<String, Value> {
        let mut members = Map::new();
        for field in fields {
            let may_be_left_out = field.default != DefaultOf::Nothing || matches!(field.shape, Shape::Option(_));
            if may_be_left_out && self.random.below(2) == 0 {
                continue;
            }
            let value = self.value(&field.shape);
            match value {
                Value::Object(inner) if field.is_flattened => members.extend(inner),
                value => drop(members.insert(field.name.clone(), value)),
            }
        }
        members
    }
}
