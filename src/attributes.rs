//! Reads the attributes of Rust items, such as `#[kube(..)]` and `#[serde(..)]`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta, MetaNameValue, Token};

/// The names of the derive macros that types of a custom resource commonly use besides `CustomResource`. These
/// macros generate no items with new names, and do not read `#[kube(..)]`.
pub(crate) const USUAL_DERIVES: [&str; 14] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "JsonSchema",
    "KubeSchema",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "Validate",
];

/// Returns the attributes named `name`.
pub(crate) fn attributes<'a>(attrs: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    attrs.iter().filter(move |attribute| attribute.path().is_ident(name))
}

/// Returns the parts of an attribute such as `#[name(a, b = 1)]`, or an empty list for an attribute of another form.
pub(crate) fn parts(attribute: &Attribute) -> Vec<Meta> {
    nested_items(&attribute.meta)
}

/// Returns the parts of an item such as `name(a, b = 1)`, or an empty list if `meta` has another form.
pub(crate) fn nested_items(meta: &Meta) -> Vec<Meta> {
    list(meta, part)
}

/// Returns the literals in the parentheses of an item such as `name("a", "b")`, or an empty list if `meta` has another
/// form.
pub(crate) fn nested_literals(meta: &Meta) -> Vec<Lit> {
    list(meta, Lit::parse)
}

fn list<T>(meta: &Meta, item: fn(ParseStream<'_>) -> syn::Result<T>) -> Vec<T> {
    let Meta::List(list) = meta else { return Vec::new() };
    let items = |input: ParseStream<'_>| Punctuated::<T, Token![,]>::parse_terminated_with(input, item);
    items.parse2(list.tokens.clone()).map(|items| items.into_iter().collect()).unwrap_or_default()
}

/// Parses one part of an attribute. The name of the part may be a keyword, as in `struct = "Foo"`.
fn part(input: ParseStream<'_>) -> syn::Result<Meta> {
    if input.peek(Ident) || !input.peek(Ident::peek_any) || !input.peek2(Token![=]) {
        return input.parse();
    }
    let path = Ident::parse_any(input)?.into();
    Ok(Meta::NameValue(MetaNameValue { path, eq_token: input.parse()?, value: input.parse()? }))
}

/// Returns the literal of an item such as `name = 1`, or `None` if `meta` has another form.
pub(crate) fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit, .. }) => Some(lit),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the text of an item such as `name = "text"`, or `None` if `meta` has another form.
pub(crate) fn text(meta: &Meta) -> Option<String> {
    match literal(meta) {
        Some(Lit::Str(text)) => Some(text.value()),
        _ => None,
    }
}

/// Returns the value of a flag in any form that darling accepts (`storage`, `storage = false` or `storage = "false"`),
/// or `None` if `meta` has another form.
pub(crate) fn truth(meta: &Meta) -> Option<bool> {
    match (meta, literal(meta)) {
        (Meta::Path(_), _) => Some(true),
        (_, Some(Lit::Bool(value))) => Some(value.value),
        (_, Some(Lit::Str(value))) => value.value().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{nested_items, text, truth};

    #[test]
    fn parts_may_be_named_as_keywords() {
        let meta = syn::parse_str(r#"kube(kind = "A", struct = "B", type = "C", storage = "false", status)"#);
        let parts = nested_items(&meta.expect("valid"));
        let texts: Vec<_> = parts.iter().filter_map(text).collect();
        assert_eq!(texts, ["A", "B", "C", "false"]);
        assert_eq!((truth(&parts[3]), truth(&parts[4])), (Some(false), Some(true)));
    }
}
