//! The types of `go/`, in Rust.

/// The stored versions.
pub mod v1 {
    use k8s_openapi::api::core::v1::{
        LocalObjectReference, ObjectReference, ResourceRequirements, SecretKeySelector, Toleration,
    };
    use k8s_openapi::apimachinery::pkg::{
        api::resource::Quantity, apis::meta::v1 as meta, runtime::RawExtension, util::intstr::IntOrString,
    };
    use kube::{CustomResource, KubeSchema};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;
    use std::collections::{BTreeMap, BTreeSet};

    /// What is asked for.
    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1", kind = "Gadget", plural = "gadgets", singular = "gadget")]
    #[kube(shortname = "gd", shortname = "gdt", category = "all", category = "tools", status = "GadgetStatus")]
    #[kube(doc = "Gadget has every marker of a kind.", selectable = ".spec.mode", deprecated = "use something else")]
    #[kube(scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ))]
    #[kube(printcolumn(
        name = "Replicas",
        type_ = "integer",
        json_path = ".spec.replicas",
        description = "How many.",
        format = "int32",
        priority = 1
    ))]
    #[kube(printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"))]
    #[kube(annotation("example.com/note", "yes"), label("example.com/part", "crd"))]
    #[kube(validation = ("self.metadata.name != 'none'", "needs another name"))]
    pub struct GadgetSpec {
        /// How many.
        #[schemars(range(min = 0, max = 10))]
        pub replicas: i32,
        /// How it runs.
        pub mode: Mode,
    }

    /// What is there.
    #[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct GadgetStatus {
        /// How many.
        pub replicas: i32,
        /// Which.
        pub selector: String,
        /// How it goes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
        pub conditions: Vec<meta::Condition>,
    }

    /// How it runs.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    pub enum Mode {
        Fast,
        Safe,
    }

    /// What was asked for.
    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1", kind = "Old", plural = "olds", namespaced)]
    #[kube(doc = "Old has two versions.")]
    pub struct OldSpec {
        /// A text.
        pub text: String,
    }

    /// What is asked for.
    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1", kind = "Thing", plural = "things", namespaced)]
    #[kube(doc = "Thing has every marker of a field.")]
    pub struct ThingSpec {
        /// Numbers.
        pub numbers: Numbers,
        /// Texts.
        pub texts: Texts,
        /// Lists and maps.
        pub collections: Collections,
        /// Presence, defaults and words about them.
        pub presence: Presence,
        /// Types of Kubernetes.
        pub known: Known,
        /// What has no shape.
        pub free: Free,
        /// Rules.
        pub rules: Rules,
        #[serde(flatten)]
        pub part: Part,
    }

    /// Numbers.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct Numbers {
        /// Bounded.
        #[schemars(range(min = 1, max = 10))]
        pub bounded: i32,
        /// Strictly.
        #[schemars(range(min = 0, max = 100), extend("exclusiveMinimum" = true, "exclusiveMaximum" = true))]
        pub strictly: i64,
        /// Even.
        #[schemars(extend("multipleOf" = 2))]
        pub even: i64,
    }

    /// Texts.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[serde(rename_all = "camelCase")]
    pub struct Texts {
        /// Short.
        #[schemars(length(min = 1, max = 63), regex(pattern = "^[a-z]+$"))]
        pub short: String,
        /// Mail.
        #[schemars(email)]
        pub mail: String,
        /// One of.
        #[schemars(extend("enum" = ["a", "b"]))]
        pub one_of: String,
        /// Bytes.
        #[schemars(extend("format" = "byte"))]
        pub bytes: String,
        /// A number written as a text.
        #[schemars(with = "String")]
        pub as_text: i64,
    }

    /// Collections.
    #[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
    #[serde(rename_all = "camelCase")]
    pub struct Collections {
        /// Some.
        #[schemars(length(min = 1, max = 5), inner(length(min = 1), regex(pattern = "^[a-z]+$")))]
        pub some: Vec<String>,
        /// Few.
        #[schemars(extend("minProperties" = 1, "maxProperties" = 4))]
        pub few: BTreeMap<String, String>,
        /// Set.
        #[x_kube(merge_strategy = ListMerge::Set)]
        pub set: BTreeSet<String>,
        /// Whole.
        #[x_kube(merge_strategy = ListMerge::Atomic)]
        pub whole: Vec<String>,
        /// By name.
        #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
        pub by_name: Vec<Part>,
        /// Whole map.
        #[x_kube(merge_strategy = MapMerge::Atomic)]
        pub whole_map: BTreeMap<String, String>,
        /// Whole part.
        #[schemars(extend("x-kubernetes-map-type" = "atomic"))]
        pub whole_part: Part,
        /// Parts by key.
        pub parts: BTreeMap<String, Part>,
    }

    /// A part.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct Part {
        /// Its name.
        pub name: String,
    }

    /// Presence.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct Presence {
        /// Maybe.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub maybe: Option<String>,
        /// Null.
        pub null: Option<String>,
        /// Filled in.
        #[serde(default = "three")]
        pub filled: i32,
        /// Filled in with a text that YAML 1.1 reads as a boolean.
        #[serde(default = "on")]
        pub switch: String,
        /// Filled in with a list.
        #[serde(default = "list")]
        pub list: Vec<String>,
        /// Shown.
        #[schemars(example = &"like this")]
        pub shown: String,
        /// Named.
        #[schemars(title = "A title")]
        pub named: String,
        /// Explained.
        #[schemars(extend("externalDocs" = {"url": "https://example.com", "description": "More."}))]
        pub explained: String,
    }

    fn three() -> i32 {
        3
    }

    fn on() -> String {
        "on".into()
    }

    fn list() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    /// Known.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct Known {
        /// Amount.
        pub amount: Quantity,
        /// Number or name.
        pub port: IntOrString,
        /// When.
        pub when: meta::Time,
        /// How long.
        pub long: kube::core::Duration,
        /// Which.
        pub which: meta::LabelSelector,
        /// Secret.
        pub secret: SecretKeySelector,
        /// Local.
        pub local: LocalObjectReference,
        /// Any.
        pub any: ObjectReference,
        /// Needs.
        pub needs: ResourceRequirements,
        /// Tolerations.
        pub tolerations: Vec<Toleration>,
        /// Metadata.
        pub metadata: meta::ObjectMeta,
    }

    /// Free.
    #[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
    pub struct Free {
        /// Any JSON.
        pub json: Value,
        /// Any JSON by key.
        pub map: BTreeMap<String, Value>,
        /// Any object.
        pub raw: RawExtension,
        /// Any Kubernetes object.
        #[schemars(extend("x-kubernetes-embedded-resource" = true))]
        pub embedded: RawExtension,
        /// Open.
        #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
        pub open: Part,
        /// Without a schema.
        #[schemars(with = "Value")]
        pub nothing: Part,
    }

    /// Rules.
    #[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
    #[x_kube(validation = Rule::new("self.fixed != self.checked").message(Message::Expression("'both are ' + self.fixed".into())))]
    #[serde(rename_all = "camelCase")]
    pub struct Rules {
        /// Fixed.
        #[x_kube(validation = ("self == oldSelf", "field is immutable"))]
        pub fixed: String,
        /// Checked.
        #[x_kube(validation = Rule::new("self != 'no'").message("not this").reason(Reason::FieldValueForbidden))]
        pub checked: String,
        /// One of two.
        pub one_of: Either,
    }

    /// Either one.
    #[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
    #[x_kube(validation = ("[has(self.left),has(self.right)].filter(x,x==true).size() == 1", "exactly one of the fields in [left right] must be set"))]
    pub struct Either {
        /// Left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub left: Option<String>,
        /// Right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub right: Option<String>,
    }
}

/// An older version.
pub mod v1beta1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// What was asked for.
    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Old", plural = "olds", namespaced)]
    #[kube(doc = "Old is not served.", served = false, storage = false)]
    pub struct OldSpec {
        /// A text.
        pub text: String,
    }
}
