//! Codes about the schema of a type.

use crate::finding::page::Page;

pub(super) const PAGES: &[Page] = &[
    Page::error(
        "OP101",
        "a type contains itself",
        "A CRD has no `$ref`, so its schema would never end. The server says `$ref is not supported`.",
        "struct Node { children: Vec<Node> }",
        "struct Node {\n    #[schemars(schema_with = \"any_object\")]\n    children: Vec<Node>,\n}\n\
         fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
         schemars::json_schema!({\"type\": \"array\", \"items\": {\n        \
         \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}})\n}",
    ),
    Page::error(
        "OP102",
        "a tuple of different types",
        "A CRD describes all items of a list alike. The server says `items must be a schema object and not an array`.",
        "port: (String, u16),",
        "port: Port,\n// with\nstruct Port { name: String, number: u16 }",
    ),
    Page::error(
        "OP103",
        "a field of several JSON types",
        "A structural schema has one type for a field; only an integer or a string may share one. The server says \
         `must be empty to be structural`.",
        "#[serde(untagged)]\nenum Size { Number(i32), Detailed { min: i32, max: i32 } }",
        "struct Size { exact: Option<i32>, min: Option<i32>, max: Option<i32> }\n// a number or a string: IntOrString",
    ),
    Page::error(
        "OP104",
        "an enum with and without data in its variants",
        "serde writes a variant without data as a string and the others as objects, and a CRD knows one type for a field.",
        "enum Backup { Off, Daily { hour: u8 } }",
        "enum Backup { Off {}, Daily { hour: u8 } }",
    ),
    Page::error(
        "OP105",
        "variants that describe a field differently",
        "All variants share one list of fields in a CRD, so a field that two of them have needs one description.",
        "#[serde(tag = \"type\")]\nenum Store { Disk { size: String }, Memory { size: i32 } }",
        "#[serde(tag = \"type\")]\nenum Store { Disk { size: String }, Memory { megabytes: i32 } }",
    ),
    Page::error(
        "OP106",
        "a map of typed values beside fields",
        "The server says `additionalProperties and properties are mutual exclusive`.",
        "struct Settings {\n    name: String,\n    #[serde(flatten)]\n    others: BTreeMap<String, i32>,\n}",
        "struct Settings { name: String, others: BTreeMap<String, i32> }",
    ),
    Page::error(
        "OP107",
        "a unit type",
        "Its only value is null, which has no type in a CRD. The server says `type: Required value`.",
        "struct Empty;",
        "struct Empty {}",
    ),
    Page::error(
        "OP108",
        "a reference to nothing",
        "A hand-written schema has a `$ref` whose definition is not there.",
        "schemars::json_schema!({\"$ref\": \"#/$defs/Gone\"})",
        "generator.subschema_for::<Port>()",
    ),
    Page::error(
        "OP109",
        "a keyword that changes what is valid and that a CRD does not have",
        "The server says, for example, `patternProperties is not supported`.",
        "#[schemars(extend(\"patternProperties\" = {\"^a\": {}, \"^b\": {}}))]",
        "#[schemars(with = \"BTreeMap<String, T>\")]",
    ),
    Page::error(
        "OP110",
        "a field that allows no value",
        "Its schema is `false`, which a CRD cannot say.",
        "never: Never, // a schema of `false`",
        "#[serde(skip)]\nnever: Never,",
    ),
    Page::error(
        "OP111",
        "a field without a type",
        "The server says `type: Required value: must not be empty for specified object fields`, or for items.",
        "#[schemars(extend(\"type\" = \"text\"))]\nnote: Note,",
        "#[schemars(with = \"String\")]\nnote: Note,",
    ),
    Page::error(
        "OP112",
        "a root that is not an object with fields",
        "The server says `must be object at the root`, `additionalProperties: must not be used at the root`, or, where there is a \
         status, that only some keywords `are allowed at the root of the schema if the status subresource is enabled`.",
        "#[derive(CustomResource, ..)]\nstruct FooSpec(Vec<String>); // with a hand-written schema",
        "#[derive(CustomResource, ..)]\nstruct FooSpec { items: Vec<String> }",
    ),
    Page::error(
        "OP113",
        "alternatives that describe instead of restrict",
        "Within `allOf`, `anyOf` and `oneOf` a CRD allows restrictions only. The server says `must be empty to be structural`.",
        "#[schemars(extend(\"oneOf\" = [{\"properties\": {\"a\": {\"type\": \"string\"}}}]))]",
        "#[schemars(extend(\"oneOf\" = [{\"required\": [\"a\"]}, {\"required\": [\"b\"]}]))]",
    ),
    Page::error(
        "OP114",
        "a pattern that RE2 does not read",
        "The server reads patterns with Go's regular expressions: no look-around, no backreferences, at most 1000 \
         repetitions, the flags i, m, s and U. It says `must be a valid regular expression, but isn't`.",
        "#[schemars(regex(pattern = r\"^(?!kube-)[a-z]+$\"))]\nname: String,",
        "#[schemars(regex(pattern = r\"^[a-z]+$\"))]\n\
         #[x_kube(validation = (\"!self.startsWith('kube-')\", \"kube- is reserved\"))]\nname: String,",
    ),
    Page::error(
        "OP115",
        "a default that its own field refuses",
        "The server checks defaults as it checks values, and says `in body must be of type ..` or `Unsupported value`.",
        "#[schemars(extend(\"default\" = \"three\"))]\nreplicas: i32,",
        "#[serde(default = \"three\")]\nreplicas: i32,\n// with\nfn three() -> i32 { 3 }",
    ),
    Page::error(
        "OP116",
        "a schema that cannot be made",
        "`json_schema()` of the type, or of one of its fields, panics; no schema comes of it.",
        "#[serde(default = \"unreadable\")]\nname: String,\n// with\nfn unreadable() -> String { panic!() }",
        "fn unreadable() -> String { \"name\".to_owned() }",
    ),
    Page::error(
        "OP117",
        "a definition that is too large to be kept",
        "etcd takes 1.5 MiB in one request. The server says `etcdserver: request is too large`.",
        "first: PodTemplateSpec,\nsecond: PodTemplateSpec,\n// and more of them",
        "image: String,\nresources: ResourceRequirements,",
    ),
    Page::error(
        "OP118",
        "a field that is written and not read",
        "The schema is what the type reads, and the server drops every other field: what the operator writes is lost.",
        "#[serde(rename(serialize = \"maxSize\", deserialize = \"max\"))]\nmax: i32,\n#[serde(skip_deserializing)]\nphase: String,",
        "#[serde(rename = \"maxSize\", alias = \"max\")]\nmax: i32,\nphase: String,",
    ),
    Page::error(
        "OP119",
        "a required field that is not always written",
        "What the operator writes without it is refused: `Required value`.",
        "#[serde(skip_serializing_if = \"Vec::is_empty\")]\nhosts: Vec<String>,",
        "#[serde(default, skip_serializing_if = \"Vec::is_empty\")]\nhosts: Vec<String>,",
    ),
    Page::error(
        "OP120",
        "a value that is written and not read",
        "The server refuses what the operator writes: `Unsupported value`, or `must be of type`.",
        "enum Phase {\n    #[serde(rename(serialize = \"ready\", deserialize = \"Ready\"))]\n    Ready,\n}",
        "enum Phase {\n    #[serde(rename = \"ready\", alias = \"Ready\")]\n    Ready,\n}",
    ),
    Page::error(
        "OP121",
        "a type that is nested too deeply",
        "More than 100 schemas within each other are no object that a user could write, and too much for those who read it.",
        "struct Level1 { next: Level2 } // and so on, a hundred times",
        "struct Level1 {\n    #[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]\n    next: serde_json::Value,\n}",
    ),
    Page::error(
        "OP122",
        "a list type or map type that the field cannot have",
        "`x-kubernetes-list-type` and `x-kubernetes-map-type` say how server-side apply merges a field. A list of the type `map` \
         needs objects and the names of their keys, a `set` needs items that are replaced as a whole. The server says, for \
         example, `must be array if x-kubernetes-list-type is specified`, or `must be atomic as item of a list with \
         x-kubernetes-list-type=set`.",
        "#[x_kube(merge_strategy = ListMerge::Set)]\nports: Vec<Port>, // struct Port { name: String, number: u16 }",
        "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]\nports: Vec<Port>,",
    ),
    Page::error(
        "OP123",
        "a key of a list that may be absent or is not a scalar",
        "Server-side apply tells the items of such a list apart by their keys, so each item has all of them. The server says \
         `this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`, or `cannot be \
         nullable`.",
        "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]\nports: Vec<Port>,\n\
         // with\nstruct Port { name: Option<String>, number: u16 }",
        "struct Port { name: String, number: u16 }",
    ),
    Page::error(
        "OP124",
        "an embedded resource that is not an object of Kubernetes",
        "`x-kubernetes-embedded-resource` is for whole objects, with `apiVersion`, `kind` and `metadata`; and a field that is an \
         integer or a string is nothing else. The server says, for example, `must be object if x-kubernetes-embedded-resource \
         is true`.",
        "#[schemars(extend(\"x-kubernetes-embedded-resource\" = true))]\nname: String,",
        "#[schemars(extend(\"x-kubernetes-embedded-resource\" = true, \"x-kubernetes-preserve-unknown-fields\" = true))]\n\
         template: kube::core::DynamicObject,",
    ),
    Page::error(
        "OP125",
        "a keyword with a value of another type",
        "The server cannot read the definition at all: `cannot unmarshal string into Go struct field JSONSchemaProps`.",
        "#[schemars(extend(\"maxLength\" = \"20\"))]\nname: String,",
        "#[schemars(extend(\"maxLength\" = 20))]\nname: String,",
    ),
    Page::warning(
        "OP151",
        "a keyword that is left out",
        "A CRD does not have it, and the server would drop it without a word: the rule would not hold.",
        "#[schemars(extend(\"contains\" = {\"const\": \"main\"}))]\nnames: Vec<String>,",
        "#[x_kube(validation = (\"'main' in self\", \"main is missing\"))]\nnames: Vec<String>,",
    ),
    Page::error(
        "OP152",
        "an optional enum that is written as null",
        "What the operator writes for `None` is null, and the server refuses it even where the enum is nullable: \
         `Unsupported value: null`. A field can be left out; in a list, in a map, and beside a default there is no way.",
        "mode: Option<Mode>,\nmodes: Vec<Option<Mode>>,",
        "#[serde(default, skip_serializing_if = \"Option::is_none\")]\nmode: Option<Mode>,\nmodes: Vec<Mode>,",
    ),
    Page::warning(
        "OP153",
        "a definition that client-side apply cannot take",
        "`kubectl apply` without `--server-side` keeps a copy of the definition in an annotation. The server says \
         `metadata.annotations: Too long: may not be more than 262144 bytes`.",
        "template: PodTemplateSpec, // 350 KB with all its documentation",
        "opctl manifests --max-description-length 0",
    ),
];
