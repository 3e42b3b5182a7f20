// +opctl:rbac:groups,resources=x,verbs=get
