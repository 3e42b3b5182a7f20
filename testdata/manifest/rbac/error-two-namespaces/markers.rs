// +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=one,roleName=reader
// +opctl:rbac:groups=core,resources=pods,verbs=get,namespace=one,roleName=reader
// +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=two,roleName=reader
