// +opctl:rbac:groups=a,resources=x,verbs=*
// +opctl:rbac:groups=a,resources=x,verbs=get
// +opctl:rbac:groups=a,resources=y,verbs=get;*
