//! The Rust types of one version of a kind, as its sources define them.

use super::super::copy::Files;
use super::super::storage::{type_file, type_folder};
use crate::error::hint;
use crate::model::Key;
use crate::source::discover::ApiType;
use crate::source::module_items::{Use, uses};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::path::Path;
use syn::{Attribute, Expr, Fields, Item, Stmt, Type, UnOp, Visibility};

/// The types of a version that the generated conversion code can refer to.
#[derive(Debug)]
pub(super) struct VersionTypes {
    /// The name of the version's module, such as `v1`. The conversion code imports the module under this name.
    pub(super) module: String,
    /// The name of the spec's type.
    pub(super) spec: String,
    /// The name of the status type, if the kind has a status.
    pub(super) status: Option<String>,
    /// The types of the version, by name.
    pub(super) types: BTreeMap<String, Definition>,
}

impl VersionTypes {
    /// Returns the path of a type, beginning with the version's module.
    pub(super) fn path(&self, definition: &Definition) -> String {
        format!("{}::{}", self.module, definition.path)
    }
}

/// A type, with its path below the version's module.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) path: String,
    pub(super) shape: Shape,
}

/// The structure of a type.
#[derive(Debug)]
pub(super) enum Shape {
    /// A struct with named fields.
    Struct(Vec<Field>),
    /// A struct with unnamed fields.
    Tuple(Vec<Type>),
    Enum(Vec<(String, Variant)>),
}

/// The fields of an enum variant.
#[derive(Debug)]
pub(super) enum Variant {
    Unit,
    Tuple(Vec<Type>),
    Struct(Vec<Field>),
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) of: Type,
    /// The default of a missing field, as a Rust expression; `None` if the field is required, or if the expression is
    /// not valid in another module.
    pub(super) default: Option<String>,
}

/// Reads the types of a version from the file that contains the kind's type `found`, and from the other files in the
/// version's folder, except for files that define another kind.
///
/// # Errors
/// Fails if the spec's type is not found directly below the version's module, or if a source is not Rust.
pub(super) fn version_types(key: &Key, found: &ApiType, all: &[ApiType], files: &Files<'_>) -> Result<VersionTypes> {
    let folder = type_folder(key);
    let root = files.module(&folder).map_or(Ok(Vec::new()), |path| files.items(&path))?;
    let mut types = BTreeMap::new();
    for item in &root {
        let Item::Mod(item) = item else { continue };
        let module = item.ident.to_string();
        let Some(file) = files.module(&format!("{folder}/{module}")) else { continue };
        let file_of = |other: &ApiType| other.file == Path::new(&file);
        if !file_of(found) && all.iter().any(file_of) {
            continue;
        }
        let items = files.items(&file)?;
        for item in &items {
            let (Some(called), Some(shape)) = (name(item), shape(item, &items)) else { continue };
            if let Some(path) = path(&root, &module, &called) {
                types.insert(called, Definition { path, shape });
            }
        }
    }
    if !types.contains_key(&found.spec) {
        let file = found.file.display();
        return Err(Error::user(format!(
            "`{file}` uses the type `{}`, which is not defined directly in the folder \
                                        `{folder}`",
            found.spec
        ))
        .caused_by("a conversion needs the types of each version in the folder of that version, not in a subfolder")
        .hint(hint!("move the type and its nested types to `{}`, then run the same command again", type_file(key))));
    }
    let (spec, status) = (found.spec.clone(), found.resource.status_type.clone());
    Ok(VersionTypes { module: key.version.to_string(), spec, status, types })
}

/// Returns the path of a type below the version's module; `None` if other modules cannot name the type.
fn path(root: &[Item], module: &str, called: &str) -> Option<String> {
    let is_public = |item: &Item| match item {
        Item::Mod(item) => item.ident == module && !matches!(item.vis, Visibility::Inherited),
        _ => false,
    };
    // `module::*`, `module::{A, called}` and the like.
    let is_it = |used: &Use| match used.local_path() {
        [first] => first == module && used.name.is_none(),
        [first, last] => first == module && last == called && used.name.as_deref() == Some(called),
        _ => false,
    };
    let brings = |item: &Item| match item {
        Item::Use(item) if !matches!(item.vis, Visibility::Inherited) => uses(&item.tree).iter().any(is_it),
        _ => false,
    };
    if root.iter().any(brings) {
        return Some(called.to_owned());
    }
    root.iter().any(is_public).then(|| format!("{module}::{called}"))
}

fn name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// Returns the structure of a type; `None` if the type has generic parameters or is a unit struct.
fn shape(item: &Item, items: &[Item]) -> Option<Shape> {
    match item {
        Item::Struct(item) if item.generics.params.is_empty() => match &item.fields {
            Fields::Named(_) => Some(Shape::Struct(fields(&item.fields, items))),
            Fields::Unnamed(_) => Some(Shape::Tuple(item.fields.iter().map(|field| field.ty.clone()).collect())),
            Fields::Unit => None,
        },
        Item::Enum(item) if item.generics.params.is_empty() => {
            let variants = item.variants.iter().map(|variant| {
                let parts = match &variant.fields {
                    Fields::Unit => Variant::Unit,
                    Fields::Unnamed(unnamed) => {
                        Variant::Tuple(unnamed.unnamed.iter().map(|one| one.ty.clone()).collect())
                    }
                    Fields::Named(_) => Variant::Struct(fields(&variant.fields, items)),
                };
                (variant.ident.to_string(), parts)
            });
            Some(Shape::Enum(variants.collect()))
        }
        _ => None,
    }
}

fn fields(fields: &Fields, items: &[Item]) -> Vec<Field> {
    let named = fields.iter().filter_map(|field| {
        let name = field.ident.as_ref()?.to_string();
        Some(Field { name, of: field.ty.clone(), default: default(&field.attrs, &field.ty, items) })
    });
    named.collect()
}

/// Returns the expression for serde's default of a missing field, if the expression is valid in any module.
fn default(attributes: &[Attribute], of: &Type, items: &[Item]) -> Option<String> {
    let mut said = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("default") {
                said = Some(meta.value().and_then(syn::parse::ParseBuffer::parse::<syn::LitStr>).ok());
            } else if let Ok(value) = meta.value() {
                let _: Expr = value.parse()?;
            } else if !meta.input.is_empty() && meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                let _: proc_macro2::TokenStream = content.parse()?;
            }
            Ok(())
        });
    }
    match said {
        Some(Some(function)) => constant(&function.value(), items),
        _ if is_option(of) => Some("None".to_owned()),
        Some(None) => Some("Default::default()".to_owned()),
        None => None,
    }
}

fn is_option(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}

/// Returns the expression in the body of a function, if the body is only a constant expression.
fn constant(function: &str, items: &[Item]) -> Option<String> {
    let block = items.iter().find_map(|item| match item {
        Item::Fn(item) if item.sig.ident == function => Some(&item.block),
        _ => None,
    })?;
    let [Stmt::Expr(value, None)] = block.stmts.as_slice() else { return None };
    text(value)
}

/// Returns the source text of a constant; `None` if it uses names that may have another meaning in another module.
fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => literal.lit.span().source_text(),
        Expr::Unary(unary) => Some(format!("-{}", text(&unary.expr)?)).filter(|_| matches!(unary.op, UnOp::Neg(_))),
        Expr::MethodCall(call) if call.args.is_empty() => {
            let known = ["into", "to_owned", "to_string"].into_iter().find(|name| call.method == name)?;
            Some(format!("{}.{known}()", text(&call.receiver)?))
        }
        Expr::Call(call) => match (&*call.func, call.args.first()) {
            (Expr::Path(path), Some(only)) if is_from_of_string(&path.path) => {
                Some(format!("String::from({})", text(only)?))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_from_of_string(path: &syn::Path) -> bool {
    path.segments.iter().map(|segment| segment.ident.to_string()).eq(["String", "from"])
}
