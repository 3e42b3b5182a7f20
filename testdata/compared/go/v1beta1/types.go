// Package v1beta1 holds an older version.
// +groupName=example.com
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Old is not served.
// +kubebuilder:object:root=true
// +kubebuilder:unservedversion
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
