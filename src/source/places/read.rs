//! Reads the types of a project's files, each in its module.

use super::type_fields::{Item, Member, Shape, Types};
use super::type_paths::{Module, NamedItem};
use crate::attributes::{attributes, nested_items, parts, text};
use crate::source::module_items::{files_of_module, path_attribute, uses};
use crate::source::plain_name::normalize_name;
use crate::syntax;
use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToShoutyKebabCase, ToShoutySnakeCase, ToSnakeCase};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Field, Fields, Generics, Ident, ItemEnum, ItemMod, ItemStruct, ItemType, ItemUse, Meta, Type};

/// Reads the files, starting with the root module of each crate.
pub(super) fn read(sources: &[(PathBuf, String)]) -> Types {
    let parsed: BTreeMap<&Path, syn::File> =
        sources.iter().filter_map(|(file, source)| Some((file.as_path(), syntax::parse_file(source).ok()?))).collect();
    let mut reader = Reader { parsed: &parsed, left: parsed.keys().copied().collect(), types: Types::default() };
    for root in ["lib.rs", "main.rs"] {
        let roots: Vec<&Path> =
            parsed.keys().copied().filter(|file| file.ends_with(Path::new("src").join(root))).collect();
        for file in roots {
            let folder = file.parent().unwrap_or(Path::new(""));
            reader.file(file, folder, vec![folder.display().to_string()]);
        }
    }
    // A file that no `mod` declares is a module of its own.
    while let Some(file) = reader.left.first().copied() {
        reader.file(file, file.parent().unwrap_or(Path::new("")), vec![file.display().to_string()]);
    }
    reader.types
}

struct Reader<'a> {
    parsed: &'a BTreeMap<&'a Path, syn::File>,
    left: std::collections::BTreeSet<&'a Path>,
    types: Types,
}

impl<'a> Reader<'a> {
    /// Reads the file of a module; `folder` is the folder with the files of the child modules.
    fn file(&mut self, file: &'a Path, folder: &Path, module: Module) {
        if let (true, Some(syntax)) = (self.left.remove(file), self.parsed.get(file)) {
            self.types.names.modules.insert(module.clone());
            let mut within = Within { file, folder: folder.to_owned(), module, reader: self };
            within.visit_file(syntax);
        }
    }
}

/// The module that is being read.
struct Within<'r, 'a> {
    file: &'a Path,
    folder: PathBuf,
    module: Module,
    reader: &'r mut Reader<'a>,
}

impl Within<'_, '_> {
    fn item(&mut self, attributes: &[Attribute], line: usize) {
        let first =
            attributes.iter().map(|attribute| attribute.pound_token.spans[0].start().line).fold(line, usize::min);
        self.reader.types.items.push(Item { file: self.file.to_owned(), first, last: line });
    }

    fn field(&mut self, field: &Field, case: Option<&str>) -> Option<Member> {
        let ident = field.ident.as_ref()?;
        let line = ident.span().start().line;
        self.item(&field.attrs, line);
        let serde = Serde::read(&field.attrs);
        let written = serde.renamed.clone().unwrap_or_else(|| convert_case(&identifier_name(ident), case));
        let rust_type = Some(serde.with.unwrap_or_else(|| field.ty.clone()));
        let name = normalize_name(serde.renamed.as_deref().unwrap_or(&identifier_name(ident)));
        Some(Member { name, written, line, rust_type, flattened: serde.flattened, hidden: serde.hidden })
    }

    fn shape(&mut self, ident: &Ident, generics: &Generics, attrs: &[Attribute], members: Vec<Member>) {
        let line = ident.span().start().line;
        let derived = attributes(attrs, "derive").flat_map(parts).any(|part| {
            let last = part.path().segments.last().map(|segment| segment.ident.to_string());
            ["JsonSchema", "KubeSchema"].map(Some).contains(&last.as_deref())
        });
        let places = &mut self.reader.types;
        let named = NamedItem::Shape(places.shapes.len());
        places.names.named.entry(self.module.clone()).or_default().entry(ident.to_string()).or_insert(named);
        places.shapes.push(Shape {
            name: ident.to_string(),
            file: self.file.to_owned(),
            line,
            module: self.module.clone(),
            parameters: parameters(generics),
            members,
            derived,
        });
    }
}

impl<'ast> Visit<'ast> for Within<'_, '_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let name = identifier_name(&item.ident);
        let path = item.attrs.iter().find_map(|attribute| path_attribute(&attribute.meta));
        let mut module = self.module.clone();
        module.push(name.clone());
        if item.content.is_some() {
            let outer = (self.module.clone(), self.folder.clone());
            self.reader.types.names.modules.insert(module.clone());
            (self.module, self.folder) = (module, self.folder.join(path.unwrap_or(name)));
            visit::visit_item_mod(self, item);
            (self.module, self.folder) = outer;
            return;
        }
        for (file, folder) in files_of_module(&name, path.as_deref(), self.file, &self.folder) {
            if let Some((file, _)) = self.reader.parsed.get_key_value(file.as_path()) {
                return self.reader.file(file, &folder, module);
            }
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.reader.types.names.uses.entry(self.module.clone()).or_default().extend(uses(&item.tree));
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        let alias = NamedItem::Alias { parameters: parameters(&item.generics), rust_type: item.ty.clone() };
        self.reader.types.names.named.entry(self.module.clone()).or_default().insert(item.ident.to_string(), alias);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let line = item.ident.span().start().line;
        self.item(&item.attrs, line);
        let serde = Serde::read(&item.attrs);
        let mut members: Vec<Member> =
            item.fields.iter().filter_map(|field| self.field(field, serde.case.as_deref())).collect();
        if let Fields::Unnamed(fields) = &item.fields
            && let Some(only) = fields.unnamed.first()
        {
            // A newtype has the fields of the type that it wraps.
            members.push(unnamed_member(String::new(), line, only, true));
        }
        self.shape(&item.ident, &item.generics, &item.attrs, members);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.item(&item.attrs, item.ident.span().start().line);
        let serde = Serde::read(&item.attrs);
        let mut members = Vec::new();
        for variant in &item.variants {
            let line = variant.ident.span().start().line;
            self.item(&variant.attrs, line);
            let own = Serde::read(&variant.attrs);
            let written =
                own.renamed.unwrap_or_else(|| convert_case(&variant.ident.to_string(), serde.case.as_deref()));
            let inner = match &variant.fields {
                Fields::Unnamed(fields) => fields.unnamed.first(),
                _ => None,
            };
            match (inner, &serde.content) {
                (Some(field), Some(content)) => members.push(unnamed_member(content.clone(), line, field, false)),
                (Some(field), None) => members.push(unnamed_member(written, line, field, serde.untagged)),
                (None, _) => members.push(Member {
                    name: normalize_name(&written),
                    written,
                    line,
                    rust_type: None,
                    flattened: false,
                    hidden: own.hidden,
                }),
            }
            let case = own.case.or_else(|| serde.fields_case.clone());
            for field in &variant.fields {
                members.extend(self.field(field, case.as_deref()));
            }
        }
        self.shape(&item.ident, &item.generics, &item.attrs, members);
    }
}

/// Returns the member for an unnamed field of a struct or a variant.
fn unnamed_member(written: String, line: usize, field: &Field, flattened: bool) -> Member {
    let serde = Serde::read(&field.attrs);
    let rust_type = Some(serde.with.unwrap_or_else(|| field.ty.clone()));
    Member { name: normalize_name(&written), written, line, rust_type, flattened, hidden: serde.hidden }
}

fn identifier_name(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

fn parameters(generics: &Generics) -> Vec<String> {
    generics.type_params().map(|parameter| parameter.ident.to_string()).collect()
}

/// The attributes of serde and schemars that determine names and schemas.
#[derive(Default)]
struct Serde {
    renamed: Option<String>,
    case: Option<String>,
    fields_case: Option<String>,
    flattened: bool,
    /// True if the name of an enum variant is not a key in YAML, because the enum is untagged or internally tagged.
    untagged: bool,
    content: Option<String>,
    hidden: bool,
    with: Option<Type>,
}

impl Serde {
    fn read(attrs: &[Attribute]) -> Self {
        let mut read = Serde::default();
        let mut tagged = false;
        let both = ["serde", "schemars"].into_iter().flat_map(|name| attributes(attrs, name));
        for part in both.flat_map(parts) {
            let text = value(&part);
            match part.path().get_ident().map(ToString::to_string).as_deref() {
                Some("flatten") => read.flattened = true,
                Some("untagged") => read.untagged = true,
                Some("tag") => tagged = true,
                Some("content") => read.content = text,
                Some("rename") => read.renamed = text.or(read.renamed),
                Some("rename_all") => read.case = text.or(read.case),
                Some("rename_all_fields") => read.fields_case = text.or(read.fields_case),
                Some("skip" | "skip_deserializing" | "schema_with") => read.hidden = true,
                Some("with") => read.with = text.and_then(|text| syntax::parse_str(&text).ok()).or(read.with),
                _ => {}
            }
        }
        read.untagged |= tagged && read.content.is_none();
        read
    }
}

/// Returns a serde argument's value for deserializing: `a` for `name = "a"` and `name(serialize = "b", deserialize =
/// "a")`.
fn value(part: &Meta) -> Option<String> {
    text(part).or_else(|| nested_items(part).iter().find(|part| part.path().is_ident("deserialize")).and_then(value))
}

/// Converts a name to one of serde's case conventions, such as `camelCase`.
fn convert_case(name: &str, case: Option<&str>) -> String {
    match case {
        Some("camelCase") => name.to_lower_camel_case(),
        Some("PascalCase") => name.to_pascal_case(),
        Some("snake_case") => name.to_snake_case(),
        Some("kebab-case") => name.to_kebab_case(),
        Some("SCREAMING_SNAKE_CASE") => name.to_shouty_snake_case(),
        Some("SCREAMING-KEBAB-CASE") => name.to_shouty_kebab_case(),
        Some("lowercase") => name.to_lowercase(),
        Some("UPPERCASE") => name.to_uppercase(),
        _ => name.to_owned(),
    }
}
