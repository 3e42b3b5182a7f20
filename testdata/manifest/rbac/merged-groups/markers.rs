// +opctl:rbac:groups=a,resources=x,verbs=get
// +opctl:rbac:groups=b,resources=x,verbs=get
