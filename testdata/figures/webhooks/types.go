package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const group = "web.example.com"

// WebServer is stored in this version, v1.
type WebServer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec"`
	Status            Status `json:"status,omitempty"`
}

type Spec struct {
	Image    string `json:"image"`
	Replicas *int32 `json:"replicas,omitempty"`
	Port     int32  `json:"port"`
}

type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// WebServerV2 has another name for the port.
type WebServerV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SpecV2 `json:"spec"`
	Status            Status `json:"status,omitempty"`
}

type SpecV2 struct {
	Image         string `json:"image"`
	Replicas      *int32 `json:"replicas,omitempty"`
	ContainerPort int32  `json:"containerPort"`
}

func (in *Status) deepCopyInto(out *Status) {
	*out = *in
	out.Conditions = append([]metav1.Condition(nil), in.Conditions...)
}

func copied(number *int32) *int32 {
	if number == nil {
		return nil
	}
	value := *number
	return &value
}

func (in *WebServer) DeepCopyObject() runtime.Object {
	out := new(WebServer)
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Replicas = copied(in.Spec.Replicas)
	in.Status.deepCopyInto(&out.Status)
	return out
}

func (in *WebServerV2) DeepCopyObject() runtime.Object {
	out := new(WebServerV2)
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Replicas = copied(in.Spec.Replicas)
	in.Status.deepCopyInto(&out.Status)
	return out
}

func toV2(_ context.Context, from *WebServer, to *WebServerV2) error {
	to.ObjectMeta = from.ObjectMeta
	to.Spec = SpecV2{Image: from.Spec.Image, Replicas: from.Spec.Replicas, ContainerPort: from.Spec.Port}
	to.Status = from.Status
	return nil
}

func fromV2(_ context.Context, from *WebServerV2, to *WebServer) error {
	to.ObjectMeta = from.ObjectMeta
	to.Spec = Spec{Image: from.Spec.Image, Replicas: from.Spec.Replicas, Port: from.Spec.ContainerPort}
	to.Status = from.Status
	return nil
}

func register(scheme *runtime.Scheme) {
	for version, object := range map[string]runtime.Object{"v1": &WebServer{}, "v2": &WebServerV2{}} {
		groupVersion := schema.GroupVersion{Group: group, Version: version}
		scheme.AddKnownTypeWithName(groupVersion.WithKind("WebServer"), object)
		metav1.AddToGroupVersion(scheme, groupVersion)
	}
}
