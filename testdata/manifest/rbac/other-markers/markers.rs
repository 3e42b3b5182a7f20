// +opctl:scaffold:controllers
// +kubebuilder:validation:Minimum=1
// +opctl:webhook:path=/x
// + opctl:rbac is not a marker
// +opctl:rbac:groups=a,resources=x,verbs=get
