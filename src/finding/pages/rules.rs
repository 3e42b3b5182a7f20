//! Codes about rules in CEL, and about attributes that say something else than they seem to.

use crate::finding::page::Page;

pub(super) const PAGES: &[Page] = &[
    Page::error(
        "OP501",
        "a rule that is no CEL",
        "The server says `compilation failed: ERROR: <input>:1:9: Syntax error`, and where.",
        "#[x_kube(validation = \"self.size = 1\")]",
        "#[x_kube(validation = \"self.size == 1\")]",
    ),
    Page::error(
        "OP502",
        "a rule that names a field which is not there",
        "The server says `undefined field`. A rule sees the names of YAML, those that are no CEL names in another spelling: \
         `foo-bar` is `foo__dash__bar`, `in` is `__in__`; of `metadata` the name alone; and nothing without a schema.",
        "#[x_kube(validation = \"self.max_size > 1\")] // struct Pool { #[serde(rename_all = \"camelCase\")] max_size: i32 }",
        "#[x_kube(validation = \"self.maxSize > 1\")]",
    ),
    Page::error(
        "OP503",
        "a rule that names a function or variable which is not there",
        "The server says `undeclared reference`. There are `self` and `oldSelf`, what a macro such as `all(x, ..)` names, \
         and the functions on https://kubernetes.io/docs/reference/using-api/cel/.",
        "#[x_kube(validation = \"len(name) > 1\")]",
        "#[x_kube(validation = \"size(self.name) > 1\")]",
    ),
    Page::error(
        "OP504",
        "a rule about the old value where there is none",
        "The server says `oldSelf cannot be used on the uncorrelatable portion of the schema`, for items of a list that is \
         no map, or `optionalOldSelf: may not be set if oldSelf is not used in rule`.",
        "#[x_kube(validation = \"self.port == oldSelf.port\")] // on struct Port, in ports: Vec<Port>",
        "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]\nports: Vec<Port>",
    ),
    Page::error(
        "OP505",
        "a rule whose field path leads nowhere",
        "The server says `fieldPath: must be a valid path`. It is relative to where the rule stands, begins with a dot, \
         and does not go into lists.",
        "Rule::new(\"self.min <= self.max\").field_path(\"min\")",
        "Rule::new(\"self.min <= self.max\").field_path(\".min\")",
    ),
    Page::error(
        "OP506",
        "a rule with a message or reason that is not allowed",
        "The server says `must not contain line breaks`, `must be non-empty if specified`, or `message must be specified if \
         rule contains line breaks`.",
        "#[x_kube(validation = (\"self.size > 0\", \"size\\nmust be positive\"))]",
        "#[x_kube(validation = (\"self.size > 0\", \"size must be positive\"))]",
    ),
    Page::error(
        "OP507",
        "a garde attribute that does not reach the schema",
        "`JsonSchema` reads `#[garde(..)]`, `KubeSchema` leaves it out: the API server would take what Rust refuses.",
        "#[garde(length(min = 1))]\nname: String, // in a struct that derives KubeSchema",
        "#[garde(length(min = 1))]\n#[schemars(length(min = 1))]\nname: String,",
    ),
    Page::error(
        "OP508",
        "a merge strategy without effect",
        "kube writes `StructMerge::Atomic` as `x-kubernetes-struct-type`, which no CRD has: fields would be merged one by one.",
        "#[x_kube(merge_strategy = StructMerge::Atomic)]\nplacement: Placement,",
        "#[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]\nplacement: Placement,",
    ),
    Page::error(
        "OP509",
        "a rule on a flattened field",
        "A flattened field is none in YAML; kube puts the rule onto the first of the fields that it brings in.",
        "#[serde(flatten)]\n#[x_kube(validation = \"self.min <= self.max\")]\nlimits: Limits,",
        "#[x_kube(validation = \"self.min <= self.max\")]\nstruct Limits { .. }",
    ),
    Page::error(
        "OP510",
        "`KubeSchema` or `x_kube` on a type that it is not for",
        "kube has `KubeSchema` for structs with named fields and without parameters; everything else derives JsonSchema, and \
         says its rules as what they are in a CRD.",
        "#[derive(KubeSchema)]\n#[x_kube(validation = \"self != 'None'\")]\nenum Mode { .. }",
        "#[derive(JsonSchema)]\n#[schemars(extend(\"x-kubernetes-validations\" = [{\"rule\": \"self != 'None'\"}]))]\nenum Mode { .. }",
    ),
    Page::error(
        "OP511",
        "a kind of which no version is served",
        "The API server takes the CRD, and offers nothing: no object of the kind can be read or written.",
        "#[kube(version = \"v1\", kind = \"Foo\", served = false)] // the only version",
        "#[kube(version = \"v1\", kind = \"Foo\")]",
    ),
    Page::error(
        "OP512",
        "a definition that a real API server refused",
        "`opctl manifests --verify` sent it to one on this machine; the reason is in the server's own words.",
        "#[x_kube(validation = \"self.size == 'large'\")] // size: i32",
        "#[x_kube(validation = \"self.size == 3\")]",
    ),
    Page::warning(
        "OP513",
        "a field of another type in another version",
        "Without a conversion webhook the server changes nothing but `apiVersion`: a value that was stored as a string is sent \
         as that string through the version in which the field is a number, and a client of that version cannot read it. \
         Where no object has both, or a webhook is deployed by other means, allow it with a reason.",
        "struct FooSpec { size: String } // v1\nstruct FooSpec { size: i32 } // v2",
        "struct FooSpec { size: String } // v1\nstruct FooSpec { replicas: i32 } // v2",
    ),
    Page::warning(
        "OP551",
        "rules that no server has judged",
        "Types and cost of a rule are known to an API server only: it says `no matching overload` or `exceeds budget`. \
         `opctl manifests --verify` asks one on this machine, and remembers the answer until the CRD changes.",
        "opctl manifests",
        "opctl manifests --verify",
    ),
    Page::warning(
        "OP552",
        "a field that another version lacks",
        "Without a conversion webhook the server drops it from what is read or written through the version that lacks it, \
         and so from what is stored.",
        "struct FooSpec { size: i32 } // v1\nstruct FooSpec { size: i32, color: String } // v2",
        "struct FooSpec { size: i32, color: Option<String> } // v1\nstruct FooSpec { size: i32, color: Option<String> } // v2",
    ),
    Page::warning(
        "OP553",
        "a definition that a real API server warned of",
        "`opctl manifests --verify` sent it to one on this machine, which took it. A format that the server does not know, or not \
         for a field of that type, it does not check.",
        "#[schemars(extend(\"format\" = \"int32\"))]\nport: String,",
        "port: i32,",
    ),
];
