// +opctl:rbac:groups=core,resources=pods;nodes/status,verbs=get
// +opctl:rbac:urls=/metrics,verbs=get
