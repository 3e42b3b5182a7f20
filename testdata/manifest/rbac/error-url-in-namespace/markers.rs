// +opctl:rbac:urls=/x,verbs=get,namespace=n
