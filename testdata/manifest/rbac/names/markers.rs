// +opctl:rbac:groups=core,resources=secrets,resourceNames=b;a,verbs=get
// +opctl:rbac:groups=core,resources=secrets,verbs=list
