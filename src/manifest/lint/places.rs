//! Where in the source a field of a schema stands, as far as reading can tell.
//!
//! Types are looked up by their name alone, and fields by their serde name or by their own in whatever case: a wrong
//! guess costs a line number, nothing else.

use crate::manifest::discover::ApiType;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::Visit;
use syn::{Attribute, Field, Fields, GenericArgument, ItemEnum, ItemStruct, Lit, PathArguments, Type};

/// All types, fields and variants of some files.
#[derive(Debug, Default)]
pub(in crate::manifest) struct Places {
    items: Vec<Item>,
    shapes: BTreeMap<String, Shape>,
}

/// The lines of a type, a field or a variant, from its first attribute to its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) file: PathBuf,
    pub(super) first: usize,
    pub(super) last: usize,
}

#[derive(Debug)]
struct Shape {
    file: PathBuf,
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    name: String,
    line: usize,
    rust_type: Option<String>,
    flattened: bool,
}

impl Places {
    /// Reads files; one that is no valid Rust has been complained about elsewhere.
    pub(in crate::manifest) fn read(sources: &[(PathBuf, String)]) -> Self {
        let mut places = Places::default();
        for (file, source) in sources {
            if let Ok(parsed) = syn::parse_file(source) {
                Reader { file, places: &mut places }.visit_file(&parsed);
            }
        }
        places
    }

    /// The place of the field at `path`, or of the nearest field above it that is written in these files.
    pub(in crate::manifest) fn field(&self, api_type: &ApiType, path: &str) -> Option<(&Path, usize)> {
        let mut segments = path.split('.').map(|segment| segment.trim_end_matches(['[', ']', '{', '}']));
        let mut name = match segments.next()? {
            "spec" => api_type.spec.clone(),
            "status" => api_type.resource.status_type.clone()?,
            _ => return None,
        };
        let mut found = None;
        for segment in segments {
            let Some((file, member)) = self.member(&name, segment, 8) else { break };
            found = Some((file, member.line));
            let Some(next) = &member.rust_type else { break };
            name.clone_from(next);
        }
        found
    }

    fn member(&self, name: &str, field: &str, depth: usize) -> Option<(&Path, &Member)> {
        let shape = self.shapes.get(name)?;
        let own = shape.members.iter().find(|member| !member.flattened && member.name == plain(field));
        if let Some(own) = own {
            return Some((&shape.file, own));
        }
        let depth = depth.checked_sub(1)?;
        let flattened = shape.members.iter().filter(|member| member.flattened);
        flattened.filter_map(|member| member.rust_type.as_ref()).find_map(|name| self.member(name, field, depth))
    }

    /// The item that a line belongs to.
    pub(super) fn item(&self, file: &Path, line: usize) -> Option<&Item> {
        self.items.iter().find(|item| item.file == file && item.first <= line && line <= item.last)
    }

    /// The item that a comment stands above, or among whose attributes it stands.
    pub(super) fn below(&self, file: &Path, line: usize) -> Option<&Item> {
        self.items.iter().filter(|item| item.file == file && item.last > line).min_by_key(|item| item.last)
    }
}

/// A name in no case: `image_pull_policy`, `imagePullPolicy` and `image-pull-policy` are one.
fn plain(name: &str) -> String {
    name.trim_start_matches("r#").chars().filter(|one| !['_', '-'].contains(one)).flat_map(char::to_lowercase).collect()
}

struct Reader<'a> {
    file: &'a Path,
    places: &'a mut Places,
}

impl Reader<'_> {
    fn item(&mut self, attributes: &[Attribute], first: usize, last: usize) {
        let first =
            attributes.iter().map(|attribute| attribute.pound_token.spans[0].start().line).fold(first, usize::min);
        self.places.items.push(Item { file: self.file.to_owned(), first, last });
    }

    fn member(&mut self, field: &Field, members: &mut Vec<Member>) {
        let Some(ident) = &field.ident else { return };
        let line = ident.span().start().line;
        self.item(&field.attrs, line, line);
        let (renamed, flattened) = serde(&field.attrs);
        let name = renamed.unwrap_or_else(|| ident.to_string());
        members.push(Member { name: plain(&name), line, rust_type: last_type(&field.ty), flattened });
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let line = item.ident.span().start().line;
        self.item(&item.attrs, line, line);
        let mut members = Vec::new();
        for field in &item.fields {
            self.member(field, &mut members);
        }
        if let Fields::Unnamed(fields) = &item.fields
            && let Some(only) = fields.unnamed.first()
        {
            // A newtype has the fields of what it wraps.
            members.push(Member { name: String::new(), line, rust_type: last_type(&only.ty), flattened: true });
        }
        self.places.shapes.insert(item.ident.to_string(), Shape { file: self.file.to_owned(), members });
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let line = item.ident.span().start().line;
        self.item(&item.attrs, line, line);
        let mut members = Vec::new();
        for variant in &item.variants {
            let line = variant.ident.span().start().line;
            self.item(&variant.attrs, line, line);
            let name = serde(&variant.attrs).0.unwrap_or_else(|| variant.ident.to_string());
            let inner = match &variant.fields {
                Fields::Unnamed(fields) => fields.unnamed.first().and_then(|field| last_type(&field.ty)),
                _ => None,
            };
            members.push(Member { name: plain(&name), line, rust_type: inner, flattened: false });
            for field in &variant.fields {
                self.member(field, &mut members);
            }
        }
        self.places.shapes.insert(item.ident.to_string(), Shape { file: self.file.to_owned(), members });
    }
}

/// The name that serde reads, if it is said, and whether the field is flattened.
fn serde(attributes: &[Attribute]) -> (Option<String>, bool) {
    let (mut renamed, mut flattened) = (None, false);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // What serde itself would refuse is the compiler's to say.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("flatten") {
                flattened = true;
            } else if meta.path.is_ident("rename") && meta.input.peek(syn::Token![=]) {
                if let Lit::Str(name) = meta.value()?.parse()? {
                    renamed = Some(name.value());
                }
            } else if meta.input.peek(syn::Token![=]) {
                let _: syn::Expr = meta.value()?.parse()?;
            } else if meta.input.peek(syn::token::Paren) {
                meta.parse_nested_meta(|inner| {
                    if let Lit::Str(name) = inner.value()?.parse()?
                        && inner.path.is_ident("deserialize")
                        && meta.path.is_ident("rename")
                    {
                        renamed = Some(name.value());
                    }
                    Ok(())
                })?;
            }
            Ok(())
        });
    }
    (renamed, flattened)
}

/// `Spec` of `Option<Vec<Spec>>`, and the values' type of a map.
fn last_type(rust_type: &Type) -> Option<String> {
    match rust_type {
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
                let inner = arguments.args.iter().rev().find_map(|argument| match argument {
                    GenericArgument::Type(inner) => last_type(inner),
                    _ => None,
                });
                if inner.is_some() {
                    return inner;
                }
            }
            Some(segment.ident.to_string())
        }
        Type::Array(array) => last_type(&array.elem),
        Type::Reference(reference) => last_type(&reference.elem),
        _ => None,
    }
}
