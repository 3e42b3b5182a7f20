//! The text of a file with less in it for the compiler: what no schema needs is not derived.
//!
//! Of a type's derives, that of `Deserialize` takes most of the time. It stays implemented, because others ask for it, by a
//! function that ends the program: should a default or a schema call it, the crate is compiled as it is.

use std::ops::Range;
use syn::{Attribute, Generics, Item};

/// A derive that can be left out, and the implementation in its place.
const LEFT_OUT: [(&str, &str); 3] = [
    (
        "Deserialize",
        "impl<'de> ::serde::Deserialize<'de> for TYPE { fn deserialize<D: ::serde::Deserializer<'de>>(_: D) -> \
         ::core::result::Result<Self, D::Error> { ::support::left_out() } }",
    ),
    (
        "Debug",
        "impl ::core::fmt::Debug for TYPE { fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { \
         ::support::left_out() } }",
    ),
    ("PartialEq", "impl ::core::cmp::PartialEq for TYPE { fn eq(&self, _: &Self) -> bool { ::support::left_out() } }"),
];

/// The text, each line where it was; `None` if there is nothing to leave out.
pub(super) fn slim(text: &str) -> Option<String> {
    // A macro that names a file, or a place in this one.
    if ["include", "file!", "column!"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let parsed = syn::parse_file(text).ok()?;
    let (mut edits, mut implementations) = (Vec::new(), String::new());
    for item in &parsed.items {
        let (attributes, name, generics) = match item {
            Item::Struct(item) => (&item.attrs, &item.ident, &item.generics),
            Item::Enum(item) => (&item.attrs, &item.ident, &item.generics),
            _ => continue,
        };
        if !is_plain(generics) {
            continue;
        }
        for (range, derives, left_out) in attributes.iter().filter_map(|attribute| less(attribute, attributes)) {
            let lines = text[range.clone()].matches('\n').count();
            edits.push((range, format!("{derives}{}", "\n".repeat(lines))));
            for (_, implementation) in left_out {
                implementations.push_str(&implementation.replace("TYPE", &name.to_string()));
                implementations.push('\n');
            }
        }
    }
    let mut slim = text.to_owned();
    for (range, with) in edits.into_iter().rev() {
        slim.replace_range(range, &with);
    }
    (!implementations.is_empty()).then(|| format!("{slim}\n{implementations}"))
}

fn is_plain(generics: &Generics) -> bool {
    generics.params.is_empty() && generics.where_clause.is_none()
}

type LeftOut = (&'static str, &'static str);

/// Where a `derive` is, what is left of it, and what it leaves out.
fn less(attribute: &Attribute, all: &[Attribute]) -> Option<(Range<usize>, String, Vec<LeftOut>)> {
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    if !attribute.path().is_ident("derive") {
        return None;
    }
    let mut plain = true;
    let read = attribute.parse_nested_meta(|meta| {
        let names: Vec<String> = meta.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let name = names.last().map(String::as_str).unwrap_or_default();
        match LEFT_OUT.iter().find(|(left_out, _)| *left_out == name) {
            Some(found) => left_out.push(*found),
            None => kept.push(names.join("::")),
        }
        plain &= meta.path.leading_colon.is_none();
        Ok(())
    });
    // `serde` is an attribute of derives: one of them must be left where it is used.
    let declared = kept.iter().any(|name| name.ends_with("Serialize") || name.ends_with("JsonSchema"));
    let used = all.len() > 1;
    let equal = kept.iter().any(|name| ["Eq", "Hash", "PartialOrd", "Ord"].contains(&name.as_str()));
    if equal {
        kept.extend(left_out.iter().filter(|(name, _)| *name == "PartialEq").map(|(name, _)| (*name).to_owned()));
        left_out.retain(|(name, _)| *name != "PartialEq");
    }
    if read.is_err() || !plain || left_out.is_empty() || (used && !declared) {
        return None;
    }
    let range = attribute.pound_token.span.byte_range().start..attribute.bracket_token.span.close().byte_range().end;
    let derives = if kept.is_empty() { String::new() } else { format!("#[derive({})]", kept.join(", ")) };
    Some((range, derives, left_out))
}

#[cfg(test)]
mod tests {
    use super::slim;

    #[test]
    fn what_no_schema_needs_is_left_out() {
        let text = "#[derive(\n    Serialize, serde::Deserialize, Clone, Debug, JsonSchema,\n)]\n#[serde(rename_all = \"camelCase\")]\npub struct A {\n    /// B.\n    pub b: String,\n}\n";
        let slim = slim(text).expect("less");
        let lines: Vec<&str> = slim.lines().collect();
        assert_eq!(lines[0], "#[derive(Serialize, Clone, JsonSchema)]");
        assert_eq!(lines[3..8], text.lines().skip(3).collect::<Vec<_>>()[..], "each line is where it was");
        assert!(slim.contains("impl<'de> ::serde::Deserialize<'de> for A {"), "{slim}");
        assert!(slim.contains("impl ::core::fmt::Debug for A {"), "{slim}");
    }

    #[test]
    fn what_may_be_needed_stays() {
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
        let slim = slim("#[derive(Debug, PartialEq, Eq)] struct A;").expect("less");
        assert!(slim.starts_with("#[derive(Eq, PartialEq)] struct A;"), "{slim}");
    }
}
