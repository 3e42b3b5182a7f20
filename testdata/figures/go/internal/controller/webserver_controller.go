// Package controller carries the markers of a controller.
package controller

// +kubebuilder:rbac:groups=example.com,resources=webservers,verbs=get;list;watch
// +kubebuilder:rbac:groups=example.com,resources=webservers/status,verbs=patch

// Reconcile does nothing: only its markers are read.
func Reconcile() {}
