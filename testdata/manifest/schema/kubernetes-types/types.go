// +groupName=cases.example
// +versionName=v1
package v1

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:object:root=true
type Case struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CaseSpec `json:"spec"`
}

type CaseSpec struct {
	Affinity           corev1.Affinity                               `json:"affinity"`
	Any                apiextensionsv1.JSON                          `json:"any"`
	Behavior           autoscalingv2.HorizontalPodAutoscalerBehavior `json:"behavior"`
	Bytes              []byte                                        `json:"bytes"`
	Claim              corev1.PersistentVolumeClaim                  `json:"claim"`
	Conditions         []metav1.Condition                            `json:"conditions"`
	ConfigMapKey       corev1.ConfigMapKeySelector                   `json:"configMapKey"`
	CrossReference     autoscalingv2.CrossVersionObjectReference     `json:"crossReference"`
	DeploymentStrategy appsv1.DeploymentStrategy                     `json:"deploymentStrategy"`
	Disruption         policyv1.PodDisruptionBudgetSpec              `json:"disruption"`
	EnvFrom            []corev1.EnvFromSource                        `json:"envFrom"`
	Ingress            networkingv1.IngressSpec                      `json:"ingress"`
	PodFailurePolicy   batchv1.PodFailurePolicy                      `json:"podFailurePolicy"`
	SuccessPolicy      batchv1.SuccessPolicy                         `json:"successPolicy"`
	Limits             corev1.ResourceList                           `json:"limits"`
	Local              corev1.LocalObjectReference                   `json:"local"`
	MaxUnavailable     intstr.IntOrString                            `json:"maxUnavailable"`
	Metadata           metav1.ObjectMeta                             `json:"metadata"`
	Metrics            []autoscalingv2.MetricSpec                    `json:"metrics"`
	MicroTime          metav1.MicroTime                              `json:"microTime"`
	Object             corev1.ObjectReference                        `json:"object"`
	Owner              metav1.OwnerReference                         `json:"owner"`
	Peers              []networkingv1.NetworkPolicyPeer              `json:"peers"`
	Quantity           resource.Quantity                             `json:"quantity"`
	Raw                runtime.RawExtension                          `json:"raw"`
	Resources          corev1.ResourceRequirements                   `json:"resources"`
	Rules              []rbacv1.PolicyRule                           `json:"rules"`
	SecretKey          corev1.SecretKeySelector                      `json:"secretKey"`
	Selector           metav1.LabelSelector                          `json:"selector"`
	Service            corev1.ServiceSpec                            `json:"service"`
	UpdateStrategy     appsv1.StatefulSetUpdateStrategy              `json:"updateStrategy"`
	Template           corev1.PodTemplateSpec                        `json:"template"`
	Time               metav1.Time                                   `json:"time"`
	TypedLocal         corev1.TypedLocalObjectReference              `json:"typedLocal"`
}
