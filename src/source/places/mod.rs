//! Finds the source line of a field of a schema.
//!
//! The path of a field is followed through the types as Rust resolves them: by module, `use`, alias and type
//! parameter (`names`), and by serde's names of fields. If the sources do not define a type, for example because a
//! macro generates it, the nearest file with a type of the same name is used.

mod read;
mod type_fields;
mod type_paths;

use crate::source::discover::ApiType;
use crate::source::plain_name::normalize_name;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::{GenericArgument, PathArguments, Type, TypePath};
use type_fields::{Item, Member, Shape, Types};
use type_paths::{Module, NamedItem, TypeArguments};

/// The locations (file and line) of types, fields and variants in source files.
#[derive(Debug, Default)]
pub(crate) struct Places(Types);

/// A type as written in the source, with the arguments for the type parameters in scope.
#[derive(Clone, Debug)]
struct WrittenType<'a> {
    rust_type: &'a Type,
    module: &'a Module,
    near: &'a Path,
    given: Rc<TypeArguments<WrittenType<'a>>>,
}

/// A struct or enum, with the arguments for its type parameters.
#[derive(Clone, Debug)]
pub(crate) struct At<'a> {
    pub(crate) shape: &'a Shape,
    given: Rc<TypeArguments<WrittenType<'a>>>,
}

/// The maximum nesting of aliases, flattened fields and type parameters, greater than in any usual code.
const DEEPEST: usize = 16;

/// The texts of files, and the locations of types and fields in these files, which are computed on first use.
#[derive(Debug)]
pub(crate) struct LazyPlaces {
    texts: Vec<(PathBuf, String)>,
    places: OnceCell<Places>,
}

impl LazyPlaces {
    pub(crate) fn new(texts: Vec<(PathBuf, String)>) -> Self {
        LazyPlaces { texts, places: OnceCell::new() }
    }

    pub(crate) fn texts(&self) -> &[(PathBuf, String)] {
        &self.texts
    }

    pub(crate) fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::read(&self.texts))
    }
}

impl Places {
    /// Parses files and locates their types and fields. Skips invalid Rust, which is reported elsewhere.
    pub(crate) fn read(sources: &[(PathBuf, String)]) -> Self {
        Places(read::read(sources))
    }

    /// Returns the file and line of the field at `path`, or of its nearest parent field that these files define.
    pub(crate) fn field(&self, api_type: &ApiType, path: &str) -> Option<(&Path, usize)> {
        let segments: Vec<&str> =
            path.split('.').map(|segment| segment.trim_end_matches(['[', ']', '{', '}'])).collect();
        let (start, segments) = match *segments.first()? {
            "status" if api_type.resource.status => (self.status(api_type)?, &segments[1..]),
            _ if api_type.resource.no_spec => (self.spec(api_type)?, &segments[..]),
            "spec" => (self.spec(api_type)?, &segments[1..]),
            _ => return None,
        };
        self.locate(&start, segments, DEEPEST).map(|(_, place)| place)
    }

    /// Returns the struct that derives `CustomResource`.
    pub(crate) fn spec(&self, api_type: &ApiType) -> Option<At<'_>> {
        let here = |shape: &&Shape| shape.file == api_type.file && shape.line == api_type.line;
        self.0.shapes.iter().find(here).map(|shape| At { shape, given: Rc::default() })
    }

    /// Returns the type of a custom resource's status.
    pub(crate) fn status(&self, api_type: &ApiType) -> Option<At<'_>> {
        let spec = self.spec(api_type)?.shape;
        let path: Vec<String> =
            api_type.resource.status_type.as_ref()?.split("::").map(|part| part.trim().to_owned()).collect();
        let shape = match self.0.names.find(&path, &spec.module) {
            Some((NamedItem::Shape(index), _)) => &self.0.shapes[*index],
            _ => self.nearest(path.last()?, &spec.file)?,
        };
        Some(At { shape, given: Rc::default() })
    }

    /// Follows the field names in `segments` from type to type. Returns the number of fields found, and the last
    /// field's file and line. If several fields have the same name, as in variants of an enum, returns the longest
    /// path.
    fn locate<'a>(&'a self, at: &At<'a>, segments: &[&str], depth: usize) -> Option<(usize, (&'a Path, usize))> {
        let (segment, rest) = segments.split_first()?;
        let depth = depth.checked_sub(1)?;
        let mut best: Option<(usize, (&Path, usize))> = None;
        for member in &at.shape.members {
            let next = self.target(at, member).map(|(next, _)| next);
            let found = if member.flattened {
                next.and_then(|next| self.locate(&next, segments, depth))
            } else if member.name == normalize_name(segment) {
                let below = next.and_then(|next| self.locate(&next, rest, DEEPEST));
                Some(below.map_or((1, (at.shape.file.as_path(), member.line)), |(count, place)| (count + 1, place)))
            } else {
                None
            };
            if found.as_ref().map(|found| found.0) > best.as_ref().map(|best| best.0) {
                best = found;
            }
        }
        best
    }

    /// Returns the struct or enum that is the type of a member. If the member is a list or a map, this is the type of
    /// the items. Also returns the marks that the member's path gets: `[]` for a list, `{}` for a map.
    pub(crate) fn target<'a>(&'a self, at: &At<'a>, member: &'a Member) -> Option<(At<'a>, String)> {
        let written = WrittenType {
            rust_type: member.rust_type.as_ref()?,
            module: &at.shape.module,
            near: &at.shape.file,
            given: at.given.clone(),
        };
        let mut marks = String::new();
        let target = self.resolve(&written, &mut marks, DEEPEST)?;
        Some((target, marks))
    }

    fn resolve<'a>(&'a self, written: &WrittenType<'a>, marks: &mut String, depth: usize) -> Option<At<'a>> {
        let depth = depth.checked_sub(1)?;
        let mut inner = |rust_type: &'a Type, mark: &str| {
            marks.push_str(mark);
            self.resolve(&WrittenType { rust_type, ..written.clone() }, marks, depth)
        };
        match written.rust_type {
            Type::Path(path) => self.resolve_path(path, written, marks, depth),
            Type::Array(array) => inner(&array.elem, "[]"),
            Type::Slice(slice) => inner(&slice.elem, "[]"),
            Type::Reference(reference) => inner(&reference.elem, ""),
            Type::Paren(paren) => inner(&paren.elem, ""),
            Type::Group(group) => inner(&group.elem, ""),
            _ => None,
        }
    }

    fn resolve_path<'a>(
        &'a self,
        path: &'a TypePath,
        written: &WrittenType<'a>,
        marks: &mut String,
        depth: usize,
    ) -> Option<At<'a>> {
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let last = path.path.segments.last()?;
        let arguments: Vec<&Type> = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().filter_map(of_type).collect(),
            _ => Vec::new(),
        };
        if let (1, Some(stands_for)) = (names.len(), written.given.get(&names[0])) {
            return self.resolve(stands_for, marks, depth);
        }
        let bind = |parameters: &[String]| {
            let each = parameters.iter().cloned().zip(&arguments);
            Rc::new(each.map(|(name, rust_type)| (name, written.argument(rust_type))).collect::<TypeArguments<_>>())
        };
        match self.0.names.find(&names, written.module) {
            Some((NamedItem::Shape(index), _)) => {
                let shape = &self.0.shapes[*index];
                Some(At { shape, given: bind(&shape.parameters) })
            }
            Some((NamedItem::Alias { parameters, rust_type }, module)) => {
                let given = bind(parameters);
                self.resolve(&WrittenType { rust_type, module, near: written.near, given }, marks, depth)
            }
            // A list, a map or a pointer has the type of its content as its last argument.
            None => match arguments.last() {
                Some(rust_type) => {
                    marks.push_str(mark(&last.ident.to_string()));
                    self.resolve(&WrittenType { rust_type, ..written.clone() }, marks, depth)
                }
                None => self.nearest(names.last()?, written.near).map(|shape| At { shape, given: Rc::default() }),
            },
        }
    }

    /// Returns the type of this name in the file that is nearest to the file `near`.
    fn nearest(&self, name: &str, near: &Path) -> Option<&Shape> {
        let common = |file: &Path| file.components().zip(near.components()).take_while(|(one, two)| one == two).count();
        let shapes = self.0.shapes.iter().filter(|shape| shape.name == name);
        shapes.reduce(|best, next| if common(&next.file) > common(&best.file) { next } else { best })
    }

    /// Returns the type, field or variant to which a line belongs.
    pub(crate) fn item(&self, file: &Path, line: usize) -> Option<&Item> {
        self.0.items.iter().find(|item| item.file == file && item.first <= line && line <= item.last)
    }

    /// Returns the type, field or variant that the comment at this line belongs to: the comment is above the item or
    /// among its attributes.
    pub(crate) fn item_below(&self, file: &Path, line: usize) -> Option<&Item> {
        self.0.items.iter().filter(|item| item.file == file && item.last > line).min_by_key(|item| item.last)
    }
}

impl<'a> WrittenType<'a> {
    /// Returns the type `rust_type`, which is a type argument of `self`, with the module and the type parameters of
    /// `self`. If `rust_type` is itself one of these type parameters, returns the type that is given for this
    /// parameter.
    fn argument(&self, rust_type: &'a Type) -> Self {
        let own = match rust_type {
            Type::Path(path) => path.path.get_ident().and_then(|ident| self.given.get(&ident.to_string())),
            _ => None,
        };
        own.cloned().unwrap_or_else(|| WrittenType { rust_type, ..self.clone() })
    }
}

impl At<'_> {
    /// Returns a key that is equal for equal types with equal type arguments.
    pub(crate) fn key(&self) -> String {
        let parameters = self.given.values().map(|written| format!("{:?}", written.rust_type)).collect::<Vec<_>>();
        format!("{}:{} {}", self.shape.file.display(), self.shape.line, parameters.join(", "))
    }
}

fn of_type(argument: &GenericArgument) -> Option<&Type> {
    match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// Returns the mark for the items of a collection in a path: `[]` for a list, `{}` for a map.
fn mark(name: &str) -> &'static str {
    match name {
        "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" | "BTreeSet" | "HashSet" | "IndexSet" => "[]",
        "BTreeMap" | "HashMap" | "IndexMap" => "{}",
        _ => "",
    }
}

#[cfg(test)]
mod tests;
