//! The tree of the objects and fields of a spec, built from the paths of the fields.

use super::field::{default_function, type_name};
use super::{Cardinality, Field, Parent};
use serde_json::{Map, Value, json};

/// A field of the spec, or of an object in the spec.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// A single value, a list of values or a map of values.
    Value(Field),
    /// A single object, a list of objects or a map of objects.
    Object(Object),
}

/// An object in a spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The objects that contain this object, outermost first, then the object itself.
    path: Vec<Parent>,
    /// The object's fields, in the order in which they were given; never empty.
    pub members: Vec<Member>,
}

/// The fields that a sample contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampled {
    /// The fields that users must set.
    Required,
    /// The fields that users must set, and the fields with defaults.
    Filled,
    /// All fields.
    All,
}

/// Builds the tree of the fields. If two fields contradict each other, for example because both have the same path,
/// keeps only the first of them.
pub fn tree(fields: &[Field]) -> Vec<Member> {
    let mut members = Vec::new();
    for field in fields {
        insert(&mut members, field, 0);
    }
    members
}

fn insert(members: &mut Vec<Member>, field: &Field, depth: usize) {
    let Some(parent) = field.parents.get(depth) else {
        if members.iter().all(|member| member.rust_name() != field.rust_name) {
            members.push(Member::Value(field.clone()));
        }
        return;
    };
    match members.iter_mut().find(|member| member.rust_name() == parent.rust_name) {
        Some(Member::Object(object)) => insert(&mut object.members, field, depth + 1),
        Some(Member::Value(_)) => {}
        None => {
            let mut object = Object { path: field.parents[..=depth].to_vec(), members: Vec::new() };
            insert(&mut object.members, field, depth + 1);
            members.push(Member::Object(object));
        }
    }
}

/// Returns a sample of the members, with the fields that `sampled` selects.
pub fn sample(members: &[Member], sampled: Sampled) -> Map<String, Value> {
    let wanted = members.iter().filter(|member| match sampled {
        Sampled::Required => member.is_required(),
        Sampled::Filled => member.is_required() || member.has_default(),
        Sampled::All => true,
    });
    wanted.map(|member| (member.name().to_owned(), member.sample(sampled))).collect()
}

/// Returns the names of the types that are generated for the members.
pub fn field_types(members: &[Member], kind: &str) -> Vec<String> {
    let mut all = Vec::new();
    for member in members {
        all.extend(member.type_name(kind));
        if let Member::Object(object) = member {
            all.extend(field_types(&object.members, kind));
        }
    }
    all
}

impl Member {
    /// Returns the name in JSON.
    pub fn name(&self) -> &str {
        match self {
            Member::Value(field) => &field.name,
            Member::Object(object) => &object.own_path_part().name,
        }
    }

    /// Returns the name in Rust.
    pub fn rust_name(&self) -> &str {
        match self {
            Member::Value(field) => &field.rust_name,
            Member::Object(object) => &object.own_path_part().rust_name,
        }
    }

    /// Returns the member's path in JSON: the names of the objects that contain the member, then the member's name.
    pub fn path(&self) -> String {
        match self {
            Member::Value(field) => field.path(),
            Member::Object(object) => {
                object.path.iter().map(|parent| parent.name.as_str()).collect::<Vec<_>>().join(".")
            }
        }
    }

    /// Returns true if users may leave out the member and the member has no default.
    pub fn is_optional(&self) -> bool {
        match self {
            Member::Value(field) => field.optional,
            Member::Object(object) => object.own_path_part().optional,
        }
    }

    /// Returns true if users must set the member. A single object whose fields are all optional is not required,
    /// because the API server fills in the object.
    pub fn is_required(&self) -> bool {
        match self {
            Member::Value(field) => field.is_required(),
            Member::Object(object) => {
                let must = *object.cardinality() != Cardinality::One || object.members.iter().any(Member::is_required);
                must && !object.own_path_part().optional
            }
        }
    }

    /// Returns true if the API server fills in the member when users leave out the member.
    pub fn has_default(&self) -> bool {
        match self {
            Member::Value(field) => field.default.is_some(),
            Member::Object(object) => !object.own_path_part().optional && !self.is_required(),
        }
    }

    /// Returns the name of the generated function that returns the member's default.
    pub fn default_function(&self) -> String {
        match self {
            Member::Value(field) => field.default_function(),
            Member::Object(object) => {
                default_function(&object.path[..object.path.len() - 1], &object.own_path_part().rust_name)
            }
        }
    }

    /// Returns the name of the type that is generated for the member, if any.
    pub fn type_name(&self, kind: &str) -> Option<String> {
        match self {
            Member::Value(field) => field.enum_name(kind),
            Member::Object(object) => Some(object.type_name(kind)),
        }
    }

    fn sample(&self, sampled: Sampled) -> Value {
        match self {
            Member::Value(field) => field.sample(),
            Member::Object(object) => {
                let one = || Value::Object(sample(&object.members, sampled));
                match object.cardinality() {
                    Cardinality::One => one(),
                    Cardinality::List(_) => (0..object.sample_length()).map(|_| one()).collect(),
                    Cardinality::Map => json!({ "key": one() }),
                }
            }
        }
    }
}

impl Object {
    fn own_path_part(&self) -> &Parent {
        &self.path[self.path.len() - 1]
    }

    /// Returns the form of the field in which the object occurs: a single object, a list of such objects or a map of
    /// such objects.
    pub fn cardinality(&self) -> &Cardinality {
        &self.own_path_part().holds
    }

    /// Returns the name of the object's struct.
    pub fn type_name(&self, kind: &str) -> String {
        type_name(kind, &self.path, None)
    }

    /// Returns the number of objects in a sample: one object, or the number that the bounds of a list require.
    pub fn sample_length(&self) -> usize {
        match self.cardinality() {
            Cardinality::List(bounds) => bounds.sample_length(),
            Cardinality::One | Cardinality::Map => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(fields: &[&str]) -> Vec<Member> {
        tree(&fields.iter().map(|field| Field::parse(field).unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn paths_make_objects() {
        let made = members(&[
            "source.pvc:string",
            "size:integer=1",
            "source.readOnly:boolean=false",
            "limits.cpu:quantity=1",
            "limits.inner.note:string?",
            "tls?.secret_name:string",
            "ports[](2..=3).port:integer(80..)",
            "ports[](2..=3).name:string?",
            "env{}.value:string",
            "extra[]?.a:boolean",
        ]);
        let names: Vec<&str> = made.iter().map(Member::name).collect();
        assert_eq!(names, ["source", "size", "limits", "tls", "ports", "env", "extra"]);
        let required = json!({
            "source": { "pvc": "example" },
            "ports": [{ "port": 80 }, { "port": 80 }],
            "env": { "key": { "value": "example" } },
        });
        assert_eq!(json!(sample(&made, Sampled::Required)), required);
        let filled = json!({
            "source": { "pvc": "example", "readOnly": false },
            "size": 1,
            "limits": { "cpu": "1", "inner": {} },
            "ports": [{ "port": 80 }, { "port": 80 }],
            "env": { "key": { "value": "example" } },
        });
        assert_eq!(json!(sample(&made, Sampled::Filled)), filled);
        let all = json!(sample(&made, Sampled::All));
        assert_eq!((&all["tls"], &all["extra"]), (&json!({ "secretName": "example" }), &json!([{ "a": true }])));
    }

    #[test]
    fn generated_names_come_from_the_path() {
        let made = members(&["type.tls?.mode:enum(a|b)"]);
        let Member::Object(outer) = &made[0] else { panic!("no object") };
        let inner = &outer.members[0];
        assert_eq!(made[0].type_name("Web").as_deref(), Some("WebType"));
        assert_eq!(inner.type_name("Web").as_deref(), Some("WebTypeTls"));
        assert_eq!((inner.path().as_str(), inner.default_function().as_str()), ("type.tls", "default_type_tls"));
        let Member::Object(inner) = inner else { panic!("no object") };
        assert_eq!(inner.members[0].type_name("Web").as_deref(), Some("WebTypeTlsMode"));
        assert_eq!(inner.members[0].default_function(), "default_type_tls_mode");
    }
}
