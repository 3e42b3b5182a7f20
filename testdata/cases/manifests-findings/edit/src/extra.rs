// +opctl:rbac:groups=apps,resource=deployments,verbs=get
// +opctl:rbac:groups=apps,resources=deployments,verbs=gett
