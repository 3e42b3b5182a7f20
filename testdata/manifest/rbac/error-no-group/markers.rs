// +opctl:rbac:resources=x,verbs=get
