// +opctl:rbac:groups=a,resource=x,verbs=get
