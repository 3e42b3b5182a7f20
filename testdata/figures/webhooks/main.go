// go-webhooks is the yardstick: the webhooks that a Go user of controller-runtime would write for what `opctl create webhook` makes.
package main

import (
	"context"
	"flag"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

const createdBy = group + "/created-by"

type webhooks struct{}

func (webhooks) Default(ctx context.Context, obj *WebServer) error {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	creator, isAsked := obj.Annotations[createdBy]
	if isAsked && creator == "" && request.Operation == admissionv1.Create {
		obj.Annotations[createdBy] = request.UserInfo.Username
	}
	return nil
}

func (webhooks) ValidateCreate(context.Context, *WebServer) (admission.Warnings, error) {
	return nil, nil
}

func (webhooks) ValidateUpdate(_ context.Context, old, obj *WebServer) (admission.Warnings, error) {
	creator := old.Annotations[createdBy]
	if creator == "" || creator == obj.Annotations[createdBy] {
		return nil, nil
	}
	found := field.ErrorList{field.Forbidden(field.NewPath("metadata", "annotations"), "the creator stays")}
	return nil, apierrors.NewInvalid(schema.GroupKind{Group: group, Kind: "WebServer"}, obj.Name, found)
}

func (webhooks) ValidateDelete(context.Context, *WebServer) (admission.Warnings, error) {
	return nil, nil
}

func main() {
	probes := flag.String("health-probe-bind-address", "127.0.0.1:0", "")
	port := flag.Int("webhook-port", 9443, "")
	certificates := flag.String("webhook-cert-path", "", "")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	check := func(err error) {
		if err != nil {
			ctrl.Log.Error(err, "go-webhooks")
			os.Exit(1)
		}
	}
	scheme := runtime.NewScheme()
	register(scheme)
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme: scheme, HealthProbeBindAddress: *probes, Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certificates}),
	})
	check(err)
	spoke := conversion.NewSpokeConverter(&WebServerV2{}, toV2, fromV2)
	check(ctrl.NewWebhookManagedBy(mgr, &WebServer{}).WithDefaulter(webhooks{}).WithValidator(webhooks{}).
		WithConverter(conversion.NewHubSpokeConverter(&WebServer{}, spoke)).Complete())
	check(mgr.AddHealthzCheck("healthz", healthz.Ping))
	check(mgr.AddReadyzCheck("readyz", mgr.GetWebhookServer().StartedChecker()))
	check(mgr.Start(ctrl.SetupSignalHandler()))
}
