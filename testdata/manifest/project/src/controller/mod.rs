// +kubebuilder:rbac:groups=example.com,resources=webservers,verbs=get;list;watch;create;update;patch;delete
// +opctl:rbac:groups=example.com,resources=webservers/status,verbs=get;update;patch
// +opctl:rbac:groups=apps,resources=deployments,verbs=get;list;watch;patch
