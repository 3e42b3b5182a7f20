// +opctl:rbac:groups=a,resources=x,verbs=get,verbs=list
