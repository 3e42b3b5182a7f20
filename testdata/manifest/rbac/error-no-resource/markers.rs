// +opctl:rbac:groups=a,verbs=get
