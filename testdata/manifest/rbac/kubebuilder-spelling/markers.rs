//+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list
// +kubebuilder:rbac:groups=core,resources=pods;secrets,verbs=get
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get
