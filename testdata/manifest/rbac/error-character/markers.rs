// +opctl:rbac:groups="",resources=secrets,verbs=get,resourceNames="a\x7fb"
