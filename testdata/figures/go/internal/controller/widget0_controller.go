// Package controller holds the reconciler.
package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	examplev1alpha1 "example.com/webserver-operator/api/v1alpha1"
)

// Widget0Reconciler reconciles a Widget0.
type Widget0Reconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=example.com,resources=widget0s,verbs=get;list;watch
// +kubebuilder:rbac:groups=example.com,resources=widget0s/status,verbs=patch

// Reconcile does nothing: only its markers are read.
func (r *Widget0Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

// SetupWithManager sets up the controller.
func (r *Widget0Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&examplev1alpha1.Widget0{}).Named("widget0").Complete(r)
}
