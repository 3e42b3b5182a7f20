//! Resolves paths in a Rust file to the API types that the project defines.

use crate::source::discover::ApiType;
use std::path::{Component, Path};

/// Returns the API type to which the resolved path `full` refers in the Rust file `file`.
///
/// - If `file` is in another crate than the type, `full` is the name of the type's crate and the type's path in that
///   crate. If several api crates have a type with this path, the crate with the name in `full` is preferred, then the
///   crate nearest to `file`.
/// - If `file` is in the type's crate, `full` may also begin with `crate`, `self` or `super`.
/// - If `file` defines the type, `full` may be only the type's name.
pub(super) fn own_type<'a>(types: &'a [ApiType], file: &Path, full: &[String]) -> Option<&'a ApiType> {
    let (name, modules) = full.split_last()?;
    let Some(first) = modules.first() else {
        return types.iter().find(|found| found.resource.root == *name && found.file == file);
    };
    let below = full[1..].join("::");
    if ["crate", "self", "super"].contains(&first.as_str())
        && let Some(found) = of_this_crate(types, file, (&below, name, modules.last()?))
    {
        return Some(found);
    }
    let shared = |found: &ApiType| found.file.iter().zip(file).take_while(|(one, other)| one == other).count();
    let named = types.iter().filter(|found| found.path == below);
    named.rev().max_by_key(|found| (found.library == *first, shared(found)))
}

/// Returns the type with the name `name` in the crate that contains `file`. If several modules of the crate define a
/// type with this name, returns the type whose path in the crate is `below`, or else the type in the file of the module
/// `module`. If only one module defines a type with this name, returns this type whatever its path is.
fn of_this_crate<'a>(
    types: &'a [ApiType],
    file: &Path,
    (below, name, module): (&str, &str, &str),
) -> Option<&'a ApiType> {
    let own = types.iter().filter(|found| found.resource.root == name && crate_of(&found.file).eq(crate_of(file)));
    let own: Vec<&ApiType> = own.collect();
    own.iter().find(|found| found.path == below).copied().or_else(|| match own[..] {
        [only] => Some(only),
        _ => own.into_iter().find(|found| is_of_module(&found.file, module)),
    })
}

/// Returns the path components of the folder of the crate that contains `file`.
fn crate_of(file: &Path) -> impl Iterator<Item = Component<'_>> {
    file.components().take_while(|part| part.as_os_str() != "src")
}

fn is_of_module(file: &Path, module: &str) -> bool {
    let folder = file.parent().and_then(Path::file_stem);
    let stem = file.file_stem().filter(|stem| *stem != "mod").or(folder);
    stem.is_some_and(|stem| stem == module)
}

#[cfg(test)]
mod tests {
    use super::own_type;
    use crate::source::discover::{ApiType, Features, types};
    use std::path::Path;

    const ITEM: &str = "#[derive(CustomResource)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Item\")]\n\
                        pub struct ItemSpec {}";

    /// Returns the types of a library with a module `kinds`. The module `kinds` has a submodule for each name in
    /// `modules`, and each submodule defines a type `Item`.
    fn library(name: &str, modules: &[&str]) -> Vec<ApiType> {
        let declared: String = modules.iter().flat_map(|module| ["pub mod ", module, ";"]).collect();
        let read = |path: &Path| {
            let text = match path.file_name().and_then(|file| file.to_str()) {
                Some("lib.rs") => "pub mod kinds;",
                Some("kinds.rs") => &declared,
                Some(file) if modules.iter().any(|module| file == format!("{module}.rs")) => ITEM,
                _ => return Ok(None),
            };
            Ok(Some(text.to_owned()))
        };
        let lib = format!("{name}/src/lib.rs");
        let found = types(Path::new(&lib), &read, &Features::default()).expect("Rust").0;
        found.into_iter().map(|found| ApiType { library: name.to_owned(), ..found }).collect()
    }

    #[test]
    fn a_path_names_the_type_that_rust_finds() {
        let types = [library("orders", &["a"]), library("stock", &["a", "b"])].concat();
        for (file, path, expected) in [
            ("shop/src/main.rs", "orders::kinds::a::Item", "orders/src/kinds/a.rs"),
            ("shop/src/main.rs", "stock::kinds::a::Item", "stock/src/kinds/a.rs"),
            ("shop/src/main.rs", "renamed::kinds::a::Item", "orders/src/kinds/a.rs"),
            ("shop/src/main.rs", "renamed::kinds::b::Item", "stock/src/kinds/b.rs"),
            ("shop/src/main.rs", "crate::kinds::b::Item", "stock/src/kinds/b.rs"),
            ("shop/src/main.rs", "other::Item", ""),
            ("shop/src/main.rs", "Item", ""),
            ("orders/src/run.rs", "stock::kinds::a::Item", "stock/src/kinds/a.rs"),
            ("orders/src/run.rs", "super::kinds::again::Item", "orders/src/kinds/a.rs"),
            ("orders/src/kinds/a.rs", "Item", "orders/src/kinds/a.rs"),
            ("stock/src/run.rs", "crate::kinds::a::Item", "stock/src/kinds/a.rs"),
            ("stock/src/kinds/a/run.rs", "super::super::b::Item", "stock/src/kinds/b.rs"),
            ("stock/src/kinds/b.rs", "Item", "stock/src/kinds/b.rs"),
        ] {
            let full: Vec<String> = path.split("::").map(str::to_owned).collect();
            let found = own_type(&types, Path::new(file), &full);
            let found = found.map_or(Path::new(""), |found| &found.file);
            assert_eq!(found, Path::new(expected), "{path} in {file}");
        }
    }
}
