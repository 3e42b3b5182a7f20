//! Checks that a `mod.rs` which re-exports its children defines nothing itself. Each name is then defined in the
//! file that is named after it, and no child uses an item that its parent defines.

use syn::{Item, UseTree, Visibility};

/// Returns the items that a `mod.rs` with re-exports of its children defines itself. Returns an empty list for a
/// `mod.rs` without such re-exports.
fn defined(text: &str) -> Vec<String> {
    let items = syn::parse_file(text).unwrap().items;
    let is_child =
        |name: &syn::Ident| items.iter().any(|item| matches!(item, Item::Mod(module) if module.ident == *name));
    let re_exports = |item: &Item| {
        let Item::Use(item) = item else { return false };
        let UseTree::Path(path) = &item.tree else { return false };
        let first = match &*path.tree {
            UseTree::Path(next) if path.ident == "self" => &next.ident,
            _ => &path.ident,
        };
        !matches!(item.vis, Visibility::Inherited) && is_child(first)
    };
    if !items.iter().any(re_exports) {
        return Vec::new();
    }
    items.iter().filter_map(name).collect()
}

/// Returns the kind and the name of the item, such as `fn main`. `None` for `use` and `mod x;`.
fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Use(_) => return None,
        Item::Mod(item) if item.content.is_none() => return None,
        Item::Mod(item) => format!("mod {}", item.ident),
        Item::Fn(item) => format!("fn {}", item.sig.ident),
        Item::Struct(item) => format!("struct {}", item.ident),
        Item::Enum(item) => format!("enum {}", item.ident),
        Item::Trait(item) => format!("trait {}", item.ident),
        Item::Const(item) => format!("const {}", item.ident),
        Item::Static(item) => format!("static {}", item.ident),
        Item::Type(item) => format!("type {}", item.ident),
        Item::Impl(_) => "an impl".to_owned(),
        _ => "another item".to_owned(),
    })
}

#[test]
fn a_mod_rs_that_re_exports_defines_nothing() {
    let mut wrong = Vec::new();
    for (path, text) in super::files("src").into_iter().filter(|(path, _)| path.ends_with("/mod.rs")) {
        let defined = defined(&text);
        wrong.extend(defined.into_iter().map(|item| format!("{path}: `{item}` belongs into a file of its own")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn definitions_beside_re_exports_are_found() {
    assert_eq!(defined("mod a; pub use a::A; fn f() {} impl B {}"), ["fn f", "an impl"]);
    assert_eq!(defined("mod a; pub(super) use self::a::A; mod tests {}"), ["mod tests"]);
    // A name of another module is no re-export of a child.
    assert_eq!(defined("mod a; pub use crate::other::A; use a::B; fn f() {}"), [""; 0]);
    assert_eq!(defined("mod a; pub use a::{A, B};"), [""; 0]);
}
