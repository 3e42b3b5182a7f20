//! Removes the derives of `Deserialize` from a file, because these derives take most of the compile time.
//!
//! Other code requires that the types implement `Deserialize`. This module therefore gives each type an implementation
//! that ends the program. If a default or a schema calls such an implementation, opctl compiles the crate unchanged.

use crate::syntax;
use std::ops::Range;
use syn::{Attribute, Generics, Item};

/// The implementation that replaces a derive of `Deserialize`.
const IMPLEMENTATION: &str = "impl<'de> ::serde::Deserialize<'de> for TYPE { fn deserialize<D: ::serde::Deserializer<'de>>(\
    _: D) -> ::core::result::Result<Self, D::Error> { ::support::left_out() } }\n";

/// Returns the text without derives of `Deserialize`, with the same line numbers. Returns `None` if the text has no
/// such derive, or if the derives cannot be removed safely, for example because the text uses `include!` or `file!`.
pub(super) fn slim(text: &str) -> Option<String> {
    // A macro may name a file, or a place in this file.
    if ["include", "file!", "column!"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let parsed = syntax::parse_file(text).ok()?;
    let (mut slim, mut implementations) = (text.to_owned(), String::new());
    // From the end on, so that the byte ranges before stay valid.
    for item in parsed.items.iter().rev() {
        let (attributes, name, generics) = match item {
            Item::Struct(item) => (&item.attrs, &item.ident, &item.generics),
            Item::Enum(item) => (&item.attrs, &item.ident, &item.generics),
            _ => continue,
        };
        let plain = is_plain(generics);
        let less = attributes.iter().filter(|_| plain).find_map(|attribute| less(attribute, attributes));
        if let Some((range, derives)) = less {
            let lines = text[range.clone()].matches('\n').count();
            slim.replace_range(range, &format!("#[derive({derives})]{}", "\n".repeat(lines)));
            // A type that a condition leaves out has no implementation either.
            for condition in attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
                implementations.push_str(&text[range_of(condition)]);
            }
            implementations.push_str(&IMPLEMENTATION.replace("TYPE", &name.to_string()));
        }
    }
    (!implementations.is_empty()).then(|| format!("{slim}\n{implementations}"))
}

fn is_plain(generics: &Generics) -> bool {
    generics.params.is_empty() && generics.where_clause.is_none()
}

/// Returns the byte range of a `derive` attribute with `Deserialize`, and the list of the other traits that this
/// attribute derives. Returns `None` for any other attribute. Also returns `None` if the type has further attributes,
/// such as `#[serde(..)]`, and this attribute derives neither `Serialize` nor `JsonSchema`: without `Deserialize`, the
/// compiler might then reject `#[serde(..)]`, because no remaining derive declares it.
fn less(attribute: &Attribute, all: &[Attribute]) -> Option<(Range<usize>, String)> {
    if !attribute.path().is_ident("derive") {
        return None;
    }
    let (mut others, mut found) = (Vec::new(), false);
    let read = attribute.parse_nested_meta(|meta| {
        let names: Vec<String> = meta.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match meta.path.leading_colon {
            None if names.last().is_some_and(|name| name == "Deserialize") => found = true,
            colons => others.push(format!("{}{}", if colons.is_some() { "::" } else { "" }, names.join("::"))),
        }
        Ok(())
    });
    // `serde` is an attribute of derives: if it is used, another derive must declare it.
    let declared =
        all.len() == 1 || others.iter().any(|name| name.ends_with("Serialize") || name.ends_with("JsonSchema"));
    (read.is_ok() && found && declared).then(|| (range_of(attribute), others.join(", ")))
}

fn range_of(attribute: &Attribute) -> Range<usize> {
    attribute.pound_token.span.byte_range().start..attribute.bracket_token.span.close().byte_range().end
}

#[cfg(test)]
mod tests {
    use super::slim;

    #[test]
    fn deserialize_is_left_out() {
        let text = "#[derive(\n    Serialize, serde::Deserialize, ::std::fmt::Debug, JsonSchema,\n)]\n\
                    #[serde(rename_all = \"camelCase\")]\npub struct A {\n    /// B.\n    pub b: String,\n}\n\
                    #[derive(Deserialize)]\nenum C {}\n";
        let slim = slim(text).expect("less");
        let lines: Vec<&str> = slim.lines().collect();
        assert_eq!(lines[0], "#[derive(Serialize, ::std::fmt::Debug, JsonSchema)]");
        assert_eq!(lines[3..8], text.lines().skip(3).take(5).collect::<Vec<_>>(), "each line is where it was");
        assert_eq!(lines[8..10], ["#[derive()]", "enum C {}"]);
        for name in ["A", "C"] {
            assert!(slim.contains(&format!("impl<'de> ::serde::Deserialize<'de> for {name} {{")), "{slim}");
        }
    }

    #[test]
    fn a_condition_of_a_type_holds_for_its_implementation() {
        let slim = slim("#[cfg(feature = \"x\")]\n#[derive(Deserialize, Serialize)]\nstruct A;\n").expect("less");
        assert!(slim.contains("\n#[cfg(feature = \"x\")]impl<'de> ::serde::Deserialize<'de> for A {"), "{slim}");
    }

    #[test]
    fn derives_of_deserialize_that_may_be_needed_stay() {
        for text in [
            "#[derive(Serialize, Clone, JsonSchema)] struct A;",
            "#[derive(Deserialize, Serialize, JsonSchema)] struct A<T>(T);",
            "#[derive(Deserialize)] #[serde(transparent)] struct A(String);",
            "#[cfg_attr(x, derive(Deserialize))] struct A;",
            "#[derive(::serde::Deserialize, Serialize)] struct A;",
            "#[derive(Deserialize, Serialize)] struct A; const B: &str = include_str!(\"b\");",
            "struct",
        ] {
            assert_eq!(slim(text), None, "{text}");
        }
    }
}
