//! Checks that neither the files nor the modules within a top-level module depend on each other in a circle.
//!
//! A file depends on each file that defines a name which the first file uses, in a private `use` or in a path, also
//! within the arguments of a macro. Re-exports and imports are followed to the definition of the name. `mod x;` and
//! `pub use x::Item;` do not count as dependencies, so that a module may list and re-export its child modules. But a
//! module that calls one of its child modules must not define anything that the child module uses.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Macro, Meta, UseTree, Visibility};

type Module = Vec<String>;

/// The names in one file by which it depends on other files.
#[derive(Default)]
struct Names {
    children: BTreeSet<String>,
    imports: BTreeMap<String, Module>,
    exports: BTreeMap<String, Module>,
    globs: Vec<Module>,
    paths: BTreeSet<Module>,
}

impl Names {
    fn read(text: &str) -> Self {
        let mut names = Names::default();
        names.visit_file(&syn::parse_file(text).unwrap());
        names
    }

    fn import(&mut self, tree: &UseTree, mut path: Module, public: bool) {
        let names = if public { &mut self.exports } else { &mut self.imports };
        match tree {
            UseTree::Path(next) => {
                path.push(next.ident.to_string());
                self.import(&next.tree, path, public);
            }
            UseTree::Name(name) if name.ident == "self" => drop(names.insert(path.last().unwrap().clone(), path)),
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                names.insert(name.ident.to_string(), path);
            }
            UseTree::Rename(renamed) => {
                path.push(renamed.ident.to_string());
                names.insert(renamed.rename.to_string(), path);
            }
            UseTree::Glob(_) if public => {}
            UseTree::Glob(_) => self.globs.push(path),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path.clone(), public)),
        }
    }

    /// Collects the paths among the tokens of a macro, which syn does not parse.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Module::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.paths.insert(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.paths.insert(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.paths.insert(path);
    }
}

impl Visit<'_> for Names {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if item.content.is_none() {
            self.children.insert(item.ident.to_string());
        } else if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.import(&item.tree, Module::new(), !matches!(item.vis, Visibility::Inherited));
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &Macro) {
        self.tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let test = |meta: &Meta| matches!(meta, Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_string() == "test");
    attributes.iter().any(|attribute| test(&attribute.meta))
}

struct House(BTreeMap<Module, (String, Names)>);

impl House {
    /// Reads the files below `src`, which are keyed by path.
    fn read(files: &BTreeMap<String, String>) -> Self {
        let module = |path: &str| -> Module {
            let path = path.trim_start_matches("src/").trim_end_matches(".rs");
            let path = if path == "lib" { "" } else { path.trim_end_matches("/mod") };
            path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let ours = files
            .iter()
            .filter(|(path, _)| !super::is_of_tests(path) && !["src/main.rs", "src/build.rs"].contains(&path.as_str()));
        House(ours.map(|(path, text)| (module(path), (path.clone(), Names::read(text)))).collect())
    }

    /// Returns the module that defines the item at a path used in `from`. Returns `None` if the path does not name an
    /// item in these files, for instance if the path names a module.
    fn home(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let names = &self.0.get(from)?.1;
        let (first, rest) = path.split_first()?;
        let child: Module = [from.as_slice(), std::slice::from_ref(first)].concat();
        let imported = names.imports.get(first).or_else(|| names.exports.get(first));
        match first.as_str() {
            "crate" => self.item(&Module::new(), rest, depth),
            "self" => self.item(from, rest, depth),
            "super" => {
                let (_, parent) = from.split_last()?;
                if rest.first().is_some_and(|next| next == "super") {
                    return self.home(&parent.to_vec(), rest, depth);
                }
                self.item(&parent.to_vec(), rest, depth)
            }
            _ if names.children.contains(first) && self.0.contains_key(&child) => self.item(&child, rest, depth),
            _ => {
                let target = imported.filter(|target| target.first() != Some(first))?;
                self.home(from, &[target.as_slice(), rest].concat(), depth.checked_sub(1)?)
            }
        }
    }

    /// Returns the module that defines the item at a path whose first segment is a name in `module`.
    fn item(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let child: Module = [module.as_slice(), std::slice::from_ref(first)].concat();
        let names = &self.0.get(module)?.1;
        // A function may have the name of the module that it is re-exported from.
        let is_re_exported = rest.is_empty() && names.exports.contains_key(first);
        if self.0.contains_key(&child) && !is_re_exported {
            return self.item(&child, rest, depth);
        }
        if names.imports.contains_key(first) || names.exports.contains_key(first) {
            // The item is from another crate, but a file that names it through this re-export depends on this file.
            return self.home(module, path, depth.checked_sub(1)?).or_else(|| Some(module.clone()));
        }
        Some(module.clone())
    }

    /// Returns the files that each file depends on, with the path by which it names them.
    fn needs(&self) -> Needs<'_> {
        let mut needs = Needs::new();
        for (module, (file, names)) in &self.0 {
            let words: BTreeSet<&String> = names.paths.iter().filter_map(|path| path.first()).collect();
            let used = names.exports.iter().filter(|(name, _)| words.contains(name)).map(|(_, path)| path);
            for path in names.imports.values().chain(&names.paths).chain(used) {
                if let Some(home) = self.home(module, path, 20).filter(|home| home != module) {
                    needs.entry(file).or_default().insert(&self.0[&home].0, path.join("::"));
                }
            }
            for path in &names.globs {
                let any = [path.as_slice(), &["*".to_owned()]].concat();
                if let Some(home) = self.home(module, &any, 20).filter(|home| home != module) {
                    needs.entry(file).or_default().insert(&self.0[&home].0, any.join("::"));
                }
            }
        }
        needs
    }
}

/// A map from each file (or module) to the files (or modules) on which it depends, each of these with the Rust path
/// that refers to it.
type Needs<'a> = BTreeMap<&'a str, BTreeMap<&'a str, String>>;

/// Returns the dependencies between the modules right below each top-level module. A module includes all its files.
fn modules<'a>(needs: &Needs<'a>) -> Needs<'a> {
    let module = |file: &'a str| match file.match_indices('/').nth(2) {
        Some((end, _)) => &file[..end],
        None => file.trim_end_matches(".rs"),
    };
    let room = |file: &str| super::room(file).to_owned();
    let mut modules = Needs::new();
    for (file, others) in needs {
        for (other, path) in others.iter().filter(|(other, _)| room(other) == room(file)) {
            let (one, other_module) = (module(file), module(other));
            if one != other_module {
                modules.entry(one).or_default().insert(other_module, format!("{file}: {path}"));
            }
        }
    }
    modules
}

/// Returns the circles: for each one, the files (or modules) in it, and a text that lists the dependencies between
/// them.
fn circles(needs: &Needs<'_>) -> Vec<(Vec<String>, String)> {
    let reached = |from: &str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(file) = next.pop() {
            for other in needs.get(file.as_str()).into_iter().flat_map(BTreeMap::keys) {
                if seen.insert((*other).to_owned()) {
                    next.push((*other).to_owned());
                }
            }
        }
        seen
    };
    let all: BTreeMap<&str, BTreeSet<String>> = needs.keys().map(|file| (*file, reached(file))).collect();
    let circle = |file: &str| -> Vec<String> {
        all[file]
            .iter()
            .filter(|other| all.get(other.as_str()).is_some_and(|back| back.contains(file)))
            .cloned()
            .collect()
    };
    let found: BTreeSet<Vec<String>> =
        needs.keys().map(|file| circle(file)).filter(|circle| !circle.is_empty()).collect();
    let arrows = |circle: &[String]| -> Vec<String> {
        let each =
            circle.iter().flat_map(|file| needs[file.as_str()].iter().map(move |(other, path)| (file, other, path)));
        let within = each.filter(|(_, other, _)| circle.iter().any(|file| file == *other));
        within.map(|(file, other, path)| format!("    {file} -> {other} ({path})")).collect()
    };
    found.into_iter().map(|circle| (circle.clone(), arrows(&circle).join("\n"))).collect()
}

#[test]
fn files_form_no_circle() {
    let runtime = super::files("templates/project/runtime/src");
    let runtime = runtime.into_iter().map(|(path, text)| (path.replace("templates/project/runtime/", ""), text));
    for files in [super::files("src"), runtime.collect()] {
        assert_none(&circles(&House::read(&files).needs()));
    }
}

#[test]
fn modules_of_a_room_form_no_circle() {
    assert_none(&circles(&modules(&House::read(&super::files("src")).needs())));
}

fn assert_none(circles: &[(Vec<String>, String)]) {
    let told = circles.iter().map(|(circle, arrows)| format!("{} in a circle:\n{arrows}\n", circle.len()));
    let told = told.collect::<Vec<_>>().join("\n");
    assert!(circles.is_empty(), "move what both sides use into a file of its own\n{told}");
}

#[test]
fn circles_are_found() {
    let found = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(path, text)| (format!("src/{path}"), (*text).to_owned())).collect();
        circles(&House::read(&files).needs()).into_iter().map(|(circle, _)| circle.join(" ")).collect::<Vec<_>>()
    };
    let lib = ("lib.rs", "pub mod a;");
    // A child uses an item of its parent, and the parent calls the child.
    let parent = "mod b; pub struct Item; pub fn call() { b::call() }";
    assert_eq!(
        found(&[lib, ("a/mod.rs", parent), ("a/b.rs", "use super::Item; pub fn call() {}")]),
        ["src/a/b.rs src/a/mod.rs"]
    );
    let inline = "pub fn call() { let _ = format!(\"{}\", crate::a::Item); }";
    assert_eq!(found(&[lib, ("a/mod.rs", parent), ("a/b.rs", inline)]), ["src/a/b.rs src/a/mod.rs"]);
    // Only the parent uses the child, or the parent only re-exports it.
    assert_eq!(found(&[lib, ("a/mod.rs", parent), ("a/b.rs", "pub fn call() {}")]), [""; 0]);
    let exports = "mod b; pub use b::call; pub struct Item;";
    assert_eq!(found(&[lib, ("a/mod.rs", exports), ("a/b.rs", "use super::Item; pub fn call() {}")]), [""; 0]);
    // Siblings depend on each other through their parent's re-exports. Uses in tests do not count.
    let two = "mod b; mod c; pub use b::B; pub use c::C;";
    let b = ("a/b.rs", "use super::C; pub struct B(C);");
    assert_eq!(
        found(&[lib, ("a/mod.rs", two), b, ("a/c.rs", "pub struct C; fn f() { super::B; }")]),
        ["src/a/b.rs src/a/c.rs"]
    );
    let tests = "pub struct C; #[cfg(test)] mod tests { use super::super::B; }";
    assert_eq!(found(&[lib, ("a/mod.rs", two), b, ("a/c.rs", tests)]), [""; 0]);
}

#[test]
fn circles_of_modules_are_found() {
    let found = |c: &str| {
        let files = [("lib", "mod a;"), ("a/mod", "mod b; mod c;"), ("a/b/mod", "mod d; mod e;"), ("a/c", c)];
        let inner = [("a/b/d", "use crate::a::c::C; struct D(C);"), ("a/b/e", "pub struct E;")];
        let files = files.into_iter().chain(inner);
        let files = files.map(|(path, text)| (format!("src/{path}.rs"), text.to_owned())).collect();
        let house = House::read(&files);
        assert!(circles(&house.needs()).is_empty());
        circles(&modules(&house.needs())).into_iter().map(|(circle, _)| circle.join(" ")).collect::<Vec<_>>()
    };
    // Two files of `b` are in no circle with `c`, but `b` is.
    assert_eq!(found("use super::b::e::E; pub struct C(E);"), ["src/a/b src/a/c"]);
    assert_eq!(found("pub struct C;"), [""; 0]);
}
