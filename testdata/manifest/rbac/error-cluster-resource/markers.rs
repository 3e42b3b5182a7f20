// +opctl:rbac:groups=core,resources=pods;nodes/status,verbs=get,namespace=tools
