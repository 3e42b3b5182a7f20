//! The location of the code that names a type. The location decides if the type is visible.

use syn::Visibility;

/// The location of the code that names the types of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeenFrom {
    /// Another crate, which can name only items that are `pub`.
    AnotherCrate,
    /// The crate's own root module, such as the `main` file of a program, which can also name its private modules.
    CrateRoot,
}

impl SeenFrom {
    /// Returns true if code at this location can name an item of this visibility. `is_of_root` is true for an item
    /// in the root module, `is_of_child` for an item in a child module of the root.
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
