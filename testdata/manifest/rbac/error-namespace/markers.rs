// +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=Kube_System
