// Package v1alpha1 contains the version that the figures compare.
// +kubebuilder:object:generate=true
// +groupName=example.com
package v1alpha1

import "k8s.io/apimachinery/pkg/runtime/schema"

// GroupVersion is the group and version of the types here.
var GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v1alpha1"}
