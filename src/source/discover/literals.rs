//! Literals in attributes.

use syn::{Expr, ExprLit, Lit, Meta};

pub(super) fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit, .. }) => Some(lit),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn text(meta: &Meta) -> Option<String> {
    match literal(meta) {
        Some(Lit::Str(text)) => Some(text.value()),
        _ => None,
    }
}

/// `storage`, `storage = false` or `storage = "false"`, all of which darling takes.
pub(super) fn truth(meta: &Meta) -> Option<bool> {
    match (meta, literal(meta)) {
        (Meta::Path(_), _) => Some(true),
        (_, Some(Lit::Bool(value))) => Some(value.value),
        (_, Some(Lit::Str(value))) => value.value().parse().ok(),
        _ => None,
    }
}
