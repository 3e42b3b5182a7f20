//! Completes the schemas of enums with facts that only the source code contains, because schemars omits them.
//!
//! - If a variant of an internally tagged enum can contain any JSON value, schemars describes only the variant's tag,
//!   as if the variant had no data.
//! - schemars lists undocumented variants without data before documented variants, whatever their order in the source.

use super::crate_sources::Source;
use crate::attributes::{attributes, nested_items, parts, text};
use crate::schema::Raw;
use crate::source::plain_name::normalize_name;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Attribute, Fields, ItemEnum, Meta, Type, Variant};

/// The enums of a project. Enums are identified by the tag and the names of the variants, because schemars may
/// rename an enum if two types have the same name.
#[derive(Debug, Default)]
pub(crate) struct Enums(Vec<Enum>);

#[derive(Debug)]
struct Enum {
    tag: Option<String>,
    /// True if the content of a variant has its own field next to the tag (`#[serde(content = "..")]`).
    adjacent: bool,
    variants: Vec<Named>,
}

#[derive(Debug)]
struct Named {
    /// The possible names of the variant in serde, normalized for a comparison that ignores case, `_` and `-`.
    names: BTreeSet<String>,
    /// True if another type describes the variant's content; the other type may allow any JSON value.
    wraps: bool,
}

impl Enums {
    pub(crate) fn read(sources: &[Source]) -> Self {
        let mut enums = Enums::default();
        for syntax in sources.iter().filter_map(|source| source.syntax.as_ref()) {
            enums.visit_file(syntax);
        }
        enums
    }

    /// Completes the schemas of enums in the schema of a type, with facts that only the source code contains.
    pub(crate) fn complete(&self, mut raw: Raw) -> Raw {
        self.node(&mut raw.schema);
        raw.definitions.iter_mut().for_each(|(_, definition)| self.node(definition));
        raw
    }

    fn node(&self, node: &mut Value) {
        match node {
            Value::Object(map) => {
                for key in ["oneOf", "anyOf"] {
                    if let Some(Value::Array(branches)) = map.get_mut(key) {
                        self.open(branches);
                        self.sort(branches);
                    }
                }
                map.values_mut().for_each(|child| self.node(child));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.node(item)),
            _ => {}
        }
    }

    /// Allows any fields in the schema of an enum variant that describes only the tag, in two cases: if the enum in the
    /// source has a separate type for the variant's content, or if the source does not contain the enum, because
    /// another crate or a macro may define it. The schema of a variant whose content is an inlined empty struct also
    /// describes only the tag; for such a variant, it does no harm to keep unknown fields.
    fn open(&self, branches: &mut [Value]) {
        let tags: Vec<(String, String)> = branches.iter().filter_map(tag).collect();
        for branch in branches {
            let Some((key, name)) = tag(branch).filter(|_| only_tag(branch)) else { continue };
            let others = || tags.iter().filter(|(other, _)| *other == key);
            let candidates = self.0.iter().filter(|one| one.tag.as_ref() == Some(&key));
            let known: Vec<&Enum> =
                candidates.filter(|one| others().all(|(_, name)| one.variant(name).is_some())).collect();
            let wraps =
                |one: &&Enum| !one.adjacent && one.variant(&name).is_some_and(|variant| one.variants[variant].wraps);
            if known.is_empty() || known.iter().any(wraps) {
                branch["additionalProperties"] = true.into();
            }
        }
    }

    /// Sorts the names of variants without data into the order of the source.
    fn sort(&self, branches: &mut Vec<Value>) {
        let Some(names) = branches.iter().map(names).collect::<Option<Vec<_>>>() else { return };
        if !names.iter().any(|names| names.len() > 1) {
            return;
        }
        let names = names.concat();
        let mut orders: Vec<Vec<usize>> = self.0.iter().filter_map(|one| one.order(&names)).collect();
        orders.dedup();
        let [order] = orders.as_slice() else { return };
        let single = |name: &String| {
            let documented = branches.iter().find(|branch| branch.get("const") == Some(&json!(name)));
            documented.cloned().unwrap_or_else(|| json!({"type": "string", "const": name}))
        };
        let mut sorted: Vec<(usize, Value)> = order.iter().copied().zip(names.iter().map(single)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        *branches = sorted.into_iter().map(|(_, branch)| branch).collect();
    }
}

impl Enum {
    fn variant(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant.names.contains(&normalize_name(name)))
    }

    /// Returns the index of the variant for each name; `None` if a name is unknown, or if two names belong to the same
    /// variant.
    fn order(&self, names: &[String]) -> Option<Vec<usize>> {
        let places = names.iter().map(|name| self.variant(name)).collect::<Option<Vec<_>>>()?;
        (places.iter().collect::<BTreeSet<_>>().len() == names.len()).then_some(places)
    }
}

/// Returns the tag's name and value in `branch`, the schema of an enum variant.
fn tag(branch: &Value) -> Option<(String, String)> {
    let properties = branch.get("properties")?.as_object()?;
    properties.iter().find_map(|(key, schema)| Some((key.clone(), schema.get("const")?.as_str()?.to_owned())))
}

/// Returns true if a branch describes only its tag.
fn only_tag(branch: &Value) -> bool {
    let words = ["type", "properties", "required", "description", "title", "deprecated"];
    let fields = branch.get("properties").and_then(Value::as_object).map_or(0, Map::len);
    fields == 1 && branch.as_object().is_some_and(|map| map.keys().all(|key| words.contains(&key.as_str())))
}

/// Returns the strings that an enum variant's schema (`branch`) allows; `None` if the schema does not list fixed
/// strings.
fn names(branch: &Value) -> Option<Vec<String>> {
    if branch.get("type")?.as_str()? != "string" {
        return None;
    }
    match (branch.get("const"), branch.get("enum")) {
        (Some(Value::String(name)), None) => Some(vec![name.clone()]),
        (None, Some(Value::Array(names))) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Enums {
    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let said = serde(&item.attrs);
        let text = |name: &str| said.iter().find(|part| part.path().is_ident(name)).and_then(text);
        let variants = item.variants.iter().map(read_variant).collect();
        self.0.push(Enum { tag: text("tag"), adjacent: text("content").is_some(), variants });
        visit::visit_item_enum(self, item);
    }
}

fn read_variant(variant: &Variant) -> Named {
    let mut names = BTreeSet::from([normalize_name(&variant.ident.to_string())]);
    for part in serde(&variant.attrs).iter().filter(|part| part.path().is_ident("rename")) {
        names.extend(text(part).map(|name| normalize_name(&name)));
        names.extend(nested_items(part).iter().filter_map(text).map(|name| normalize_name(&name)));
    }
    let described = attributes(&variant.attrs, "schemars").flat_map(parts);
    let by_hand = described.into_iter().any(|part| part.path().is_ident("with") || part.path().is_ident("schema_with"));
    let wraps = match &variant.fields {
        Fields::Unnamed(fields) => fields.unnamed.iter().any(|field| !is_unit(&field.ty)),
        _ => by_hand,
    };
    Named { names, wraps }
}

fn is_unit(rust_type: &Type) -> bool {
    matches!(rust_type, Type::Tuple(tuple) if tuple.elems.is_empty())
}

fn serde(attrs: &[Attribute]) -> Vec<Meta> {
    attributes(attrs, "serde").flat_map(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::{Enums, Raw};
    use serde_json::{Value, json};
    use syn::visit::Visit;

    fn completed(source: &str, schema: Value) -> Value {
        let mut enums = Enums::default();
        enums.visit_file(&syn::parse_file(source).expect("Rust"));
        enums.complete(Raw { schema, ..Raw::default() }).schema
    }

    fn tagged(name: &str) -> Value {
        json!({"type": "object", "properties": {"type": {"type": "string", "const": name}}, "required": ["type"]})
    }

    #[test]
    fn only_a_variant_that_holds_something_is_opened() {
        for (variants, opened) in [
            ("One, TwoThree", [false, false]),
            ("One, TwoThree(Value)", [false, true]),
            ("One(()), TwoThree {}", [false, false]),
            ("One, #[serde(rename = \"two-three\")] Two(Box<Any>)", [false, true]),
            ("One, #[serde(rename(serialize = \"a\", deserialize = \"two-three\"))] Two(Any)", [false, true]),
            ("One, #[schemars(with = \"Value\")] TwoThree", [false, true]),
            ("One, TwoThree, Other(Value)", [false, false]),
            // The source has no such enum, so that any of its variants may hold any JSON.
            ("One, Other(Value)", [true, true]),
        ] {
            let source = format!("#[serde(rename_all = \"kebab-case\", tag = \"type\")] enum A {{ {variants} }}");
            let schema = completed(&source, json!({"oneOf": [tagged("one"), tagged("two-three")]}));
            let found = [0, 1].map(|index| schema["oneOf"][index]["additionalProperties"] == json!(true));
            assert_eq!(found, opened, "{variants}");
        }
        let adjacent = "#[serde(tag = \"type\", content = \"value\")] enum A { One, TwoThree(Value) }";
        let schema = json!({"oneOf": [tagged("one"), tagged("two-three")]});
        assert_eq!(completed(adjacent, schema.clone()), schema);
    }

    #[test]
    fn names_stand_as_in_the_source() {
        let one = |name: &str| json!({"type": "string", "const": name, "description": name});
        let plain = |name: &str| json!({"type": "string", "const": name});
        let schema = json!({"oneOf": [{"type": "string", "enum": ["A", "C"]}, one("B")]});
        let sorted = json!({"oneOf": [plain("A"), one("B"), plain("C")]});
        assert_eq!(completed("enum One { A, B, C }", schema.clone()), sorted);
        assert_eq!(completed("enum One { A, B, C } enum Two { A, B, C, D }", schema.clone()), sorted);
        for unsure in ["enum One { A, B, C } enum Two { C, B, A }", "enum One { A, B }", ""] {
            assert_eq!(completed(unsure, schema.clone()), schema, "{unsure}");
        }
    }
}
