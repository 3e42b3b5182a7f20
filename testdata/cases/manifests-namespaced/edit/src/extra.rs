// +opctl:rbac:groups=core,resources=configmaps,verbs=get;list;watch
// +opctl:rbac:groups=core,namespace=other,resources=secrets,verbs=get
// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch,roleName=node-reader
