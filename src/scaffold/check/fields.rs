//! Refuses fields that contradict each other, or whose generated names collide.

use crate::error::hint;
use crate::model::{Field, Member, Parent, Resource, is_taken_type, tree};
use crate::{Error, Result};
use std::collections::BTreeMap;

/// The fields that `--image` generates.
const IMAGE_FIELDS: &[&str] = &["image", "port", "replicas", "resources"];

/// A conflict about one name in a field's path: the index of the name in the path, and the reason why the field cannot
/// have this name.
type Clash = (usize, String);

pub(super) fn check_fields(resource: &Resource) -> Result<()> {
    for (number, field) in resource.fields.iter().enumerate() {
        let before = &resource.fields[..number];
        if let Some((depth, other, was)) = before.iter().find_map(|before| other_spelling(field, before)) {
            let (here, there) = (&field.parents[depth].text, &was.text);
            let why = format!(
                "this field is in `{here}`, but `{other}` is in `{there}`: write the parent object the same way in \
                 all its fields"
            );
            return Err(refused_field_error(field)
                .caused_by(why)
                .hint(hint!("--field {}", with_part(field, depth, there))));
        }
        let clash = before.iter().find_map(|before| contradiction(field, before));
        if let Some(clash) = clash.or_else(|| image_field(resource, field)) {
            return Err(name_clash_error(field, clash));
        }
    }
    match generated_name(resource) {
        Some((field, clash)) => Err(name_clash_error(field, clash)),
        None => Ok(()),
    }
}

fn refused_field_error(field: &Field) -> Error {
    Error::usage(format!("the field `{}` cannot be added", field.path()))
}

fn name_clash_error(field: &Field, (depth, why): Clash) -> Error {
    let free = with_part(field, depth, &suggested_name(field, depth));
    refused_field_error(field).caused_by(why).hint(hint!("--field {free}    # or any other name", free))
}

/// Returns the `--field` argument for a field, with `part` in place of the name at index `depth` of the path.
fn with_part(field: &Field, depth: usize, part: &str) -> String {
    let mut parts: Vec<&str> = field.parents.iter().map(|parent| parent.text.as_str()).collect();
    parts.push(&field.name);
    parts[depth] = part;
    let text = field.to_string();
    let rest = text.split_once(':').map_or("string", |(_, rest)| rest);
    format!("{}:{rest}", parts.join("."))
}

/// Returns a new name to suggest in place of the name at index `depth` in a field's path. If the old name belongs to a
/// parent object and has a suffix, such as `[]` in `ports[]`, the new name has the same suffix.
fn suggested_name(field: &Field, depth: usize) -> String {
    let Some(Parent { name, text, .. }) = field.parents.get(depth) else { return format!("{}Value", field.name) };
    let behind = text.find(['[', '{', '?']).map_or("", |at| &text[at..]);
    format!("{name}Value{behind}")
}

/// Finds a parent object that is in the paths of both fields, but is written differently, for example with the suffix
/// `[]` in only one path. Returns the index of the object in the path, the field `before`, and the object as written in
/// the path of `before`.
fn other_spelling<'a>(field: &Field, before: &'a Field) -> Option<(usize, &'a Field, &'a Parent)> {
    let pairs = field.parents.iter().zip(&before.parents).enumerate();
    let mut same = pairs.take_while(|(_, (one, other))| one.rust_name == other.rust_name);
    let (depth, (_, was)) = same.find(|(_, (one, other))| {
        (&one.name, &one.holds, one.optional) != (&other.name, &other.holds, other.optional)
    })?;
    Some((depth, before, was))
}

/// Returns a clash if both fields have the same path, or if a field lies below the path of the other field.
fn contradiction(field: &Field, before: &Field) -> Option<Clash> {
    let (own, theirs) = (names(field), names(before));
    let alike = own.iter().zip(&theirs).take_while(|(one, other)| one.0 == other.0 || one.1 == other.1).count();
    let shorter = own.len().min(theirs.len());
    if alike < shorter {
        return None;
    }
    let why = match own.len().cmp(&theirs.len()) {
        std::cmp::Ordering::Equal => format!("`{before}` has that name"),
        std::cmp::Ordering::Less => format!("`{before}` already defines an object with that name"),
        std::cmp::Ordering::Greater => format!("`{before}` is not an object and has no fields"),
    };
    Some((shorter - 1, why))
}

/// Returns the names in a field's path, each in JSON and in Rust.
fn names(field: &Field) -> Vec<(&str, &str)> {
    let parents = field.parents.iter().map(|parent| (parent.name.as_str(), parent.rust_name.as_str()));
    parents.chain([(field.name.as_str(), field.rust_name.as_str())]).collect()
}

fn image_field(resource: &Resource, field: &Field) -> Option<Clash> {
    let top = field.parents.first().map_or(&field.rust_name, |parent| &parent.rust_name);
    let made = resource.image.is_some() && IMAGE_FIELDS.contains(&top.as_str());
    made.then(|| (0, "`--image` makes that field".to_owned()))
}

/// Finds a field for which opctl would generate a type or a function whose name is already taken.
fn generated_name(resource: &Resource) -> Option<(&Field, Clash)> {
    let kind = &resource.key.kind.rust_name();
    let own = resource.key.type_names();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (depth, name, path) in generated_member_names(&tree(&resource.fields), kind, 0) {
        let why = if own.contains(&name) {
            "its Rust type would have the same name as another type of the kind".to_owned()
        } else if is_taken_type(&name) {
            format!("its Rust type `{name}` would shadow one that every Rust file uses")
        } else if let Some(other) = seen.get(&name) {
            format!("`{name}` would also be the Rust name of `{other}`")
        } else {
            seen.insert(name, path);
            continue;
        };
        let below = |field: &&Field| field.path() == path || field.path().starts_with(&format!("{path}."));
        return resource.fields.iter().find(below).map(|field| (field, (depth, why)));
    }
    None
}

/// Returns, for each type and function that opctl generates for the members of an object, the nesting depth of the
/// member, the generated name, and the path of the member.
fn generated_member_names(members: &[Member], kind: &str, depth: usize) -> Vec<(usize, String, String)> {
    let mut all = Vec::new();
    for member in members {
        let path = member.path();
        all.extend(member.type_name(kind).map(|name| (depth, name, path.clone())));
        if member.has_default() {
            all.push((depth, member.default_function(), path));
        }
        if let Member::Object(object) = member {
            all.extend(generated_member_names(&object.members, kind, depth + 1));
        }
    }
    all
}
