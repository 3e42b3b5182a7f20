// +opctl:rbac:groups=apps,resources=deployments,verbs=get;list;watch
