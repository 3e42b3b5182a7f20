//! Defines the generated structs and enums, and renders them as Rust code.

use super::doc::doc;
use super::shape::{ARGUMENTS_WIDTH, Attributes};

const INDENTATION: &str = "    ";
/// The maximum line width of rustfmt.
const WIDTH: usize = 100;

#[derive(Clone, Debug)]
pub(super) enum Item {
    Struct(Struct),
    Enum(Enum),
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) attributes: Attributes,
    pub(super) fields: Vec<Field>,
    pub(super) has_default: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) doc: Option<String>,
    /// The arguments of `#[serde(..)]`.
    pub(super) serde: Vec<String>,
    pub(super) attributes: Attributes,
    /// True if the field is required although the field's type is an `Option`.
    pub(super) is_required: bool,
    pub(super) rust_name: String,
    pub(super) rust_type: String,
    /// True if the field permits its struct to derive `Default`: the field's type implements `Default`, and a missing
    /// optional field is deserialized to this default.
    pub(super) has_default: bool,
    /// The function that returns the field's default, if any.
    pub(super) function: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) path: String,
    /// The strings that the schema's `enum` allows, each with the name of its Rust variant.
    pub(super) variants: Vec<(String, String)>,
}

impl Item {
    pub(super) fn name(&self) -> &str {
        match self {
            Item::Struct(made) => &made.name,
            Item::Enum(made) => &made.name,
        }
    }
}

impl Struct {
    pub(super) fn new(name: &str, path: &str) -> Self {
        Struct {
            name: name.to_owned(),
            path: path.to_owned(),
            attributes: Attributes::default(),
            fields: Vec::new(),
            has_default: false,
        }
    }
}

pub(super) fn body(made: &Struct) -> String {
    let mut text = String::from("#[serde(rename_all = \"camelCase\")]\n");
    text.extend(made.attributes.lines("").iter().map(|line| format!("{line}\n")));
    if made.fields.is_empty() {
        return format!("{text}pub struct {} {{}}\n", made.name);
    }
    let fields: Vec<String> = made.fields.iter().map(field).collect();
    format!("{text}pub struct {} {{\n{}}}\n", made.name, fields.concat())
}

fn field(field: &Field) -> String {
    let mut text = field.doc.as_deref().map(|text| doc(text, INDENTATION)).unwrap_or_default();
    if !field.serde.is_empty() {
        text.push_str(&attribute("serde", &field.serde));
    }
    if field.is_required {
        text.push_str("    #[schemars(required)]\n");
    }
    text.extend(field.attributes.lines(INDENTATION).iter().map(|line| format!("{line}\n")));
    let line = format!("    pub {}: {},\n", field.rust_name, field.rust_type);
    if line.len() > WIDTH + 1 {
        return format!("{text}    pub {}:\n        {},\n", field.rust_name, field.rust_type);
    }
    text + &line
}

/// Renders an attribute of a field, laid out as by rustfmt.
fn attribute(name: &str, arguments: &[String]) -> String {
    let line = format!("    #[{name}({})]\n", arguments.join(", "));
    if arguments.join(", ").len() <= ARGUMENTS_WIDTH {
        return line;
    }
    let lines = arguments.iter().map(|argument| format!("        {argument}")).collect::<Vec<_>>().join(",\n");
    format!("    #[{name}(\n{lines}\n    )]\n")
}

pub(super) fn enumeration(made: &Enum) -> String {
    let mut text =
        String::from("#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]\n");
    text.push_str(&format!("pub enum {} {{\n", made.name));
    for (word, variant) in &made.variants {
        if word != variant {
            text.push_str(&format!("    #[serde(rename = {word:?})]\n"));
        }
        text.push_str(&format!("    {variant},\n"));
    }
    text + "}\n"
}
