//   +opctl:rbac:groups = "apps" ; `batch`, resources={deployments, "jobs/status"} , verbs=get ; list 
