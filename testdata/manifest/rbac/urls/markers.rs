// +opctl:rbac:urls=/metrics,verbs=get
// +opctl:rbac:urls=/healthz;/readyz,verbs=get
// +opctl:rbac:groups=a,resources=x,verbs=get
