// +opctl:rbac
