//! The place of the code that names a type, which decides if it can.

use syn::Visibility;

/// The place of the code that names the types of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeenFrom {
    /// Another crate: what is `pub` up to the crate's root can be named.
    AnotherCrate,
    /// The crate's own root module, as `main` of a program: its modules need not be `pub`.
    CrateRoot,
}

impl SeenFrom {
    /// Returns true if an item can be named there by its path. `is_of_root` tells whether the root module holds the item,
    /// `is_of_child` whether a module of the root does.
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
