//! Resolves the names in a Rust source file: types through `use`, fields and functions by their declared types.

use super::kinds::{Kind, of_kubernetes};
use super::own::own_type;
use crate::permissions::ExternalType;
use crate::source::discover::ApiType;
use crate::source::module_items::{Use, uses};
use crate::source::test_code::is_for_tests;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprCall, ExprMethodCall, GenericArgument, ItemFn, ItemMod, ItemStruct, ItemType, Meta,
    PathArguments, ReturnType, Token, Type,
};

/// The type of a value, reduced to the types that matter for RBAC rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KnownType {
    /// An `Api<K>`; the kind is `None` if the file does not show `K`.
    Api(Option<Kind>),
    /// An object of the kind, also inside a wrapper such as `Arc`.
    Object(Kind),
    /// The context that scaffolded reconcilers receive.
    Context,
    /// A `kube::Client`.
    Client,
}

impl KnownType {
    /// Returns the kind if the type is an object.
    pub(super) fn object(self) -> Option<Kind> {
        match self {
            KnownType::Object(kind) => Some(kind),
            _ => None,
        }
    }
}

/// The wrapper types that count as the type of their content.
const WRAPPERS: [&str; 10] =
    ["Arc", "Box", "Option", "Result", "Rc", "DeserializeGuard", "ObjectList", "PartialObjectMeta", "Cow", "Vec"];

/// The maximum number of type aliases to follow. Without this limit, opctl would follow an alias that refers to itself
/// endlessly.
const ALIASES: usize = 20;

/// The names that one file imports and defines.
#[derive(Default)]
pub(crate) struct Names<'a> {
    /// The path of the file, relative to the project.
    file: PathBuf,
    types: &'a [ApiType],
    external: &'a [ExternalType],
    used: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    aliases: BTreeMap<String, Type>,
    /// The path of `Kind` in each attribute `#[resource(inherit = Kind)]`, by the name of the type that has the
    /// attribute. Such a type has only some of the fields of `Kind`, and requests for the type need rights on `Kind`.
    inherited: BTreeMap<String, syn::Path>,
    /// The return type of each function, by the function's name.
    pub(super) functions: BTreeMap<String, KnownType>,
    /// The kind of each function's first argument, by the function's name.
    pub(super) reconcilers: BTreeMap<String, Kind>,
    /// The type of each field, by field name; `None` if two structs have fields of this name with different types.
    pub(super) fields: BTreeMap<String, Option<KnownType>>,
    /// The names of type parameters in the file. They are never resolved to a kind, because the same name can denote
    /// different types in different items.
    parameters: Vec<String>,
}

impl<'a> Names<'a> {
    /// Collects the names in a Rust file. `file` is the path of the file relative to the project, and `syntax` is the
    /// syntax tree of the file.
    pub(crate) fn of((file, syntax): (&Path, &syn::File), types: &'a [ApiType], external: &'a [ExternalType]) -> Self {
        let mut names = Names { file: file.to_owned(), types, external, ..Names::default() };
        Uses(&mut names).visit_file(syntax);
        let mut declared = Declared { names: &names, ..Declared::default_of(&names) };
        declared.visit_file(syntax);
        let Declared { functions, reconcilers, fields, .. } = declared;
        (names.functions, names.reconcilers, names.fields) = (functions, reconcilers, fields);
        names
    }

    /// Returns the full form of a path that the file uses, with imports resolved; several candidates if a glob import
    /// may provide the path.
    pub(crate) fn full(&self, path: &syn::Path) -> Vec<Vec<String>> {
        let parts: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some((first, rest)) = parts.split_first() else { return Vec::new() };
        if let Some(full) = self.used.get(first) {
            return vec![full.iter().chain(rest).cloned().collect()];
        }
        let mut all: Vec<Vec<String>> =
            self.globs.iter().map(|glob| glob.iter().chain(&parts).cloned().collect()).collect();
        all.push(parts);
        all
    }

    /// Returns the kind that a path names.
    pub(super) fn kind(&self, path: &syn::Path) -> Option<Kind> {
        if path.segments.len() == 1 && self.parameters.contains(&path.segments[0].ident.to_string()) {
            return None;
        }
        let inherited = path.get_ident().and_then(|name| self.inherited.get(&name.to_string()));
        self.full(inherited.unwrap_or(path))
            .iter()
            .find_map(|full| of_kubernetes(full).or_else(|| self.own_kind(full)).or_else(|| self.external(full)))
    }

    /// Returns the project's API type that a Rust type names: directly, behind a reference, or as the first type
    /// argument.
    pub(crate) fn api_type(&self, of: &Type) -> Option<&'a ApiType> {
        match of {
            Type::Reference(reference) => self.api_type(&reference.elem),
            Type::Path(path) => {
                let own = self.full(&path.path).iter().find_map(|full| own_type(self.types, &self.file, full));
                own.or_else(|| match &path.path.segments.last()?.arguments {
                    PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
                        GenericArgument::Type(inner) => self.api_type(inner),
                        _ => None,
                    },
                    _ => None,
                })
            }
            _ => None,
        }
    }

    fn own_kind(&self, full: &[String]) -> Option<Kind> {
        let found = own_type(self.types, &self.file, full)?;
        let plural = found.resource.stated.pointer("/spec/names/plural")?.as_str()?;
        Some(Kind { name: found.resource.kind.clone(), group: found.resource.group.clone(), plural: plural.to_owned() })
    }

    /// Returns true if a type of the project defines the kind.
    pub(super) fn is_own(&self, kind: &Kind) -> bool {
        self.types.iter().any(|own| own.resource.group == kind.group && own.resource.kind == kind.name)
    }

    /// Returns the kind of another crate's type with this full path.
    fn external(&self, full: &[String]) -> Option<Kind> {
        let found = self.external.iter().find(|found| found.path == full.join("::"))?;
        Some(Kind { name: found.kind.clone(), group: found.group.clone(), plural: found.plural.clone() })
    }

    /// Returns the [`KnownType`] of a value with this Rust type.
    pub(super) fn thing(&self, of: &Type) -> Option<KnownType> {
        self.thing_behind(of, ALIASES)
    }

    /// Returns the [`KnownType`] of a value with this Rust type, and follows at most `aliases` type aliases.
    fn thing_behind(&self, of: &Type, aliases: usize) -> Option<KnownType> {
        match of {
            Type::Reference(reference) => self.thing_behind(&reference.elem, aliases),
            Type::Paren(inner) => self.thing_behind(&inner.elem, aliases),
            Type::Path(path) => {
                let last = path.path.segments.last()?;
                let inner = match &last.arguments {
                    PathArguments::AngleBracketed(arguments) => {
                        arguments.args.iter().find_map(|argument| match argument {
                            GenericArgument::Type(inner) => Some(inner),
                            _ => None,
                        })
                    }
                    _ => None,
                };
                let name = last.ident.to_string();
                match (name.as_str(), inner) {
                    ("Api", Some(inner)) if self.is_of_kube(&path.path) => {
                        Some(KnownType::Api(self.thing_behind(inner, aliases).and_then(KnownType::object)))
                    }
                    ("Api", _) => None,
                    ("Context", _) => Some(KnownType::Context),
                    ("Client", None) if self.is_of_kube(&path.path) => Some(KnownType::Client),
                    (wrapper, Some(inner)) if WRAPPERS.contains(&wrapper) => self.thing_behind(inner, aliases),
                    (alias, None) if path.path.segments.len() == 1 && self.aliases.contains_key(alias) => {
                        self.thing_behind(&self.aliases[alias], aliases.checked_sub(1)?)
                    }
                    (_, None) => self.kind(&path.path).map(KnownType::Object),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns true if a path may name an item of a kube crate.
    fn is_of_kube(&self, path: &syn::Path) -> bool {
        let known = |full: &Vec<String>| full.len() < 2 || full[0].starts_with("kube");
        self.full(path).iter().any(known)
    }

    /// Returns the kind of a type, also inside a wrapper such as `Arc`.
    pub(super) fn kind_of(&self, of: &Type) -> Option<Kind> {
        self.thing(of).and_then(KnownType::object)
    }

    /// Returns `Kind` from a call `Watch::<Kind>::new()`.
    pub(super) fn kind_of_watch(&self, call: &ExprCall) -> Option<Kind> {
        let Expr::Path(function) = &*call.func else { return None };
        let of = function.path.segments.iter().rev().nth(1).filter(|of| of.ident == "Watch")?;
        let PathArguments::AngleBracketed(arguments) = &of.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(of) => self.kind_of(of),
            _ => None,
        })
    }

    /// Returns the kind in the type argument of a method call, such as `Pod` in `get::<Pod>(..)`.
    pub(super) fn kind_in_brackets(&self, call: &ExprMethodCall) -> Option<Kind> {
        match call.turbofish.as_ref()?.args.first()? {
            GenericArgument::Type(of) => self.kind_of(of),
            _ => None,
        }
    }
}

/// Returns the path of `Kind` in the attribute `#[resource(inherit = Kind)]`. A type with this attribute has only some
/// of the fields of `Kind`.
fn inherited_path(attribute: &Attribute) -> Option<syn::Path> {
    let parts = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    parts.into_iter().find_map(|part| match part {
        Meta::NameValue(syn::MetaNameValue { path, value: Expr::Path(of), .. }) if path.is_ident("inherit") => {
            Some(of.path)
        }
        _ => None,
    })
}

/// Collects imports, type aliases, types with `#[resource(inherit = Kind)]`, and type parameters.
struct Uses<'n, 'a>(&'n mut Names<'a>);

impl<'ast> Visit<'ast> for Uses<'_, '_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for Use { path, name } in uses(&item.tree) {
            match name {
                Some(name) => drop(self.0.used.insert(name, path)),
                None => self.0.globs.push(path),
            }
        }
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.0.aliases.insert(item.ident.to_string(), (*item.ty).clone());
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let mut attributes = item.attrs.iter().filter(|attribute| attribute.path().is_ident("resource"));
        if let Some(of) = attributes.find_map(inherited_path) {
            self.0.inherited.insert(item.ident.to_string(), of);
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_type_param(&mut self, parameter: &'ast syn::TypeParam) {
        self.0.parameters.push(parameter.ident.to_string());
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// Collects the return types of functions, the kinds of their first arguments, and the types of fields.
struct Declared<'n, 'a> {
    names: &'n Names<'a>,
    functions: BTreeMap<String, KnownType>,
    reconcilers: BTreeMap<String, Kind>,
    fields: BTreeMap<String, Option<KnownType>>,
}

impl<'n, 'a> Declared<'n, 'a> {
    fn default_of(names: &'n Names<'a>) -> Self {
        Declared { names, functions: BTreeMap::new(), reconcilers: BTreeMap::new(), fields: BTreeMap::new() }
    }
}

impl<'ast> Visit<'ast> for Declared<'_, '_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        let name = item.sig.ident.to_string();
        if let ReturnType::Type(_, returned) = &item.sig.output
            && let Some(thing) = self.names.thing(returned)
        {
            self.functions.insert(name.clone(), thing);
        }
        if let Some(syn::FnArg::Typed(first)) = item.sig.inputs.first()
            && let Some(kind) = self.names.kind_of(&first.ty)
        {
            self.reconcilers.insert(name, kind);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        for field in &item.fields {
            let Some(ident) = &field.ident else { continue };
            let thing = self.names.thing(&field.ty);
            let known = self.fields.entry(ident.to_string()).or_insert_with(|| thing.clone());
            if *known != thing {
                *known = None;
            }
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}
