//! Where in the source a field of a schema stands, as far as reading can tell.
//!
//! Types are looked up by their name, the nearest first, and fields by their serde name or by their own in whatever case: a wrong
//! guess costs a line number, nothing else.

use crate::manifest::discover::ApiType;
use crate::manifest::sources::plain;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::Visit;
use syn::{Attribute, Field, Fields, GenericArgument, ItemEnum, ItemStruct, Lit, PathArguments, Type};

/// All types, fields and variants of some files.
#[derive(Debug, Default)]
pub(in crate::manifest) struct Places {
    items: Vec<Item>,
    /// By name; versions of a kind have types of the same names.
    shapes: BTreeMap<String, Vec<Shape>>,
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
        let mut segments = path.split('.').map(|segment| segment.trim_end_matches(['[', ']', '{', '}'])).peekable();
        let mut name = match *segments.peek()? {
            "spec" if !api_type.resource.no_spec => api_type.spec.clone(),
            "status" if api_type.resource.status => api_type.resource.status_type.clone()?,
            _ if api_type.resource.no_spec => api_type.spec.clone(),
            _ => return None,
        };
        if !api_type.resource.no_spec || segments.peek() == Some(&"status") && api_type.resource.status {
            segments.next();
        }
        let (mut near, mut found) = (api_type.file.as_path(), None);
        for segment in segments {
            let Some((file, member)) = self.member(&name, segment, near, 8) else { break };
            found = Some((file, member.line));
            near = file;
            let Some(next) = &member.rust_type else { break };
            name.clone_from(next);
        }
        found
    }

    /// The field of the type of this name that is the nearest to a file.
    fn member<'a>(&'a self, name: &str, field: &str, near: &Path, depth: usize) -> Option<(&'a Path, &'a Member)> {
        let common = |file: &Path| file.components().zip(near.components()).take_while(|(one, two)| one == two).count();
        let shapes = self.shapes.get(name)?.iter();
        let shape = shapes.reduce(|best, next| if common(&next.file) > common(&best.file) { next } else { best })?;
        let own = shape.members.iter().find(|member| !member.flattened && member.name == plain(field));
        if let Some(own) = own {
            return Some((&shape.file, own));
        }
        let depth = depth.checked_sub(1)?;
        let flattened = shape.members.iter().filter(|member| member.flattened);
        flattened
            .filter_map(|member| member.rust_type.as_ref())
            .find_map(|name| self.member(name, field, &shape.file, depth))
    }

    fn shape(&mut self, name: &syn::Ident, shape: Shape) {
        self.shapes.entry(name.to_string()).or_default().push(shape);
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
        self.places.shape(&item.ident, Shape { file: self.file.to_owned(), members });
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
        self.places.shape(&item.ident, Shape { file: self.file.to_owned(), members });
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

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::manifest::discover::{Features, types};
    use std::path::{Path, PathBuf};

    /// Types of one name stand in the files of two versions, and each field is found in its own.
    #[test]
    fn the_nearest_type_of_a_name_is_meant() {
        let of = |version: &str, more: &str, field: &str| {
            format!(
                "#[derive(CustomResource)] #[kube(group = \"g.example\", version = \"{version}\", kind = \"Foo\"{more})]\n\
                 pub struct FooSpec {{ {field} }}\npub struct Part {{\n    size: i32,\n}}\n"
            )
        };
        let one = of("v1", "", "\n    parts: Vec<Part>,");
        let two = of("v2", ", no_spec", "parts: Vec<Part>,");
        let files = [("src/v1/foo.rs", one), ("src/v2/foo.rs", two)].map(|(file, text)| (PathBuf::from(file), text));
        let places = Places::read(&files);
        for (file, text) in &files {
            let source = |path: &Path| Ok((path == file).then(|| text.clone()));
            let found = types(file, &source, &Features::default(), &mut Vec::new()).expect("Rust");
            let api_type = &found[0];
            let path = if api_type.resource.no_spec { "parts[].size" } else { "spec.parts[].size" };
            let line = text.lines().position(|line| line.contains("size:")).expect("a line") + 1;
            assert_eq!(places.field(api_type, path), Some((file.as_path(), line)));
        }
    }
}
