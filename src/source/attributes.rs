//! Attributes and names as they stand in the source.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// The attributes of a name.
pub(crate) fn attributes<'a>(attrs: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    attrs.iter().filter(move |attribute| attribute.path().is_ident(name))
}

/// The parts of `name(a, b = 1)`; none where it is no list of these.
pub(crate) fn parts(attribute: &Attribute) -> Vec<Meta> {
    attribute
        .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
        .map(|parts| parts.into_iter().collect())
        .unwrap_or_default()
}

/// Removes case, `_` and `-`: `image_pull_policy`, `imagePullPolicy` and `image-pull-policy` are one name.
pub(crate) fn plain(name: &str) -> String {
    name.trim_start_matches("r#").chars().filter(|one| !['_', '-'].contains(one)).flat_map(char::to_lowercase).collect()
}
