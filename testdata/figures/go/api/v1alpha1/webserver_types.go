package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WebServerSpec is what the user asks for.
type WebServerSpec struct {
	// An example: the Ready condition repeats it. Replace it with fields of your own.
	// +kubebuilder:default="Hello, world!"
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	// +optional
	Message string `json:"message,omitempty"`
}

// WebServerStatus is what the operator reports.
type WebServerStatus struct {
	// The `metadata.generation` that this status is about.
	// +optional
	ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
	// `Ready` is True when everything the spec asks for is there.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WebServer is managed by webserver-operator.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
type WebServer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WebServerSpec   `json:"spec"`
	Status WebServerStatus `json:"status,omitempty"`
}

// WebServerList is a list of WebServer.
// +kubebuilder:object:root=true
type WebServerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []WebServer `json:"items"`
}

func init() {
	SchemeBuilder.Register(&WebServer{}, &WebServerList{})
}
