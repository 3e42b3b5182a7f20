// +opctl:rbac:groups=a,resources=x,verbs=get,namespace=two
// +opctl:rbac:groups=a,resources=x,verbs=get,namespace=one
// +opctl:rbac:groups=a,resources=x,verbs=list
// +opctl:rbac:groups=a,resources=x,verbs=list,namespace=one,roleName=other
