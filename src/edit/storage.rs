//! Chooses the storage version of a kind by adding `storage = false` to the `#[kube(..)]` attribute of all other
//! versions.

use crate::attributes::{self, literal, truth};
use crate::kube_rs::SHORT_NAME;
use crate::syntax;
use syn::{Attribute, Item, Meta};

/// The parts of `#[kube(..)]` that precede `storage` in a type that opctl generated.
const BEFORE: [&str; 8] = ["group", "version", "kind", "plural", "singular", SHORT_NAME, "category", "namespaced"];

/// Returns true if the text contains the type for the version `version` of the kind `kind`.
pub fn has_version(text: &str, kind: &str, version: &str) -> bool {
    parts_of(text, kind, version).is_some()
}

/// Makes the version `version` of `kind` the storage version if `stored` is true; otherwise sets `storage = false`,
/// since kube's default is true. Returns `None` if the text lacks the type for the version.
pub fn set_storage(text: &str, kind: &str, version: &str, stored: bool) -> Option<String> {
    let parts = parts_of(text, kind, version)?;
    let place = |part: &Meta| part_range(text, part);
    let said: Vec<&Meta> = parts.iter().filter(|part| part.path().is_ident("storage")).collect();
    let Some(last) = said.last() else {
        if stored {
            return Some(text.to_owned());
        }
        let named = |part: &&Meta| BEFORE.iter().any(|name| part.path().is_ident(name));
        // If the type has several `#[kube(..)]` attributes, `storage` goes into the one with the version.
        let at = parts.iter().position(|part| part.path().is_ident("version"))?;
        let anchor = parts[at..].iter().take_while(named).last()?;
        return Some(insert(text, place(anchor)));
    };
    let (start, end) = place(last);
    if truth(last) == Some(stored) {
        return Some(text.to_owned());
    }
    if stored && said.len() == 1 {
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let next = text[end..].find('\n').map(|at| end + at + 1);
        let alone = |next: usize| text[line..next].trim() == format!("{},", &text[start..end]);
        if let Some(next) = next.filter(|next| alone(*next)) {
            return Some(format!("{}{}", &text[..line], &text[next..]));
        }
    }
    Some(format!("{}storage = {stored}{}", &text[..start], &text[end..]))
}

/// Inserts `storage = false` after the attribute argument at the byte range from `start` to `end`. Inserts it on a new
/// line if the attribute argument begins a line.
fn insert(text: &str, (start, end): (usize, usize)) -> String {
    let line = &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
    let own_line = line.trim().is_empty() && !line.is_empty();
    let (before, after) = (&text[..end], &text[end..]);
    if own_line {
        format!("{before},\n{line}storage = false{after}")
    } else {
        format!("{before}, storage = false{after}")
    }
}

/// Returns the parts of all `#[kube(..)]` attributes of the type for the version `version` of the kind `kind`;
/// `None` if the text lacks the type.
pub(super) fn parts_of(text: &str, kind: &str, version: &str) -> Option<Vec<Meta>> {
    let file = syntax::parse_file(text).ok()?;
    in_items(&file.items, kind, version)
}

fn in_items(items: &[Item], kind: &str, version: &str) -> Option<Vec<Meta>> {
    items.iter().find_map(|item| {
        let attrs: &[Attribute] = match item {
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Mod(item) => return in_items(&item.content.as_ref()?.1, kind, version),
            _ => return None,
        };
        let parts: Vec<Meta> = attributes::attributes(attrs, "kube").flat_map(attributes::parts).collect();
        let says =
            |name: &str, value: &str| parts.iter().any(|part| part.path().is_ident(name) && is_text(part, value));
        (says("kind", kind) && says("version", version)).then_some(parts)
    })
}

/// Returns true if the value of an attribute part, such as `version = "v1"`, equals `text`.
pub(super) fn is_text(part: &Meta, text: &str) -> bool {
    attributes::text(part).as_deref() == Some(text)
}

/// Returns the byte offsets at which an attribute part begins and ends.
pub(super) fn part_range(text: &str, part: &Meta) -> (usize, usize) {
    let path = part.path().segments.iter().map(|segment| segment.ident.span());
    let first = path.clone().next().map_or(0, |span| offset(text, span.start()));
    let name = path.last().map_or(first, |span| offset(text, span.end()));
    let last = match (part, literal(part)) {
        (_, Some(literal)) => offset(text, literal.span().end()),
        (Meta::List(list), _) => offset(text, list.delimiter.span().close().end()),
        _ => name,
    };
    (first, last)
}

/// Returns the byte offset of `place`, whose column counts characters.
fn offset(text: &str, place: proc_macro2::LineColumn) -> usize {
    let start: usize = text.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
    let line = text[start..].char_indices();
    start + line.map(|(at, _)| at).chain([text.len() - start]).nth(place.column).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::set_storage;

    fn kind(kube: &str) -> String {
        format!("/// Größe.\n#[derive(CustomResource)]\n{kube}\npub struct FooSpec {{}}\n")
    }

    #[test]
    fn storage_is_put_where_opctl_writes_it_and_taken_away_again() {
        let lines = |storage: &str| {
            kind(&format!(
                "#[kube(\n    group = \"g\",\n    version = \"v1\",\n    kind = \"Foo\",\n    namespaced,\n{storage}    doc = \"é\"\n)]"
            ))
        };
        let (with, without) = (lines("    storage = false,\n"), lines(""));
        assert_eq!(set_storage(&without, "Foo", "v1", false).as_ref(), Some(&with));
        assert_eq!(set_storage(&with, "Foo", "v1", true).as_ref(), Some(&without));
        assert_eq!(set_storage(&with, "Foo", "v1", false).as_ref(), Some(&with));
        assert_eq!(set_storage(&without, "Foo", "v1", true).as_ref(), Some(&without));
    }

    #[test]
    fn other_spellings_are_kept() {
        for (from, stored, to) in [
            (
                "#[kube(group = \"g\", version = \"v1\", kind = \"Foo\")]",
                false,
                "#[kube(group = \"g\", version = \"v1\", kind = \"Foo\", storage = false)]",
            ),
            (
                "#[kube(kind = \"Foo\")]\n#[kube(version = \"v1\")] // new",
                false,
                "#[kube(kind = \"Foo\")]\n#[kube(version = \"v1\", storage = false)] // new",
            ),
            (
                "#[kube(version = \"v1\", storage, kind = \"Foo\")]",
                false,
                "#[kube(version = \"v1\", storage = false, kind = \"Foo\")]",
            ),
            (
                "#[kube(version = \"v1\", kind = \"Foo\", storage = \"false\")]",
                true,
                "#[kube(version = \"v1\", kind = \"Foo\", storage = true)]",
            ),
            (
                "#[kube(\n    version = \"v1\",\n    kind = \"Foo\"\n)]",
                false,
                "#[kube(\n    version = \"v1\",\n    kind = \"Foo\",\n    storage = false\n)]",
            ),
        ] {
            assert_eq!(set_storage(&kind(from), "Foo", "v1", stored), Some(kind(to)), "{from}");
        }
        let other = kind("#[kube(version = \"v2\", kind = \"Foo\")]");
        assert_eq!(set_storage(&other, "Foo", "v1", false), None);
        assert_eq!(set_storage("no Rust {", "Foo", "v1", false), None);
    }
}
