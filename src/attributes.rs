//! Reads the attributes of Rust items, such as `#[kube(..)]` and `#[serde(..)]`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta, MetaNameValue, Token};

/// The attributes of a name.
pub(crate) fn attributes<'a>(attrs: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    attrs.iter().filter(move |attribute| attribute.path().is_ident(name))
}

/// The parts of `#[name(a, b = 1)]`; none where it is no list of these.
pub(crate) fn parts(attribute: &Attribute) -> Vec<Meta> {
    nested(&attribute.meta)
}

/// The parts of `name(a, b = 1)`; none where it is no list of these.
pub(crate) fn nested(meta: &Meta) -> Vec<Meta> {
    list(meta, part)
}

/// The literals of `name("a", "b")`.
pub(crate) fn nested_literals(meta: &Meta) -> Vec<Lit> {
    list(meta, Lit::parse)
}

fn list<T>(meta: &Meta, item: fn(ParseStream<'_>) -> syn::Result<T>) -> Vec<T> {
    let Meta::List(list) = meta else { return Vec::new() };
    let items = |input: ParseStream<'_>| Punctuated::<T, Token![,]>::parse_terminated_with(input, item);
    items.parse2(list.tokens.clone()).map(|items| items.into_iter().collect()).unwrap_or_default()
}

/// Reads one part, whose name may be a keyword: `struct = "Foo"`.
fn part(input: ParseStream<'_>) -> syn::Result<Meta> {
    if input.peek(Ident) || !input.peek(Ident::peek_any) || !input.peek2(Token![=]) {
        return input.parse();
    }
    let path = Ident::parse_any(input)?.into();
    Ok(Meta::NameValue(MetaNameValue { path, eq_token: input.parse()?, value: input.parse()? }))
}

/// The literal of `name = literal`.
pub(crate) fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit, .. }) => Some(lit),
            _ => None,
        },
        _ => None,
    }
}

/// The text of `name = "text"`.
pub(crate) fn text(meta: &Meta) -> Option<String> {
    match literal(meta) {
        Some(Lit::Str(text)) => Some(text.value()),
        _ => None,
    }
}

/// `storage`, `storage = false` or `storage = "false"`, all of which darling takes.
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
    use super::{nested, text, truth};

    #[test]
    fn parts_may_be_named_as_keywords() {
        let meta = syn::parse_str(r#"kube(kind = "A", struct = "B", type = "C", storage = "false", status)"#);
        let parts = nested(&meta.expect("valid"));
        let texts: Vec<_> = parts.iter().filter_map(text).collect();
        assert_eq!(texts, ["A", "B", "C", "false"]);
        assert_eq!((truth(&parts[3]), truth(&parts[4])), (Some(false), Some(true)));
    }
}
