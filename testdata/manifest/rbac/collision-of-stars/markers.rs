// +kubebuilder:rbac:resourceNames=a;b,verbs="get",resources="a",groups=core
// +kubebuilder:rbac:verbs=*;get;list,resources={jobs},groups=batch;apps
// +kubebuilder:rbac:verbs=*;get;list,groups=batch;core,resources=jobs
// +kubebuilder:rbac:groups="core";"apps";"batch",resources=pods,verbs=list;get;*
// +kubebuilder:rbac:verbs="list",urls=/metrics
// +kubebuilder:rbac:groups=batch;apps;core,resources=jobs,verbs=*;list
// +kubebuilder:rbac:groups=`apps`,resources=pods;jobs,verbs="get";"*";"list"
