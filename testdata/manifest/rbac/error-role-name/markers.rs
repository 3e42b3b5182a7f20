// +opctl:rbac:groups=core,resources=secrets,verbs=get,roleName=team/reader
