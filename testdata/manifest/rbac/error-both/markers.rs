// +opctl:rbac:groups=a,resources=x,urls=/x,verbs=get
