// controller-gen drops one of the verbs, now this one, now that one.
// +opctl:rbac:groups=x,resources=a,verbs=get
// +opctl:rbac:groups=y,resources=a,verbs=get
// +opctl:rbac:groups=x;y,resources=a,verbs=list
