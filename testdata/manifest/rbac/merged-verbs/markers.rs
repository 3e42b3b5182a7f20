// +opctl:rbac:groups=apps,resources=deployments,verbs=get
// +opctl:rbac:groups=apps,resources=deployments,verbs=watch;list
// +opctl:rbac:groups=apps,resources=statefulsets,verbs=get;list;watch
