//! Recognises types of Kubernetes by the shape of an object.

use super::schema_location::Place;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A table of the types of `k8s_openapi`: each line has the path of a type and the fields of the type's newest version.
/// The types that opctl recognises come first. After an empty line follow the types that opctl does not recognise, but
/// that occur in the fields of other types.
///
/// In the type of a field, `[]` marks the items of a list, `{}` the values of a map, and a final `!` a required field.
/// A field `name` without `!` is optional, and its default is `""`.
const TABLE: &str = include_str!("known.txt");

/// The fields of the types in [`TABLE`], by the name of the type.
static TYPES: LazyLock<BTreeMap<&str, BTreeMap<&str, &str>>> = LazyLock::new(|| {
    let fields = |line: &'static str| line.split(' ').skip(1).filter_map(|field| field.split_once('=')).collect();
    TABLE.lines().filter_map(|line| Some((name_in(line)?, fields(line)))).collect()
});

/// Kubernetes types whose field names are so common that unrelated types of other authors have the same fields. opctl
/// recognises an object as one of these types only if the object's schema has `x-kubernetes-map-type: atomic`.
const ATOMIC: [&str; 5] =
    ["LocalObjectReference", "NodeSelector", "ObjectFieldSelector", "SecretReference", "TypedLocalObjectReference"];

const CONDITION: [&str; 5] = ["lastTransitionTime", "message", "reason", "status", "type"];

/// Schema keywords that fields of Kubernetes' types do not have. opctl does not recognise an object as a Kubernetes
/// type if a field has such a keyword.
const OWN_RULES: [&str; 17] = [
    "allOf",
    "anyOf",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "oneOf",
    "pattern",
    "x-kubernetes-validations",
];

/// Returns the path below `k8s_openapi` of the Kubernetes type that the object with the schema `node` has; `None` if
/// opctl does not recognise the object as a Kubernetes type.
pub(super) fn known_type_path(place: &Place, node: &Map<String, Value>) -> Option<String> {
    let path = like(&place.name, node)?;
    // The API server takes a field as the key of a list only if it is required or has a default.
    let fields = TYPES.get(name_in(&path)?);
    let is_required = |key: &str| fields.is_some_and(|fields| fields.get(key).is_some_and(|of| of.ends_with('!')));
    let is_key = |key: &String| is_required(key) || node["properties"][key].get("default").is_some();
    place.keys.iter().all(is_key).then_some(path)
}

/// Returns the path below `k8s_openapi` of the Kubernetes type that has the fields of the schema `node`; `None` if
/// opctl recognises no type. `name` is the name of the field that holds the object with this schema.
fn like(name: &str, node: &Map<String, Value>) -> Option<String> {
    let properties = node.get("properties")?.as_object()?;
    // Rules of the object itself go to the field.
    if OWN_RULES.iter().any(|rule| *rule != "x-kubernetes-validations" && node.contains_key(*rule)) {
        return None;
    }
    if is_condition(node, properties) {
        return Some("apimachinery::pkg::apis::meta::v1::Condition".to_owned());
    }
    let has =
        |name: &str, field: &str| properties.get(name).is_some_and(|object| object["properties"][field].is_object());
    if properties.keys().eq(["metadata", "spec"]) {
        let path = if has("spec", "containers") {
            "api::core::v1::PodTemplateSpec"
        } else if has("spec", "template") && has("spec", "backoffLimit") {
            "api::batch::v1::JobTemplateSpec"
        } else {
            return None;
        };
        return has_shape_of(node, name_in(path)?).then(|| path.to_owned());
    }
    let recognised = TABLE.lines().take_while(|line| !line.is_empty());
    let mut like = recognised.filter(|line| is_like(line, properties, is_atomic(node)));
    let line = like.find(|line| name_in(line).is_some_and(|of| has_shape_of(node, of)))?;
    let path = line.split(' ').next()?;
    let told = |word: &str| {
        let key = properties.get("key").and_then(|key| key["description"].as_str()).unwrap_or_default();
        key.contains(word) || name.to_ascii_lowercase().contains(word)
    };
    if path.ends_with("::ConfigMapKeySelector") && ["secret", "password", "token"].into_iter().any(told) {
        return Some("api::core::v1::SecretKeySelector".to_owned());
    }
    Some(path.to_owned())
}

/// Returns the name of the type at the beginning of a line of [`TABLE`], without the module path.
fn name_in(line: &str) -> Option<&str> {
    line.split(' ').next()?.rsplit("::").next().filter(|name| !name.is_empty())
}

/// Returns true if the type `of` has all fields of the schema, at any depth, and if the schema requires all fields that
/// the type requires.
fn has_shape_of(node: &Map<String, Value>, of: &str) -> bool {
    let Some(fields) = TYPES.get(of) else { return false };
    let none = Map::new();
    let properties = node.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required = |name: &str| {
        let required = node.get("required").and_then(Value::as_array);
        let has_default = properties.get(name).is_some_and(|field| field.get("default").is_some());
        has_default || required.is_some_and(|all| all.iter().any(|one| one == name))
    };
    let is_open = ["additionalProperties", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]
        .iter()
        .any(|key| node.get(*key).is_some_and(|value| *value != false));
    !is_open
        && properties
            .iter()
            .all(|(name, field)| fields.get(name.as_str()).is_some_and(|of| has_type(field, of.trim_end_matches('!'))))
        && fields.iter().all(|(name, of)| !of.ends_with('!') || required(name))
}

/// Returns true if the schema `field` allows the same values as a field of the type `of`.
fn has_type(field: &Value, of: &str) -> bool {
    let is_either = field["x-kubernetes-int-or-string"] == true;
    // Every quantity has these rules: a pattern, and the choice between two types.
    let is_usual = |rule: &str| match rule {
        "anyOf" => is_either,
        "pattern" => is_either && field[rule].as_str().is_some_and(|pattern| pattern.contains("[KMGTPE]i")),
        _ => false,
    };
    let mut rules = OWN_RULES.iter().filter(|rule| field.get(rule).is_some() && !is_usual(rule));
    let usual_default = |default: &Value| *default == "" || *default == "TCP" || *default == Value::Object(Map::new());
    if rules.next().is_some() || field.get("default").is_some_and(|value| !usual_default(value)) {
        return false;
    }
    if let Some(of) = of.strip_prefix("[]") {
        return field["type"] == "array" && has_type(&field["items"], of);
    }
    if let Some(of) = of.strip_prefix("{}") {
        return field["type"] == "object"
            && field.get("properties").is_none()
            && has_type(&field["additionalProperties"], of);
    }
    match of {
        "quantity" => is_either || field["type"] == "string",
        "int-or-string" => is_either,
        "time" => field["type"] == "string" && field["format"] == "date-time",
        "any" => field["x-kubernetes-preserve-unknown-fields"] == true,
        "boolean" | "integer" | "number" | "string" => field["type"] == of && !is_either,
        "ObjectMeta" => field.as_object().is_some_and(is_metadata),
        of => field["type"] == "object" && field.as_object().is_some_and(|node| has_shape_of(node, of)),
    }
}

fn is_atomic(node: &Map<String, Value>) -> bool {
    node.get("x-kubernetes-map-type").is_some_and(|kind| kind == "atomic")
}

/// Returns true if `properties`, the fields of an object, match the type in `line`, a line of [`TABLE`], or a version
/// of that type that is a few releases older. Unless `atomic` is true, returns false for the types in [`ATOMIC`].
fn is_like(line: &str, properties: &Map<String, Value>, atomic: bool) -> bool {
    let name = name_in(line).unwrap_or_default();
    let Some(fields) = TYPES.get(name) else { return false };
    let least = match fields.len() {
        ..=3 => 2,
        some @ 4..=6 => some - 1,
        many => many * 6 / 10,
    };
    let exact = fields.len() <= 3 && !["EmptyDirVolumeSource", "Lifecycle"].contains(&name);
    let enough = if exact { properties.len() == fields.len() } else { properties.len() >= least };
    enough && (atomic || !ATOMIC.contains(&name)) && properties.keys().all(|key| fields.contains_key(key.as_str()))
}

/// Returns true for the schema that controller-gen writes for an `ObjectMeta` within an object.
pub(super) fn is_metadata(node: &Map<String, Value>) -> bool {
    let is_field = |(name, field): (&String, &Value)| match name.as_str() {
        "annotations" | "labels" => field["additionalProperties"]["type"] == "string",
        "finalizers" => field["items"]["type"] == "string",
        "name" | "namespace" => field["type"] == "string",
        _ => false,
    };
    node.get("properties").and_then(Value::as_object).is_none_or(|properties| properties.iter().all(is_field))
}

fn is_condition(node: &Map<String, Value>, properties: &Map<String, Value>) -> bool {
    let required = node.get("required").and_then(Value::as_array).into_iter().flatten();
    let mut required: Vec<&str> = required.filter_map(Value::as_str).collect();
    required.sort_unstable();
    // The rules of these fields are Kubernetes' own.
    let is_field = |(name, field): (&String, &Value)| match name.as_str() {
        "observedGeneration" => field["type"] == "integer",
        "lastTransitionTime" => has_type(field, "time"),
        name => CONDITION.contains(&name) && field["type"] == "string",
    };
    required == CONDITION && properties.iter().all(is_field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn metadata_has_texts_and_nothing_else() {
        let (text, texts) =
            (json!({"type": "string"}), json!({"type": "object", "additionalProperties": {"type": "string"}}));
        let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        for (properties, expected) in [
            (json!({"annotations": texts, "labels": texts, "name": text, "namespace": text}), true),
            (json!({"finalizers": {"type": "array", "items": text}}), true),
            (json!({"annotations": open}), false),
            (json!({"name": texts}), false),
            (json!({"name": text, "title": text}), false),
        ] {
            let node = json!({"type": "object", "properties": properties});
            assert_eq!(is_metadata(node.as_object().unwrap()), expected, "{node}");
        }
        assert!(is_metadata(json!({"type": "object"}).as_object().unwrap()));
    }

    /// Returns the schema of a type in the notation of [`TABLE`], such as `[]string`.
    fn schema(of: &str) -> Value {
        if let Some(of) = of.strip_prefix("[]") {
            return json!({"type": "array", "items": schema(of)});
        }
        if let Some(of) = of.strip_prefix("{}") {
            return json!({"type": "object", "additionalProperties": schema(of)});
        }
        match of {
            "quantity" => json!({"anyOf": [], "pattern": "[KMGTPE]i", "x-kubernetes-int-or-string": true}),
            "time" => json!({"type": "string", "format": "date-time"}),
            "int-or-string" => json!({"x-kubernetes-int-or-string": true}),
            "any" => json!({"x-kubernetes-preserve-unknown-fields": true}),
            "ObjectMeta" => json!({"type": "object"}),
            "boolean" | "integer" | "number" | "string" => json!({"type": of}),
            of => object(&TYPES[of].iter().map(|(name, of)| format!("{name}={of}")).collect::<Vec<_>>().join(" ")),
        }
    }

    fn object(fields: &str) -> Value {
        let fields: Vec<_> = fields.split(' ').filter_map(|field| field.split_once('=')).collect();
        let of = |of: &str| schema(of.trim_end_matches('!'));
        let properties: Map<_, _> = fields.iter().map(|(name, field)| ((*name).to_owned(), of(field))).collect();
        let required: Vec<_> = fields.iter().filter(|(_, of)| of.ends_with('!')).map(|(name, _)| *name).collect();
        json!({"type": "object", "properties": properties, "required": required})
    }

    fn atomic(fields: &str) -> Value {
        let mut object = object(fields);
        object["x-kubernetes-map-type"] = "atomic".into();
        object
    }

    fn with(mut object: Value, at: &str, value: Value) -> Value {
        let (above, name) = at.rsplit_once('/').unwrap();
        object.pointer_mut(above).unwrap()[name] = value;
        object
    }

    fn told(name: &str, node: &Value) -> Option<String> {
        let path = known_type_path(&Place::default().field(name), node.as_object().unwrap())?;
        path.rsplit("::").next().map(str::to_owned)
    }

    #[test]
    fn types_are_told_by_their_fields() {
        let key = "key=string! name=string optional=boolean";
        let mount = "mountPath=string! mountPropagation=string name=string! readOnly=boolean";
        for (name, node, expected) in [
            ("image", object("name=string"), None),
            ("pull", atomic("name=string"), Some("LocalObjectReference")),
            ("target", object("host=string port=integer"), None),
            ("resources", schema("ResourceRequirements"), Some("ResourceRequirements")),
            ("selector", schema("LabelSelector"), Some("LabelSelector")),
            ("passwordSecret", atomic(key), Some("SecretKeySelector")),
            ("settings", atomic(key), Some("ConfigMapKeySelector")),
            ("mount", object(&format!("{mount} subPath=string other=string")), None),
            ("mount", object(&format!("{mount} subPath=string subPathExpr=string")), Some("VolumeMount")),
            ("template", object("metadata=LabelSelector spec=PodSpec"), None),
            ("env", schema("EnvVar"), Some("EnvVar")),
            ("conditions", schema("Condition"), Some("Condition")),
            (
                "conditions",
                object("lastTransitionTime=time message=string reason=string status=string type=string"),
                None,
            ),
        ] {
            assert_eq!(told(name, &node).as_deref(), expected, "{name} {node}");
        }
    }

    #[test]
    fn a_key_of_a_list_is_required_in_the_type() {
        let keyed = |keys: &[&str], fields: &str| {
            let keys = keys.iter().map(|key| (*key).to_owned()).collect();
            known_type_path(&Place { keys, ..Place::default().field("refs") }, object(fields).as_object().unwrap())
        };
        let reference = "apiVersion=string fieldPath=string kind=string name=string namespace=string resourceVersion=string uid=string";
        assert!(keyed(&[], reference).unwrap().ends_with("::ObjectReference"));
        assert_eq!(keyed(&["name"], reference), None);
        let variable = "name=string! value=string valueFrom=EnvVarSource";
        assert!(keyed(&["name"], variable).unwrap().ends_with("::EnvVar"));
    }

    #[test]
    fn objects_that_differ_from_a_kubernetes_type_are_not_taken_for_it() {
        for (of, at, value) in [
            ("EnvVar", "/properties/valueFrom/properties/helmRef", object("key=string")),
            ("EnvVar", "/oneOf", json!([{"required": ["value"]}])),
            ("EnvVar", "/required", json!([])),
            ("LabelSelector", "/properties/matchLabels", schema("[]string")),
            ("PolicyRule", "/properties/verbs", schema("string")),
            ("Condition", "/properties/status", schema("boolean")),
            ("ResourceRequirements", "/properties/limits/additionalProperties/pattern", "^[0-9]+m$".into()),
            ("ResourceRequirements", "/properties/limits/additionalProperties", schema("integer")),
            ("ResourceRequirements", "/properties/claims/maxItems", 3.into()),
            ("Toleration", "/properties/operator/enum", json!(["Equal"])),
            ("Toleration", "/properties/operator/default", "Equal".into()),
            ("Toleration", "/x-kubernetes-preserve-unknown-fields", true.into()),
            ("Affinity", "/properties/nodeAffinity/x-kubernetes-preserve-unknown-fields", true.into()),
            ("Volume", "/properties/secret/properties/items/items/properties/mode", schema("string")),
        ] {
            let whole = schema(of);
            assert_eq!(told("one", &whole).as_deref(), Some(of));
            let found = told("one", &with(whole, at, value));
            assert_ne!(found.as_deref(), Some(of), "{of} {at}");
        }
    }
}
