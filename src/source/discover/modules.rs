//! The module tree of a crate, read from its files.

use super::cfg::Features;
use super::hidden::{self, Included, Macros};
use super::seen_from::SeenFrom;
use crate::error::hint;
use crate::finding::{Finding, Lint};
use crate::kube_rs::{KubeAttributes, custom_resource, derives_custom_resource, states_identity};
use crate::source::module_items::{Use, files_of_module, path_attribute, uses};
use crate::syntax;
use crate::{Error, Result, conflict};
use std::path::{Path, PathBuf};
use syn::{Attribute, Ident, Item, ItemMod, Macro, Meta, Visibility};

pub(crate) static INCOMPLETE: Lint = Lint::error(
    "OP201",
    "`#[kube(..)]` without a group, version or kind",
    "Group, version and kind identify the resource; `#[derive(CustomResource)]` does not compile without them.",
    "#[kube(group = \"example.com\", kind = \"Foo\")]",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]",
);

/// A function that returns the text of a file by path, relative to the project; `None` if the file does not exist.
pub type ReadFile<'a> = dyn Fn(&Path) -> Result<Option<String>> + 'a;

/// The modules of a crate; the first module is the crate's root.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) modules: Vec<Module>,
    /// Findings about the attributes of types, and about types that only the compiler sees.
    pub(super) findings: Vec<Finding>,
}

/// A module, with the names and types in it.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) file: PathBuf,
    pub(super) public: bool,
    pub(super) children: Vec<usize>,
    /// The names that `use` items import, each with true for `pub use`.
    pub(super) uses: Vec<(bool, Use)>,
    pub(super) types: Vec<DiscoveredResource>,
}

/// A custom resource in the module that defines the resource.
#[derive(Debug)]
pub(super) struct DiscoveredResource {
    pub(super) spec: String,
    pub(super) resource: KubeAttributes,
    pub(super) public: bool,
    pub(super) file: PathBuf,
    pub(super) line: usize,
}

impl Tree {
    /// Returns every type, with the index of its module.
    pub(super) fn types(&self) -> impl Iterator<Item = (usize, &DiscoveredResource)> {
        self.modules.iter().enumerate().flat_map(|(index, module)| module.types.iter().map(move |found| (index, found)))
    }

    /// Returns the file of the parent module, which can re-export a type of `module`.
    pub(super) fn parent_file(&self, module: usize) -> &Path {
        &self.modules[self.modules[module].parent.unwrap_or(0)].file
    }

    /// Returns the line of code that re-exports the type `name` of `module`.
    pub(super) fn re_export(&self, module: usize, name: &str) -> String {
        format!("pub use {}::{name};", self.modules[module].name)
    }
}

/// Reads the crate whose root module is the file `lib`.
pub(super) fn read(lib: &Path, seen_from: SeenFrom, source: &ReadFile, features: &Features) -> Result<Tree> {
    let Some(text) = source(lib)? else {
        return Err(Error::user(format!("`{}` does not exist", lib.display()))
            .hint("opctl reads the API types from this file; `opctl create api --kind KIND` creates it"));
    };
    let mut reader = Reader {
        source,
        seen_from,
        features,
        open: Vec::new(),
        around: Vec::new(),
        macros: Macros::default(),
        tree: Tree::default(),
    };
    let root = reader.add("crate".to_owned(), None, lib, true);
    let folder = lib.parent().unwrap_or(Path::new("")).to_owned();
    reader.file(root, lib, &text, &folder)?;
    let mut tree = reader.tree;
    tree.findings.extend(reader.macros.findings());
    Ok(tree)
}

struct Reader<'a> {
    source: &'a ReadFile<'a>,
    seen_from: SeenFrom,
    features: &'a Features,
    /// The files that are being read; each file is declared or included by the previous file.
    open: Vec<PathBuf>,
    /// The attributes of the modules that contain the current item.
    around: Vec<Meta>,
    macros: Macros,
    tree: Tree,
}

impl Reader<'_> {
    fn add(&mut self, name: String, parent: Option<usize>, file: &Path, public: bool) -> usize {
        let index = self.tree.modules.len();
        self.tree.modules.push(Module { name, parent, file: file.to_owned(), public, ..Module::default() });
        if let Some(parent) = parent {
            self.tree.modules[parent].children.push(index);
        }
        index
    }

    fn sees(&self, visibility: &Visibility, module: usize) -> bool {
        self.seen_from.sees(visibility, module == 0, self.tree.modules[module].parent == Some(0))
    }

    /// Reads a module from its file; `folder` is the folder with the files of the child modules.
    fn file(&mut self, module: usize, file: &Path, text: &str, folder: &Path) -> Result<()> {
        if self.open.iter().any(|open| open == file) {
            return Err(Error::user(format!("`{}` contains itself as a module", file.display()))
                .hint("remove the `mod` or `include!` that refers to this file, then run:\nopctl manifests"));
        }
        let parsed = syntax::parse_file(text).map_err(|error| {
            let start = error.span().start();
            let place = format!("{}:{}:{}", file.display(), start.line, start.column + 1);
            let error = Error::user(format!("`{place}` is not valid Rust"))
                .caused_by(match error.to_string().as_str() {
                    "cannot parse string into token stream" => "a bracket, a quote or a comment is not closed",
                    other => other,
                })
                .hint("fix the syntax error, then run:\nopctl manifests");
            conflict::or(&file.display().to_string(), text, error)
        })?;
        self.open.push(file.to_owned());
        self.items(module, file, &parsed.items, folder)?;
        self.open.pop();
        Ok(())
    }

    fn items(&mut self, module: usize, file: &Path, items: &[Item], folder: &Path) -> Result<()> {
        for item in items {
            match item {
                Item::Mod(item) if self.features.allow(&item.attrs) => self.module(module, file, item, folder)?,
                Item::Use(item) if self.features.allow(&item.attrs) => {
                    let public = !matches!(item.vis, Visibility::Inherited);
                    let uses = uses(&item.tree).into_iter().map(|used| (public, used));
                    self.tree.modules[module].uses.extend(uses);
                }
                Item::Struct(item) if self.features.allow(&item.attrs) => {
                    self.add_type(module, file, &item.ident, &item.attrs, &item.vis);
                }
                Item::Enum(item) if self.features.allow(&item.attrs) => {
                    self.add_type(module, file, &item.ident, &item.attrs, &item.vis);
                }
                Item::Macro(item) if self.features.allow(&item.attrs) => match hidden::included_file(&item.mac) {
                    Some(included) => self.include(module, file, &item.mac, included)?,
                    None => self.macros.add(file, item),
                },
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the items of a file that `include!` includes, as items of the module.
    fn include(&mut self, module: usize, file: &Path, call: &Macro, included: Included) -> Result<()> {
        let path = match included {
            Included::Beside(path) => Some(file.parent().unwrap_or(Path::new("")).join(path)),
            Included::InPackage(path) => self.package()?.map(|package| package.join(path)),
            Included::Unknown => None,
        };
        if let Some(path) = &path
            && let Some(text) = (self.source)(path)?
        {
            return self.file(module, path, &text, path.parent().unwrap_or(Path::new("")));
        }
        self.tree.findings.push(hidden::not_included(call, file, path.as_deref()));
        Ok(())
    }

    /// Returns the folder of the package: the innermost folder around the root module that has a `Cargo.toml`.
    fn package(&self) -> Result<Option<PathBuf>> {
        for folder in self.tree.modules[0].file.ancestors().skip(1) {
            if (self.source)(&folder.join("Cargo.toml"))?.is_some() {
                return Ok(Some(folder.to_owned()));
            }
        }
        Ok(None)
    }

    /// Adds a struct or an enum to the module's types if the attributes declare a custom resource.
    fn add_type(
        &mut self,
        module: usize,
        file: &Path,
        ident: &Ident,
        attributes: &[Attribute],
        visibility: &Visibility,
    ) {
        let metas = self.features.expand(attributes);
        if !states_identity(&metas) {
            let place = (file, ident.span().start().line);
            let around = derives_custom_resource(&metas).then_some(self.around.as_slice());
            if let Some(finding) = hidden::by_attribute(&ident.to_string(), &metas, around, place) {
                self.tree.findings.push(finding);
                return;
            }
        }
        let resource = custom_resource(&metas).unwrap_or_else(|wrong| {
            let reason = format!("`{ident}` is a custom resource, but {}", wrong.message);
            let finding = Finding::new(&INCOMPLETE, file, wrong.line, reason, wrong.hint);
            self.tree.findings.push(finding);
            None
        });
        let public = self.sees(visibility, module);
        if let Some(resource) = resource {
            self.tree.modules[module].types.push(DiscoveredResource {
                spec: ident.to_string(),
                resource,
                public,
                file: file.to_owned(),
                line: ident.span().start().line,
            });
        }
    }

    fn module(&mut self, parent: usize, file: &Path, item: &ItemMod, folder: &Path) -> Result<()> {
        let name = item.ident.to_string();
        let public = self.sees(&item.vis, parent);
        let plain = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let path = self.features.expand(&item.attrs).iter().find_map(path_attribute);
        if let Some((_, items)) = &item.content {
            let index = self.add(name, Some(parent), file, public);
            let folder = folder.join(path.unwrap_or(plain));
            let outside = self.around.len();
            self.around.extend(self.features.expand(&item.attrs));
            self.items(index, file, items, &folder)?;
            self.around.truncate(outside);
            return Ok(());
        }
        let candidates = files_of_module(&plain, path.as_deref(), file, folder);
        for (candidate, folder) in &candidates {
            let Some(text) = (self.source)(candidate)? else { continue };
            let index = self.add(name, Some(parent), candidate, public);
            return self.file(index, candidate, &text, folder);
        }
        let line = item.ident.span().start().line;
        Err(Error::user(format!("the file of `mod {name}` ({}:{line}) does not exist", file.display()))
            .hint(hint!("create `{}`, or remove the line with this `mod`", candidates[0].0.display())))
    }
}
