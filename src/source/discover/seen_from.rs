//! The place of the code that names a type: it decides whether the type is visible.

use syn::Visibility;

/// The place of the code that names the types of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeenFrom {
    /// Another crate: it can name items that are `pub` up to the crate's root.
    AnotherCrate,
    /// The crate's own root module, such as `main` of a program: its modules need not be `pub`.
    CrateRoot,
}

impl SeenFrom {
    /// Returns true if code at this place can name an item by its path. `is_of_root` is true if the root module has the
    /// item, `is_of_child` if a child module of the root has it.
    pub(super) fn sees(self, visibility: &Visibility, is_of_root: bool, is_of_child: bool) -> bool {
        match (self, visibility) {
            (_, Visibility::Public(_)) => true,
            (SeenFrom::AnotherCrate, _) => false,
            (SeenFrom::CrateRoot, Visibility::Restricted(to)) => {
                is_of_root || to.path.is_ident("crate") || (is_of_child && to.path.is_ident("super"))
            }
            (SeenFrom::CrateRoot, Visibility::Inherited) => is_of_root,
        }
    }
}

impl std::fmt::Display for SeenFrom {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            SeenFrom::AnotherCrate => "outside of its crate",
            SeenFrom::CrateRoot => "the root module of its program",
        })
    }
}
