//! The same kinds in Rust and in Go, generated from one table.

use std::fmt::Write as _;

/// One field of a spec.
struct Field {
    name: &'static str,
    rust: &'static str,
    /// The attributes above the Rust field.
    attributes: &'static [&'static str],
    go: &'static str,
    /// The markers above the Go field. With `required`, the field's tag has no `omitempty`.
    markers: &'static [&'static str],
}

const OPTION: &str = "serde(default, skip_serializing_if = \"Option::is_none\")";
const OPTIONAL: &str = "optional";

/// The fields of the spec. With the two fields of a port and the two of the status, a kind has fifteen fields. `KIND`
/// stands for the kind's name.
const FIELDS: [Field; 11] = [
    Field {
        name: "image",
        rust: "String",
        attributes: &["schemars(length(min = 1, max = 200))"],
        go: "string",
        markers: &["required", "kubebuilder:validation:MinLength=1", "kubebuilder:validation:MaxLength=200"],
    },
    Field {
        name: "replicas",
        rust: "i32",
        attributes: &["serde(default)", "schemars(range(min = 0, max = 100))"],
        go: "int32",
        markers: &[
            OPTIONAL,
            "kubebuilder:default=0",
            "kubebuilder:validation:Minimum=0",
            "kubebuilder:validation:Maximum=100",
        ],
    },
    Field { name: "paused", rust: "bool", attributes: &["serde(default)"], go: "bool", markers: &[OPTIONAL] },
    Field {
        name: "labels",
        rust: "BTreeMap<String, String>",
        attributes: &["serde(default, skip_serializing_if = \"BTreeMap::is_empty\")"],
        go: "map[string]string",
        markers: &[OPTIONAL],
    },
    Field {
        name: "args",
        rust: "Vec<String>",
        attributes: &["serde(default, skip_serializing_if = \"Vec::is_empty\")"],
        go: "[]string",
        markers: &[OPTIONAL, "listType=atomic"],
    },
    Field {
        name: "schedule",
        rust: "Option<String>",
        attributes: &[OPTION, "schemars(regex(pattern = r\"^[0-9* ]+$\"))"],
        go: "*string",
        markers: &[OPTIONAL, "kubebuilder:validation:Pattern=`^[0-9* ]+$`"],
    },
    Field { name: "seconds", rust: "i64", attributes: &[], go: "int64", markers: &["required"] },
    Field { name: "mode", rust: "KINDMode", attributes: &[], go: "KINDMode", markers: &["required"] },
    Field {
        name: "ports",
        rust: "Vec<KINDPort>",
        attributes: &[
            "serde(default, skip_serializing_if = \"Vec::is_empty\")",
            "x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))",
        ],
        go: "[]KINDPort",
        markers: &[OPTIONAL, "listType=map", "listMapKey=name"],
    },
    Field {
        name: "secret",
        rust: "Option<LocalObjectReference>",
        attributes: &[OPTION],
        go: "*corev1.LocalObjectReference",
        markers: &[OPTIONAL],
    },
    Field {
        name: "storage",
        rust: "Option<Quantity>",
        attributes: &[OPTION],
        go: "*resource.Quantity",
        markers: &[OPTIONAL],
    },
];

/// The line before which a field is added, in both languages.
pub(crate) const ADD_HERE: &str = "    // Fields are added above.\n";

/// Returns the Rust module of a kind.
pub(crate) fn rust(kind: &str) -> String {
    let mut fields = String::new();
    for field in &FIELDS {
        let _ = writeln!(fields, "    /// What `{}` is for.", field.name);
        for attribute in field.attributes {
            let _ = writeln!(fields, "    #[{attribute}]");
        }
        let _ = writeln!(fields, "    pub {}: {},", field.name, field.rust);
    }
    let plural = format!("{}s", kind.to_lowercase());
    RUST.replace("FIELDS\n", &fields).replace("ADD\n", ADD_HERE).replace("PLURAL", &plural).replace("KIND", kind)
}

/// Returns the Go file of a kind.
pub(crate) fn go(kind: &str) -> String {
    let mut fields = String::new();
    for field in &FIELDS {
        let _ = writeln!(fields, "    // What `{}` is for.", field.name);
        for marker in field.markers {
            let _ = writeln!(fields, "    // +{marker}");
        }
        let (first, rest) = field.name.split_at(1);
        let omit = if field.markers.contains(&"required") { "" } else { ",omitempty" };
        let _ = writeln!(fields, "    {}{rest} {} `json:\"{}{omit}\"`", first.to_uppercase(), field.go, field.name);
    }
    GO.replace("FIELDS\n", &fields).replace("ADD\n", ADD_HERE).replace("KIND", kind)
}

/// Returns a Rust field to add to a kind.
pub(crate) fn rust_addition(number: usize) -> String {
    format!("    /// Added.\n    #[{OPTION}]\n    pub added{number}: Option<String>,\n")
}

/// Returns a Go field to add to a kind.
pub(crate) fn go_addition(number: usize) -> String {
    format!("    // Added.\n    // +optional\n    Added{number} *string `json:\"added{number},omitempty\"`\n")
}

const RUST: &str = r#"use k8s_openapi::api::core::v1::LocalObjectReference;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The desired state of a KIND.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1alpha1",
    kind = "KIND",
    plural = "PLURAL",
    namespaced,
    status = "KINDStatus",
    derive = "PartialEq",
    doc = "KIND is a kind.",
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
#[serde(rename_all = "camelCase")]
pub struct KINDSpec {
FIELDS
ADD
}

/// The mode in which a KIND runs.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq)]
pub enum KINDMode {
    Fast,
    Safe,
}

/// A port.
#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct KINDPort {
    /// The name of the port.
    pub name: String,
    /// The number of the port.
    #[schemars(range(min = 1, max = 65535))]
    pub number: i32,
}

/// The observed state of a KIND.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct KINDStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The conditions, of which `Ready` is `True` when the desired state is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
}
"#;

const GO: &str = r#"package v1alpha1

import (
    corev1 "k8s.io/api/core/v1"
    "k8s.io/apimachinery/pkg/api/resource"
    metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// KINDSpec is what the user asks for.
type KINDSpec struct {
FIELDS
ADD
}

// KINDMode is how it runs.
// +kubebuilder:validation:Enum=Fast;Safe
type KINDMode string

// KINDPort is a port.
type KINDPort struct {
    // Its name.
    // +required
    Name string `json:"name"`
    // Its number.
    // +required
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=65535
    Number int32 `json:"number"`
}

// KINDStatus is what the operator reports.
type KINDStatus struct {
    // The `metadata.generation` that this status is about.
    // +optional
    ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
    // `Ready` is True when everything the spec asks for is there.
    // +listType=map
    // +listMapKey=type
    // +optional
    Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// KIND is a kind.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
type KIND struct {
    metav1.TypeMeta   `json:",inline"`
    metav1.ObjectMeta `json:"metadata,omitempty"`

    Spec   KINDSpec   `json:"spec"`
    Status KINDStatus `json:"status,omitempty"`
}

// KINDList is a list of KIND.
// +kubebuilder:object:root=true
type KINDList struct {
    metav1.TypeMeta `json:",inline"`
    metav1.ListMeta `json:"metadata,omitempty"`

    Items []KIND `json:"items"`
}

func init() {
    SchemeBuilder.Register(&KIND{}, &KINDList{})
}
"#;
