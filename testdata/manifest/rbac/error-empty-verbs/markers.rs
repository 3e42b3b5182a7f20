// +opctl:rbac:groups=a,resources=x,verbs=
