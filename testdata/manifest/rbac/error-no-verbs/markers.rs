fn a() {} // +opctl:rbac:groups=a,resources=x
