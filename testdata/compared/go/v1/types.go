// Package v1 holds a type for each feature of controller-gen; `types.rs` is the same in Rust.
// +groupName=example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Gadget has every marker of a kind.
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=gadgets,singular=gadget,shortName=gd;gdt,categories=all;tools,scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Replicas",type="integer",JSONPath=".spec.replicas",description="How many.",format="int32",priority=1
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:selectablefield:JSONPath=".spec.mode"
// +kubebuilder:storageversion
// +kubebuilder:deprecatedversion:warning="use something else"
// +kubebuilder:metadata:annotations="example.com/note=yes",labels="example.com/part=crd"
// +kubebuilder:validation:XValidation:rule="self.metadata.name != 'none'",message="needs another name"
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What is asked for.
	// +required
	Spec GadgetSpec `json:"spec"`
	// What is there.
	// +optional
	Status *GadgetStatus `json:"status,omitempty"`
}

// What is asked for.
type GadgetSpec struct {
	// How many.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10
	Replicas int32 `json:"replicas"`
	// How it runs.
	Mode Mode `json:"mode"`
}

// What is there.
type GadgetStatus struct {
	// How many.
	Replicas int32 `json:"replicas"`
	// Which.
	Selector string `json:"selector"`
	// How it goes.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// How it runs.
// +kubebuilder:validation:Enum=Fast;Safe
type Mode string

// Old has two versions.
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
type Old struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What was asked for.
	Spec OldSpec `json:"spec"`
}

// What was asked for.
type OldSpec struct {
	// A text.
	Text string `json:"text"`
}

// Thing has every marker of a field.
// +kubebuilder:object:root=true
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What is asked for.
	Spec ThingSpec `json:"spec"`
}

// What is asked for.
type ThingSpec struct {
	// Numbers.
	Numbers Numbers `json:"numbers"`
	// Texts.
	Texts Texts `json:"texts"`
	// Lists and maps.
	Collections Collections `json:"collections"`
	// Presence, defaults and words about them.
	Presence Presence `json:"presence"`
	// Types of Kubernetes.
	Known Known `json:"known"`
	// What has no shape.
	Free Free `json:"free"`
	// Rules.
	Rules Rules `json:"rules"`
	// A field of the flattened part comes next.
	Part `json:",inline"`
}

// Numbers.
type Numbers struct {
	// Bounded.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	Bounded int32 `json:"bounded"`
	// Strictly.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:validation:ExclusiveMaximum=true
	Strictly int64 `json:"strictly"`
	// Even.
	// +kubebuilder:validation:MultipleOf=2
	Even int64 `json:"even"`
}

// Texts.
type Texts struct {
	// Short.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	Short string `json:"short"`
	// Mail.
	// +kubebuilder:validation:Format=email
	Mail string `json:"mail"`
	// One of.
	// +kubebuilder:validation:Enum=a;b
	OneOf string `json:"oneOf"`
	// Bytes.
	Bytes []byte `json:"bytes"`
	// A number written as a text.
	// +kubebuilder:validation:Type=string
	AsText int64 `json:"asText"`
}

// Collections.
type Collections struct {
	// Some.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=5
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:Pattern=`^[a-z]+$`
	Some []string `json:"some"`
	// Few.
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=4
	Few map[string]string `json:"few"`
	// Set.
	// +listType=set
	Set []string `json:"set"`
	// Whole.
	// +listType=atomic
	Whole []string `json:"whole"`
	// By name.
	// +listType=map
	// +listMapKey=name
	ByName []Part `json:"byName"`
	// Whole map.
	// +mapType=atomic
	WholeMap map[string]string `json:"wholeMap"`
	// Whole part.
	// +structType=atomic
	WholePart Part `json:"wholePart"`
	// Parts by key.
	Parts map[string]Part `json:"parts"`
}

// A part.
type Part struct {
	// Its name.
	Name string `json:"name"`
}

// Presence.
type Presence struct {
	// Maybe.
	// +optional
	Maybe *string `json:"maybe,omitempty"`
	// Null.
	// +optional
	// +nullable
	Null *string `json:"null"`
	// Filled in.
	// +optional
	// +kubebuilder:default=3
	Filled int32 `json:"filled"`
	// Filled in with a text that YAML 1.1 reads as a boolean.
	// +optional
	// +default="on"
	Switch string `json:"switch"`
	// Filled in with a list.
	// +optional
	// +kubebuilder:default={"a","b"}
	List []string `json:"list"`
	// Shown.
	// +kubebuilder:example="like this"
	Shown string `json:"shown"`
	// Named.
	// +kubebuilder:title="A title"
	Named string `json:"named"`
	// Explained.
	// +kubebuilder:externalDocs:url="https://example.com",description="More."
	Explained string `json:"explained"`
}

// Known.
type Known struct {
	// Amount.
	Amount resource.Quantity `json:"amount"`
	// Number or name.
	Port intstr.IntOrString `json:"port"`
	// When.
	When metav1.Time `json:"when"`
	// How long.
	Long metav1.Duration `json:"long"`
	// Which.
	Which metav1.LabelSelector `json:"which"`
	// Secret.
	Secret corev1.SecretKeySelector `json:"secret"`
	// Local.
	Local corev1.LocalObjectReference `json:"local"`
	// Any.
	Any corev1.ObjectReference `json:"any"`
	// Needs.
	Needs corev1.ResourceRequirements `json:"needs"`
	// Tolerations.
	Tolerations []corev1.Toleration `json:"tolerations"`
	// Metadata.
	Metadata metav1.ObjectMeta `json:"metadata"`
}

// Free.
type Free struct {
	// Any JSON.
	Json apiextensionsv1.JSON `json:"json"`
	// Any JSON by key.
	Map map[string]apiextensionsv1.JSON `json:"map"`
	// Any object.
	// +kubebuilder:pruning:PreserveUnknownFields
	Raw runtime.RawExtension `json:"raw"`
	// Any Kubernetes object.
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:EmbeddedResource
	Embedded runtime.RawExtension `json:"embedded"`
	// Open.
	// +kubebuilder:pruning:PreserveUnknownFields
	Open Part `json:"open"`
	// Without a schema.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Nothing Part `json:"nothing"`
}

// Rules.
// +kubebuilder:validation:XValidation:rule="self.fixed != self.checked",messageExpression="'both are ' + self.fixed"
type Rules struct {
	// Fixed.
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="field is immutable"
	Fixed string `json:"fixed"`
	// Checked.
	// +kubebuilder:validation:XValidation:rule="self != 'no'",message="not this",reason=FieldValueForbidden
	Checked string `json:"checked"`
	// One of two.
	OneOf Either `json:"oneOf"`
}

// Either one.
// +kubebuilder:validation:ExactlyOneOf=left;right
type Either struct {
	// Left.
	// +optional
	Left *string `json:"left,omitempty"`
	// Right.
	// +optional
	Right *string `json:"right,omitempty"`
}
